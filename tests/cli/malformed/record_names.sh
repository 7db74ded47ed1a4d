#!/bin/sh
# Members are identified by their names and never unpacked: a name that leads elsewhere is like any other name.
mlp=testdata/mlp
LC_ALL=C sed 's,exported_program_constants,../../../../etinspect_here,g
    s,exported_program_state_dict,/tmp/etinspect_was_here_abc,g' $mlp/record.etrecord >record.etrecord
unzip -l record.etrecord | grep -c etinspect_
show etinspect $mlp/run.etdp record.etrecord --output found.txt
cmp found.txt $mlp/table.txt
show etinspect check record.etrecord
find . -name 'etinspect*' | sort
for place in ../../../../etinspect_here /tmp/etinspect_was_here_abc; do
    [ ! -e $place ] || echo "BUT there is $place"
done
echo '# a name that only the directory has'
LC_ALL=C sed 's,delegate_map,delegate_mAp,2' $mlp/record.etrecord >record.etrecord
refused etinspect $mlp/run.etdp record.etrecord
