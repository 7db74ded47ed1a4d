# Drawings of the graph: which pages have them, and for which depths.
t=testdata/transformer
depths() {
    echo "$1: $(grep -o '^{"depth": [0-9]' "$2" | tr -dc '0-9\n' | tr '\n' ' ')"
}
etinspect report $t/run.etdp $t/record.etrecord -o all.html
depths 'with the ETRecord' all.html
grep -c '^"event_nodes": \[$' all.html
etinspect report $t/run.etdp -o dump.html
depths 'without' dump.html
etinspect graph $t/run.etdp $t/record.etrecord -o graph.html
depths 'the graph alone' graph.html
etinspect graph $t/run.etdp $t/record.etrecord --sort total -o sorted.html
depths 'rows in another order' sorted.html
etinspect graph $t/run.etdp $t/record.etrecord --filter 'share>0' -o some.html
depths 'some rows' some.html
size=$(wc -c <all.html)
etinspect report $t/run.etdp $t/record.etrecord --max_size $((size - 1)) -o small.html
depths 'small' small.html
# Of several methods, the drawing names its own, and has the time of the others apart from what belongs to no single box.
etinspect report -o methods.html testdata/multi-method/run.etdp testdata/multi-method/record.etrecord 2>/dev/null
grep -o '"depth": [0-9]\|"rest_[^,]*\|"method": [^,]*, "other_[^,]*, "other_[^,]*' methods.html
