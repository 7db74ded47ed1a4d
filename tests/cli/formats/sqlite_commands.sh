# A command writes the same numbers to a database as in other formats, and a table never has rows of two commands.
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
conv=testdata/xnnpack-conv
files="$conv/run.etdp $conv/record.etrecord $conv/model.pte"
columns=block,event_name,p50,min,max,avg,self_time,module,op_type,attribution,instruction_id,run_count,calls

# shellcheck disable=SC2086
etinspect events -o events.db --label board=a $files
# shellcheck disable=SC2086
etinspect events -f tsv --no_include_units --columns $columns $files | sed 1d >expected
sqlite3 -separator "$(printf '\t')" events.db "SELECT $columns FROM events" >found
awk -F '\t' 'function differs(a, b) { return a != b && !(a + 0 != 0 && b + 0 != 0 && ((a - b) / b) ^ 2 < 1e-26) && !(a == "0.0" && b == "0.0") }
    NR == FNR { expected[FNR] = $0; n = FNR; next }
    { split(expected[FNR], cells); for (i = 1; i <= NF; i++) if (differs(cells[i], $i)) print "differs:", $i, cells[i] }
    END { print (n == FNR ? FNR " rows" : "other rows") }' expected found
sqlite3 events.db "SELECT event_name, p50, run_count FROM events WHERE event_name = 'Method::execute'" 'SELECT text FROM notes'
sqlite3 events.db "SELECT name FROM sqlite_schema ORDER BY name"

echo '--- tables of other commands go into the same file, other tables of the same name do not'
show etinspect events --append -o events.db --columns event_name,p50 $conv/run.etdp
show etinspect runs --append -o events.db $conv/run.etdp
sum=$(cksum <events.db)
refused etinspect --append -o events.db $conv/run.etdp
refused etinspect --append -o events.db --columns event_name,p50 $conv/run.etdp
refused etinspect alloc --append -o events.db testdata/allocation-events/run.etdp
[ "$sum" = "$(cksum <events.db)" ] && echo kept
sqlite3 events.db 'SELECT dump_id, "view", (SELECT count(*) FROM events e WHERE e.dump_id = d.dump_id) FROM dumps d'
etinspect --append -o runs.db $conv/run.etdp
refused etinspect events --append -o runs.db $conv/run.etdp
