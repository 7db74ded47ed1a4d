#!/bin/sh
# Values that an option cannot take: the message names the given value and the allowed ones.
dump=testdata/mlp/run.etdp
refused etinspect ops --top -1 $dump
refused etinspect ops --top=-1 $dump
refused etinspect ops --top 0 $dump
refused etinspect ops --top five $dump
refused etinspect ops --top 1.5 $dump
refused etinspect ops --top 99999999999999999999 $dump
refused etinspect ops --top
refused etinspect ops --top= $dump
refused etinspect --skip_first 99 $dump
refused etinspect --skip_first -1 $dump
refused etinspect --threads 0 $dump
refused etinspect --threads 1000 $dump
refused etinspect --width 0 $dump
refused etinspect tree --depth 0 $dump
refused etinspect tree --fold 101 $dump
refused etinspect diff --alpha 0 $dump $dump
refused etinspect diff --alpha 5 $dump $dump
refused etinspect diff --alpha=-1 $dump $dump
refused etinspect diff --beta 95 $dump $dump
refused etinspect diff --least_effect x $dump $dump
refused etinspect diff --margin 0 $dump $dump
refused etinspect --clock_hz 0 $dump
refused etinspect --clock_hz 1.2ghz $dump
refused etinspect --source_time_scale cycles $dump
refused etinspect --source_time_scale us --clock_hz 1MHz $dump
refused etinspect --label device $dump --format json
refused etinspect --label =x $dump --format json
refused etinspect --label a=1 --label a=2 --format json $dump
refused etinspect --output '' $dump
refused etinspect --output -o $dump
refused etinspect --split_variants=yes $dump
refused etinspect summary --split_variants=yes $dump
refused etinspect --format
refused etinspect --compare_results $dump
refused etinspect --group op --module Linear $dump
refused etinspect --append --output out.db --format sqlite --append=1 $dump
refused etinspect --append --format sqlite $dump
refused etinspect --output out.json --format csv $dump
refused etinspect --output no/such/folder/out.json $dump
refused etinspect --output testdata $dump
refused etinspect --output $dump $dump
refused etinspect --tsv_path x.tsv --csv_path x.tsv $dump
refused etinspect --sandbox --format sqlite $dump
refused etinspect --sandbox --output out.json $dump
refused etinspect --format junit $dump
refused etinspect --format dot $dump
refused etinspect gate --format dot $dump $dump
refused etinspect gate --report junit $dump $dump
refused etinspect gate --report jnit=gate.xml $dump $dump
refused etinspect gate --report =gate.xml $dump $dump
refused etinspect gate --source_map x $dump $dump
refused etinspect measure --new true --base 'true {}'
refused etinspect measure --new '' 
refused etinspect measure
refused etinspect measure ./old ./new
refused etinspect measure --new "'x {}"
refused etinspect measure --new 'x {}' --pairs 0
refused etinspect measure --new 'x {}' --base 'y {}' --margin 0
refused etinspect measure --new 'x {}' --fail_on 'total:p50>+5%'
refused etinspect measure --new 'nosuchprogram {}' --pairs 1
