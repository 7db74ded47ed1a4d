# Rows of one name differ by their module, source line or number, in sentences and in tables for people.
export LC_ALL=C.UTF-8
# place EVENT MODULE LINE [FOLDER] - gives an event the name addmm, a module, and a line of model.py
place() {
    sed "s|^kernel,native_call_$1.out,,,,,,,,,|kernel,native_call_addmm.out,,$2,,,,${3:+${4:-/src}/model.py},$3,,|"
}
places() {
    place conv layers.0.down 10 | place softmax layers.0.up 10 | place layer_norm layers.1 20 | place gelu layers.1 21
}
numbers() {
    place conv '' '' | place softmax '' '' | place layer_norm '' ''
}
history 8 >base.plain
SEED=2 history 8 conv 1.3 0 layer_norm 1.2 0 >new.plain
history 16 conv 1.3 8 layer_norm 1.2 8 >series.plain
for kind in places numbers; do
    for file in base new series; do
        $kind <$file.plain | baseline $file.csv
    done
    show etinspect diff base.csv new.csv --width 110
    show etinspect gate base.csv new.csv --width 110 --table checks
    etinspect gate base.csv new.csv | grep -o 'the pattern of.*'
    etinspect gate base.csv new.csv -f json | grep -o '"message": "native[^:]*'
    show etinspect trend series.csv --width 110 --table changes
    etinspect trend series.csv | head -n 1
done
# Events at one line of files that differ in their folders have numbers. Formats for programs have the bare names.
for file in base new; do
    place conv '' 12 /src/a <$file.plain | place softmax '' 12 /src/b | place layer_norm '' 12 /src/c | baseline $file.csv
done
show etinspect diff base.csv new.csv --width 110
etinspect diff base.csv new.csv --table events --sort event_name,event --top 2 -f markdown
etinspect diff base.csv new.csv --table events -f csv --columns event_name,event,verdict
etinspect gate base.csv new.csv --table checks -f csv --columns name,event,verdict
# Programs have the same columns, whether names repeat or not.
baseline plain-base.csv <base.plain
baseline plain-new.csv <new.plain
places <base.plain | baseline base.csv
places <new.plain | baseline new.csv
etinspect diff plain-base.csv plain-new.csv --table events -f csv | head -n 1 >columns
etinspect diff base.csv new.csv --table events -f csv | head -n 1 | cmp - columns
# Chosen columns are shown as they were chosen.
etinspect diff base.csv new.csv --table events --columns event_name,verdict --top 1
# The pattern that a gate names for --allow is one; the label is none.
printf 'pattern,reason\nlayers.0.down,wanted\nnative_call_addmm.out (layers.1),label\n' >allow.csv
etinspect gate --fail_on 'op:p50>+5%' --allow allow.csv base.csv new.csv | grep -v '^native\|^op\|^rule\|^[-─]'
