#!/bin/sh
# Formats for continuous integration take findings, not columns: hiding columns beside a table changes nothing and is
# rejected alone; selecting rows does change them.
save() { # BYTES FILE
    printf '%s\n' time_scale,ns 'block,Execute,,8,0,1;2;3;4;5;6;7' \
        'execute,Method::execute,,,,,,,,,900;901;902;903;904;905;906;907' "allocated,allocated,,,,,,,,,$1" | baseline "$2"
}
save '4096;4096;4096;4096;4096;4096;4096;4096' base.csv
save '6144;6144;6144;6144;6144;6144;6144;6144' more.csv
gate() {
    etinspect gate base.csv more.csv --fail_on 'allocation:p50>+1%' --fail_on 'total:p50>+5%' "$@"
}
for format in junit github benchmark; do
    gate --format $format >all
    refused etinspect gate base.csv more.csv --format $format --columns name
    gate --report $format=few --columns name >table
    cmp all few && echo "$format: the same"
done
gate --format junit --filter 'verdict = "passed"'
gate --format benchmark --sort name:desc --top 1
