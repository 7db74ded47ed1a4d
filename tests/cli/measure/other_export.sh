#!/bin/sh
# An ETRecord of another export: the report says so, and the last line of standard error; with --strict it is refused.
measure() {
    rm -f processes
    etinspect measure --base 'act-as-model {}' --new 'act-as-model {}' --warmup 0 --seed 2 --pairs 6 "$@" >out 2>err
    echo "exit $?"
    grep -c 'from another export' out
    tail -n 1 err
}
measure --etrecord_path testdata/delegate-ids/record.etrecord
measure --etrecord_path testdata/delegate-ids/record.etrecord --strict
# JSON has it, too.
measure --etrecord_path testdata/delegate-ids/record.etrecord --format json
