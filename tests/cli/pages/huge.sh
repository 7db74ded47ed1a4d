#!/bin/sh
# A profile whose tables are larger than a page may be has a page, with the first rows of each table.
awk 'BEGIN {
    printf "{\"version\": 0, \"run_data\": [{\"name\": \"Execute\", \"events\": ["
    for (i = 0; i < 20000; i++) {
        start = 1000 + 40 * i + i * i % 11
        printf "%s{\"profile_event\": {\"name\": \"native_call_%d\", \"chain_index\": 0, \"instruction_id\": %d, \"start_time\": %d, \"end_time\": %d}}", i ? "," : "", i, i, start, start + 10 + i * i % 7
    }
    print "]}]}"
}' | make-etdump huge.etdp
for size in 300000 620000; do
    show etinspect report --max_size $size huge.etdp -o huge.html
    [ "$(wc -c <huge.html)" -le $size ] && [ "$(wc -c <huge.html)" -gt $((size / 2)) ] && echo 'most of the space is used'
    grep -o '"left_out": .*' huge.html | sed 's/first [0-9]*/first N/'
done
# rows are whole unless "left_out" says otherwise, also if equal columns make the page smaller than their cells
for size in 400000 550000 620000 20000000; do
    etinspect report --max_size $size huge.etdp -o whole.html
    grep -o '"left_out": .*' whole.html | sed 's/first [0-9]*/first N/'
    grep -o '"n": [0-9]*, "columns"' whole.html | sort | uniq -c | sed 's/^ *//'
done
