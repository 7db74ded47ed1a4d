#!/bin/sh
# For mistyped names the nearest one is suggested: names of commands, options, columns, choices, groups, methods and blocks.
dump=testdata/mlp/run.etdp
record=testdata/mlp/record.etrecord
refused etinspect sumary $dump
refused etinspect Summary $dump
refused etinspect opss $dump
refused etinspect xyzzy $dump
refused etinspect sumary.etdp
refused etinspect help sumary
refused etinspect help inspect
refused etinspect $dump summary
refused etinspect --formt csv $dump
refused etinspect --Format csv $dump
refused etinspect -F csv $dump
refused etinspect -format csv $dump
refused etinspect --etdump $dump --top5
refused etinspect ops --filtr 'p50 > 1' $dump
refused etinspect ops --depth 3 $dump
refused etinspect --color never check --format json $dump
refused etinspect --format jsn $dump
refused etinspect --format JSON $dump
refused etinspect --format md $dump
refused etinspect --format markdwon $dump
refused etinspect --target_time_scale msec $dump
refused etinspect --target_time_scale µs $dump
refused etinspect --color allways $dump
refused etinspect --delegate_metadata hexa $dump
refused etinspect --delegate_time_scale QnnBackend=cycle $dump
refused etinspect ops --columns totl $dump
refused etinspect ops --columns op,Total $dump
refused etinspect ops --columns 'op total' $dump
refused etinspect ops --columns '' $dump
refused etinspect ops --columns op,op $dump
refused etinspect --columns p50,evnt_name $dump
refused etinspect ops --sort totl $dump
refused etinspect ops --sort total:down $dump
refused etinspect ops --sort total,desc $dump
show etinspect ops --filter 'totl > 1' $dump
show etinspect ops --filter 'op == addmm' $dump
show etinspect ops --filter 'op = "x" &&' $dump
show etinspect ops --filter 'total ~ 1' $dump
refused etinspect --group ops $dump
refused etinspect --group modul $dump
refused etinspect --group module:x $dump
refused etinspect --group moduel:2 $dump
refused etinspect --group optype $dump
refused etinspect diff --group ops $dump $dump
refused etinspect diff --group moduls $dump $dump
refused etinspect diff --group block $dump $dump
refused etinspect --method forwrad $dump $record
refused etinspect summary --method encod testdata/multi-method/run.etdp testdata/multi-method/record.etrecord
refused etinspect --block Exceute $dump
refused etinspect diff --block exceute $dump $dump
refused etinspect baseline save out.csv --block Exceute $dump
refused etinspect graph --graph exported_progrm $dump $record
refused etinspect graph --graph x $dump
refused etinspect baseline sav out.csv $dump
refused etinspect baseline $dump
