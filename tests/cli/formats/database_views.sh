# A database of one profile gives the same answers as the program.
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }

# ask DATABASE SQL
ask() {
    sqlite3 -separator "$(printf '\t')" "$1" "$2"
}

# same QUESTION SQL ARGUMENT... - text columns must be equal, and numbers equal to the precision that the database prints.
# The program's answer is its TSV without the names and, for events, without the row numbers.
same() {
    question=$1
    ask "$database" "$2" >found
    shift 2
    # shellcheck disable=SC2086
    etinspect "$@" --format tsv $files | awk 'NR == 1 { has_number = /^\t/ } NR > 1 { if (has_number) sub(/^[^\t]*\t/, ""); print }' >expected
    awk -F '\t' -v question="$question" '
        function differs(a, b) { return a != b && !(a + 0 != 0 && b + 0 != 0 && ((a - b) / b) ^ 2 < 1e-26) && !(a == "0.0" && b == "0.0") }
        NR == FNR { expected[FNR] = $0; n = FNR; next }
        { n_found = FNR; n_cells = split(expected[FNR], cells); if (n_cells != NF) bad = 1
          for (i = 1; i <= NF; i++) if (differs(cells[i], $i)) bad = 1 }
        END { print question ": " (n == 0 || n != n_found || bad ? "differs" : "the same") }' expected found
}

for case in mlp xnnpack-conv transformer; do
    files="testdata/$case/run.etdp testdata/$case/record.etrecord"
    database=$case.db
    echo "$case"
    # shellcheck disable=SC2086
    etinspect --format sqlite --samples --label build="$case" --output "$database" $files

    same 'Which operators cost most?' \
        'SELECT op, typical, share, cumulative, avg, min, max, events, calls, total FROM op_list ORDER BY rank LIMIT 3' \
        --group op --top 3 --columns op,typical,share,cumulative,avg,min,max,events,calls,total
    same 'Which modules?' \
        'SELECT module, total, share FROM module_list' \
        --group module --columns module,total,share
    same 'Which source lines?' \
        'SELECT source, total, share FROM source_list' \
        --group source --columns source,total,share
    same 'How much of the time is delegated, and to which backend?' \
        'SELECT backend, total, share FROM backend_list' \
        --group backend --columns backend,total,share
    same 'How many events ran outside a delegate?' \
        "SELECT events, calls FROM backend_list WHERE backend = '(not delegated)'" \
        --group backend --filter "backend = '(not delegated)'" --columns events,calls
    same 'Where did the rest of Method::execute go?' \
        "SELECT op, total, share FROM op_list WHERE op IN ('(framework)', '(delegate, not logged)')" \
        --group op --filter "op = '(framework)' or op = '(delegate, not logged)'" --columns op,total,share
    same 'How long does a run take?' \
        'SELECT event_block_name, p50, avg, min, max FROM run_times' \
        --filter "event_name = 'Method::execute'" --columns event_block_name,p50,avg,min,max
    same 'How long does loading take?' \
        'SELECT event_name, avg FROM load_times' \
        --filter "event_name = 'Method::init' or event_name = 'Program::load_method'" --columns event_name,avg
    same 'Which operator is each event?' \
        'SELECT event_name, op_type, instruction_id FROM event_list ORDER BY event_id' \
        --columns event_name,op_type,instruction_id
    same 'Which event is the slowest, and how much does it vary?' \
        "SELECT event_name, p10, p50, p90 FROM event_list WHERE event_name != 'Method::execute' ORDER BY p50 DESC LIMIT 5" \
        --filter "event_name != 'Method::execute'" --columns event_name,p10,p50,p90 --sort p50:desc --top 5
    ask "$database" "SELECT run, elapsed FROM sample_list WHERE event_name = 'Method::execute' ORDER BY event_id, run" >runs
    echo "every run: $(wc -l <runs)"
    same 'Which runs were slow?' \
        "SELECT run, elapsed FROM sample_list WHERE event_name = 'Method::execute' ORDER BY elapsed DESC LIMIT 3" \
        runs --columns run,elapsed --sort elapsed:desc --top 3
done
