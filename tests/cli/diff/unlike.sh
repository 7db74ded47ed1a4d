# Sides that differ are compared only on request.
dump=testdata/mlp/run.etdp
etinspect baseline save a.csv $dump --label device=a --label commit=1
etinspect baseline save b.csv $dump --label device=b --label commit=2
etinspect baseline save c.csv $dump --label device=a --label commit=3
etinspect baseline save none.csv testdata/mlp-many-runs/run.etdp
etinspect baseline save us.csv $dump --source_time_scale us
refused etinspect diff a.csv b.csv
refused etinspect diff a.csv "$dump" --label device=b --label commit=2
refused etinspect gate a.csv "$dump" --label device=b
refused etinspect diff a.csv "$dump"
show etinspect diff "$dump" a.csv
refused etinspect baseline merge d.csv a.csv none.csv
refused etinspect diff a.csv "$dump" --block Execute
refused etinspect diff a.csv us.csv
refused etinspect baseline merge d.csv a.csv b.csv
refused etinspect baseline merge d.csv a.csv us.csv --allow_unlike
refused etinspect diff testdata/multi-method/run.etdp testdata/multi-method/record.etrecord testdata/multi-method/run.etdp \
    testdata/multi-method/record.etrecord --method nothing
etinspect baseline save forward.csv testdata/multi-method/run.etdp testdata/multi-method/record.etrecord --method forward
etinspect baseline save encode.csv testdata/multi-method/run.etdp testdata/multi-method/record.etrecord --method encode
refused etinspect diff forward.csv encode.csv
refused etinspect diff a.csv c.csv --target_time_scale cycles
# Files of two programs do not form a side, nor a baseline.
refused etinspect diff --base $dump --base testdata/transformer/run.etdp --new testdata/mlp-many-runs/run.etdp
refused etinspect gate --base testdata/mlp-many-runs/run.etdp --new testdata/transformer/run.etdp --new $dump
refused etinspect baseline save d.csv $dump testdata/transformer/run.etdp
etinspect baseline save transformer.csv testdata/transformer/run.etdp
refused etinspect baseline merge d.csv none.csv transformer.csv
show test -e d.csv
etinspect baseline save d.csv $dump testdata/transformer/run.etdp --allow_unlike && grep -c '^file,' d.csv
for sides in 'a.csv c.csv' "a.csv $dump --label device=a" "$dump $dump --label device=a" "a.csv $dump --label device=a --block all" \
    "a.csv $dump --allow_unlike" \
    "--base $dump --base testdata/transformer/run.etdp --new testdata/mlp-many-runs/run.etdp --allow_unlike" \
    'a.csv b.csv --allow_unlike' 'forward.csv encode.csv --allow_unlike'; do
    # shellcheck disable=SC2086
    etinspect diff $sides --format json >/dev/null && echo "compared: $sides"
done
# The stamps of delegates must have been read in the same unit; the baseline keeps it.
etinspect baseline save delegates.csv testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord \
    --delegate_time_scale us && sed -n 2p delegates.csv
refused etinspect diff delegates.csv testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord
refused etinspect baseline save --append delegates.csv testdata/delegate-ids/run.etdp
etinspect diff delegates.csv testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --delegate_time_scale us \
    --format json >/dev/null && echo compared
