# An event that runs several times in a run, as in a loop, has the sum of these calls in events and runs --events: its time is
# never less than its self time. The Inspector's table and the rows of many ETDumps have the last call.
dump=testdata/control-flow/run.etdp
select='event_name == "native_call_select_copy.int_out"'
show etinspect runs --events --filter "$select" --columns block,run,calls,elapsed,self,start_time $dump
show etinspect events --filter "$select" --columns block,event_name,p50,min,max,self_time,calls,run_count $dump
show etinspect events --columns event_name,p50 --top 1 --block Default $dump
for name in control-flow control-flow-chains transformer; do
    etinspect runs --events -f csv --columns block,calls,elapsed,self testdata/$name/run.etdp |
        awk -F , -v name=$name 'NR > 1 { n++; several += $2 > 1; bad += $3 - $4 < -1e-12 } END { print name ": " n " events, " several + 0 " with several calls, " bad + 0 " with less time than self time" }'
done
echo '--- both have the same calls'
etinspect runs --events -f csv --columns calls --filter 'event_name != "OPERATOR_CALL"' $dump | awk 'NR > 1 { n += $1 } END { print n }'
etinspect events -f csv --columns calls --skip_first 0 $dump | awk 'NR > 1 { n += $1 } END { print n }'
echo '--- the last call'
etinspect rows -f csv --columns block,run,elapsed,start --filter "$select" $dump
etinspect -f csv --columns event_block_name,p50,raw --filter "$select" $dump
