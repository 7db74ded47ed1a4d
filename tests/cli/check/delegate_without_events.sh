# A delegate that logs no events: its call has the operators of the call, also with a record made after lowering, whose graph
# has them in an original_module only. The Inspector's table has no operators then, and no warning of another export.
case=testdata/backends/openvino_net
show etinspect check $case/run.etdp $case/lowered.etrecord
show etinspect events --skip_first 0 --format tsv --columns event_name,op_type,module,op_types $case/run.etdp $case/lowered.etrecord
etinspect $case/run.etdp $case/lowered.etrecord 2>&1 | grep -c 'another export\|(operators|aten)'

# If the lowered module has other handles, the warning is right.
unpack $case/lowered.etrecord parts
sed 's/\[[0-9, ]*\]/[999]/' parts/debug_handle_map >map
cat map
mv map parts/debug_handle_map
pack parts other.etrecord
show etinspect --format tsv --columns event_name $case/run.etdp other.etrecord
