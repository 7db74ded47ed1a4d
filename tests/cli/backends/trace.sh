# Devices have tracks of their own, events without stamps are side by side, and what delegates count are counters. An event that
# is filtered out has neither a slice nor a counter.
names() {
    sed -n -e 's/.*"thread_name","args":{"name":"\(.*\)"}}.*/track \1/p' -e 's/.*"ph":"C".*"name":"\([^"]*\)","args":{"\([a-z]*\)".*/counter \1 (\2)/p' |
        LC_ALL=C sort -u
}
for backend in vulkan_cnn qnn_cnn vgf_cnn ethosu_cnn nxp_cnn coreml_cnn; do
    folder=testdata/backends/$backend
    echo "$backend:"
    etinspect trace -f chrome $folder/run.etdp $folder/model.etrecord 2>/dev/null | names
done
qnn=testdata/backends/qnn_cnn
echo "filtered:"
etinspect trace -f chrome --filter 'event_name != "DDR spill"' $qnn/run.etdp $qnn/model.etrecord | names | grep -c counter
show etinspect trace -f chrome --runs 2 --args full --flows --filter 'event_name = "QNN (execute) time" or event_name =~ "DDR" or event_name = "aten_addmm_default" or event_name = "DELEGATE_CALL"' $qnn/run.etdp $qnn/model.etrecord
vulkan=testdata/backends/vulkan_cnn
show etinspect trace -f chrome --runs 2 --block Execute --filter 'event_name =~ "softmax|COMPUTE"' $vulkan/run.etdp $vulkan/model.etrecord
