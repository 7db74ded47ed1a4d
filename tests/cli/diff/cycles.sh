# An event that a delegate counted in cycles is compared in cycles: its part of the time of the call is no measurement of it.
cp testdata/backends/qnn_cnn/run.etdp dump.etdp
flatc --json --strict-json --size-prefixed --raw-binary "$SCHEMA/etdump.fbs" -- dump.etdp
# record FILE NUMBER PER_CENT: the k-th event in cycles takes 10000 + 500 k, up to 0.5 % more or less in each file; the first
# operator takes PER_CENT of that. The time of the call stays as it is.
record() {
    awk -v file="$2" -v share="$3" '
    /"delegate_debug_id_str"/ { event = $0 }
    /"name"/ { k = 0 }
    /"end_time"/ && event ~ /QNN .execute. time/ { sub(/[0-9]+/, 3001 + 7 * file % 11) }
    /"end_time"/ && event ~ /OpId_.*cycles/ {
        cycles = 10000 + 500 * ++k + (7 * file + 13 * k) % 11 * 10 - 50
        sub(/[0-9]+/, int(event ~ /OpId_20 / ? cycles * share / 100 : cycles))
    }
    /"end_time"/ { event = "" }
    { print }' dump.json | make-etdump "$1"
}
base='' new='' same=''
for i in 1 2 3 4 5 6; do
    record a$i.etdp $i 100 && record b$i.etdp $((i + 6)) 120 && record c$i.etdp $((i + 6)) 100
    base="$base --base a$i.etdp" new="$new --new b$i.etdp" same="$same --new c$i.etdp"
done
model=testdata/backends/qnn_cnn/model.etrecord
columns=verdict,event_name,change,base,new,base_value,new_value,unit,share_new,impact
# shellcheck disable=SC2086
compare() { # COMMAND OPTION...: without the names of the files
    command=$1
    shift
    transcript-line etinspect "$command" ... "$@"
    etinspect "$command" $sides $model "$@"
    status=$?
    [ $status = 0 ] || echo "exit $status"
}
sides="$base $new"
compare diff
compare diff --format csv --table events --columns $columns
echo '# nothing changed'
sides="$base $same"
compare diff --table events
echo '# groups have one unit'
sides="$base $new"
compare diff --group op --all --table groups --columns verdict,op,base,new,base_value,new_value,unit
echo '# a limit in time does not apply to cycles'
compare gate --fail_on 'op:p50>+5%' --table checks
compare gate --fail_on 'op:p50>+5%' --format json | grep -Eo '"(message|base_count)": [^,]*' | sed 2q
compare gate --fail_on 'op:p50>5s' --fail_on 'op=aten.conv*:p50>+5us' --fail_on 'op:p50>+5% min_effect=1us' --table rules
echo '# a frequency makes cycles time'
compare diff --delegate_time_scale 600MHz --table events --columns $columns --filter 'event_name == "aten_relu_default"' --all
echo '# the frequency of one side only'
for i in 1 2 3 4 5 6; do
    etinspect baseline save a$i.csv a$i.etdp $model
done
etinspect baseline merge a.csv a?.csv
grep aten_relu a.csv | cut -d , -f 1,2,12-13,21-
sides="a.csv $new"
compare diff --table events --columns $columns
compare diff --delegate_time_scale 600MHz --table events 2>&1
compare gate --delegate_time_scale 600MHz --fail_on 'op:p50>+5%' 2>&1
compare diff --delegate_time_scale 600MHz --allow_unlike --table events --columns $columns,reason --filter 'event_name =~ "relu|RPC"' --all
echo '# one file, and many'
show etinspect baseline show a.csv --columns event_name,avg,value,unit --filter 'event_name =~ "relu|RPC"'
show etinspect noise a.csv --table events --filter 'event_name =~ "relu|RPC"'
for i in $(seq 20); do
    record "push$i.etdp" "$i" $((i > 9 ? 120 : 100))
    etinspect baseline save --label job="$i" --append history.csv "push$i.etdp" $model
done
show etinspect trend history.csv --table changes
show etinspect trend history.csv --format csv --table events --columns event_name,first,last,first_value,last_value,time,share,unit --filter 'event_name =~ "relu|RPC"'
show etinspect trend history.csv --format csv --table series --columns event_name,number,time,value,unit --filter 'event_name =~ "relu|RPC" and number < 2'
# The cost of measuring mixes cycles with ticks of the processor.
etinspect baseline save nxp.csv testdata/backends/nxp_cnn/run.etdp testdata/backends/nxp_cnn/model.etrecord
show etinspect baseline show nxp.csv --table entries --columns event_name,avg,value,unit --filter 'event_name =~ "#1|Profiling"'
