# Beside other runs, a run called Default is loading, whatever its events are called: only rules about loading judge it.
capture() {
    events='{"profile_event":{"name":"load weights","instruction_id":0,"start_time":1000,"end_time":'$1'}}'
    runs='{"name":"Default","events":['$events']}'
    for i in 1 2 3 4 5 6; do
        events='{"profile_event":{"name":"layer","instruction_id":0,"start_time":'$i'000000,"end_time":'$i'00100'$i'}}'
        runs=$runs',{"name":"Execute","events":['$events']}'
    done
    echo '{"run_data":['"$runs"']}'
}
for i in 1 2 3 4 5; do
    capture "1392$i" | make-etdump "base$i.etdp"
    capture "2744$i" | make-etdump "new$i.etdp"
done
show etinspect summary base1.etdp
show etinspect summary base1.etdp --block Default
set --
for i in 1 2 3 4 5; do
    set -- "$@" --base "base$i.etdp" --new "new$i.etdp"
done
show etinspect gate "$@"
show etinspect gate "$@" --fail_on 'loading:p50>+5%'
