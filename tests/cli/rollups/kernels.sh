# The kernel that ran each operator; the rows of an operator add up to its row in `ops`.
# shellcheck disable=SC2086 # a variable holds the names of several files
conv="testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord testdata/xnnpack-conv/model.pte"
small="testdata/transformer/run.etdp testdata/transformer/record.etrecord"
show etinspect ops --kernels $conv
show etinspect ops --kernels --format tsv --columns op,kernel,events,calls $small
# an ETDump alone: only logged names
show etinspect ops --kernels --format tsv --columns op,kernel,events,calls testdata/xnnpack-conv/run.etdp
show etinspect ops --kernels --filter 'kernel =~ "IGEMM|native"' --sort op --columns op,kernel,share --format markdown $conv
show etinspect ops --kernels --list_columns $conv

# sums INPUT... - prints the total of each operator that has events; the name comes last, since one contains a tab
sums() {
    etinspect ops "$@" --format tsv --filter 'events > 0' --columns events,calls,total,share,op |
        awk -F '\t' 'NR > 1 { events[$5] += $1; calls[$5] += $2; total[$5] += $3; share[$5] += $4; all += $4 }
            END { for (op in events) printf "%s %d %d %.9f %.6f\n", op, events[op], calls[op], total[op], share[op]
                  printf "all %.6f\n", all }' | sort
}
for inputs in "$conv" "$small" testdata/xnnpack-conv/run.etdp testdata/delegate-ids/run.etdp; do
    sums $inputs >operators
    sums --kernels $inputs >kernels
    cmp operators kernels && grep -c . kernels && grep '^all' kernels
done
for format in json ndjson csv tsv markdown table text; do
    etinspect ops --kernels --format $format $conv | grep -c IGEMM
done
etinspect ops --kernels -o kernels.db $conv
command -v sqlite3 >/dev/null && sqlite3 kernels.db 'SELECT count(*), printf("%.6f", sum(share)) FROM kernels'

# A program contains nothing about kernels.
refused etinspect ops --kernels testdata/xnnpack-conv/model.pte
refused etinspect ops --kernels --emit_ops $conv
refused etinspect ops --kernels --available /dev/null $conv
refused etinspect tree --kernels $conv
refused etinspect ops --kernels --group op $conv
