# The scratch memory of a call is in the payload, and is no part of the planned arenas.
program=testdata/backends/ethosu_cnn/model.pte
show etinspect memory $program
show etinspect memory --at 0 --columns value,bytes $program
show etinspect memory --at 1 --columns value,bytes $program
show etinspect program --columns method,planned,peak --table methods $program
show etinspect memory --table delegates -f csv $program

# The time of the accelerator belongs to the call, not to operators outside of the modules.
folder=testdata/backends/ethosu_cnn
show etinspect layers --columns layer,share,source $folder/run.etdp $folder/model.etrecord
show etinspect summary --block Execute $folder/run.etdp $folder/model.etrecord | head -n 5
