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

# Work and rates: of a perceptron's kernels, and of the dispatches that Vulkan logged. One event of unknown work empties a row.
rates=op,kernel,flop,traffic,flop_rate,byte_rate
vulkan=testdata/backends/vulkan_cnn
show etinspect ops --kernels --columns $rates -f tsv testdata/mlp/run.etdp testdata/mlp/record.etrecord
show etinspect ops --kernels --columns $rates,dtypes,compute_unit --skip_first 1 -f tsv $vulkan/run.etdp $vulkan/model.etrecord $vulkan/model.pte
show etinspect ops --kernels --columns $rates --filter 'flop > 0' -f tsv $conv
# Time in cycles has no rates.
show etinspect ops --kernels --columns $rates --filter 'flop > 0' -f csv --source_time_scale cycles --target_time_scale cycles testdata/mlp/run.etdp testdata/mlp/record.etrecord
# The peak that decides
for peaks in '--peak_flops 20G --peak_bandwidth 8G' '--peak_flops 500M --peak_bandwidth 0.05T' '--peak_flops 20e9' '--peak_bandwidth 8G'; do
    show etinspect ops --kernels $peaks --columns kernel,of_peak,bound_by -f csv testdata/mlp/run.etdp testdata/mlp/record.etrecord
done
show etinspect events --peak_flops 20G --peak_bandwidth 8G --width 100 testdata/mlp/run.etdp testdata/mlp/record.etrecord
for peak in 0 -1 2X 2GG G 1e400 nan 2GB 0.5; do
    refused etinspect ops --kernels --peak_flops $peak $conv
done
refused etinspect ops --peak_flops 2G $conv
refused etinspect ops --peak_bandwidth 2G $conv
refused etinspect tree --peak_bandwidth 2G $conv

# A program contains nothing about kernels.
refused etinspect ops --kernels testdata/xnnpack-conv/model.pte
refused etinspect ops --kernels --emit_ops $conv
refused etinspect ops --kernels --available /dev/null $conv
refused etinspect tree --kernels $conv
refused etinspect ops --kernels --group op $conv
