#!/bin/sh
# Files in the wrong place, of the wrong kind, or too few.
dump=testdata/mlp/run.etdp
record=testdata/mlp/record.etrecord
etinspect baseline save base.csv $dump
: >empty
echo hello >note.txt
printf '{"a": 1}' >a.json
head -c 100 $dump >cut.etdp
refused etinspect $record
refused etinspect summary $record
refused etinspect --etrecord_path $record
refused etinspect --etdump_path $record
refused etinspect --etdump_path $record --etrecord_path $dump
refused etinspect --etrecord_path $dump
refused etinspect --etdump_path $dump --etrecord_path $dump
refused etinspect --etdump_path base.csv
refused etinspect --etdump_path note.txt --etrecord_path $record
refused etinspect --etdump_path $dump --etrecord_path note.txt
refused etinspect --etdump_path $dump --debug_buffer_path $record
refused etinspect --etdump_path $dump --debug_buffer_path $dump
refused etinspect --etdump_path testdata/mlp/debug_buffer.bin --debug_buffer_path $dump
refused etinspect $dump testdata/mlp/debug_buffer.bin
refused etinspect $dump $record $record
refused etinspect $dump base.csv
refused etinspect summary base.csv
refused etinspect missing.etdp
refused etinspect ''
refused etinspect empty
refused etinspect note.txt
refused etinspect a.json
refused etinspect cut.etdp
refused etinspect testdata
refused etinspect - - 
refused etinspect check
refused etinspect check note.txt
refused etinspect check base.csv
refused etinspect diff
refused etinspect diff $dump
refused etinspect diff base.csv
refused etinspect diff $record $dump
refused etinspect diff $dump $dump $dump
refused etinspect diff --base $dump
refused etinspect diff --new $dump
refused etinspect diff --base $record --new $dump
refused etinspect diff $dump note.txt
{ etinspect diff testdata/mlp-many-runs/run.etdp base.csv >/dev/null; } 2>&1
refused etinspect diff --block Execute base.csv $dump
refused etinspect gate
refused etinspect gate $dump
{ etinspect gate testdata/mlp-many-runs/run.etdp base.csv >/dev/null; } 2>&1
refused etinspect gate --base $dump --new base.csv
refused etinspect noise
refused etinspect noise $dump
refused etinspect noise $dump $dump
refused etinspect noise $dump testdata/transformer/run.etdp
refused etinspect trend
refused etinspect trend $dump
refused etinspect trend $record
refused etinspect baseline
refused etinspect baseline save
refused etinspect baseline save out.csv
refused etinspect baseline save $dump
refused etinspect baseline save $dump $record
cp $dump kept.etdp
refused etinspect baseline save kept.etdp $dump
cmp kept.etdp $dump
refused etinspect baseline save out.csv $record
refused etinspect baseline save out.csv note.txt
refused etinspect baseline save - --append $dump
refused etinspect baseline save note.txt --append $dump
refused etinspect baseline save no/such/folder/base.csv $dump
refused etinspect baseline show
refused etinspect baseline show $record
refused etinspect baseline show note.txt
refused etinspect baseline merge out.csv
refused etinspect baseline merge out.csv base.csv base.csv
# A format that the command cannot write is refused before the inputs are read.
refused etinspect report -o q.json missing.etdp
refused etinspect summary -f dot missing.etdp
refused etinspect graph -o graph.pftrace missing.etdp
refused etinspect gate -f chrome missing.csv missing.csv
refused etinspect gate --report dot=x.dot missing.csv missing.csv
refused etinspect measure --base 'y {}' --new 'x {}' --fail_on 'total:p50>1s' --report chrome=x.json
