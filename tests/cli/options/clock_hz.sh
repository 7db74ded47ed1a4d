#!/bin/sh
# Cycles are converted to time by the frequency of their clock: at 1 GHz a cycle is a nanosecond.
mlp=testdata/mlp
etinspect --clock_hz 1GHz $mlp/run.etdp $mlp/record.etrecord | cmp - $mlp/table.txt
etinspect --clock_hz=1e9 --source_time_scale cycles $mlp/run.etdp $mlp/record.etrecord | cmp - $mlp/table.txt
etinspect --clock_hz 1000MHz --target_time_scale us $mlp/run.etdp $mlp/record.etrecord | cmp - $mlp/table-us.txt
etinspect --clock_hz 1MHz --target_time_scale us --format csv $mlp/run.etdp | cut -d , -f 1-8,10 >found
etinspect --source_time_scale cycles --target_time_scale cycles --format csv $mlp/run.etdp | cut -d , -f 1-8,10 |
    sed 's/ (cycles)/ (us)/g' | cmp - found
for frequency in 0 -1 x 1THz 1e99 inf nan ''; do
    refused etinspect --clock_hz="$frequency" $mlp/run.etdp
done
refused etinspect --clock_hz 1GHz --source_time_scale ns $mlp/run.etdp
