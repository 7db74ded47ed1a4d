#!/bin/sh
# All scales that can be converted are, with the Inspector's results; cycles convert only to cycles.
show_scale() {
    etinspect --source_time_scale "$1" --target_time_scale "$2" --format tsv testdata/delegate-ids/run.etdp >found.tsv
    echo "$1: $(awk -F '\t' 'NR == 1 || NR == 3 || NR == 5 { printf "%s ", $4 }' found.tsv)"
}
for source in ns us ms s; do
    for target in ns us ms s; do
        show_scale $source $target
    done
done
show_scale cycles cycles
