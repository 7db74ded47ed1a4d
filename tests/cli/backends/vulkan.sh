# Nodes come from the graph in the program, weights belong to the modules that use them, and numbers of a process are no
# difference.
vulkan=testdata/backends/vulkan_se
columns=event_name,op_type,module,debug_handles,attribution
show etinspect events --block Execute --skip_first 0 -f csv --columns $columns --filter 'attribution is not none' $vulkan/run.etdp $vulkan/model.etrecord $vulkan/model.pte
show etinspect size -f csv --columns category,bytes,module $vulkan/model.pte $vulkan/model.etrecord
show etinspect check $vulkan/run.etdp $vulkan/model.etrecord $vulkan/model.pte | grep -E 'delegate_map|operators are known'
show etinspect diff testdata/backends/vulkan_shifted/base.etdp testdata/backends/vulkan_shifted/shifted.etdp | grep -cE 'added|removed'
