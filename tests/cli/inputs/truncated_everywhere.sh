#!/bin/sh
# Cut at any byte, a file never causes a crash or a table of garbage.
# cut_everywhere FILE STEP COMMAND... - the command finds the remaining bytes in ./cut.bin.
cut_everywhere() {
    file=$1
    step=$2
    shift 2
    size=$(wc -c <"$file")
    [ -z "${RUNNER-}" ] || step=$((step * 14))
    length=0
    while [ $length -lt "$size" ]; do
        head -c $length "$file" >cut.bin
        "$@" >found 2>&1
        status=$?
        if [ $status != 3 ] || [ "$(wc -l <found)" != 1 ]; then
            echo "$file cut at $length: exit status $status: $(head -c 200 found)"
        fi
        length=$((length + step))
    done
}

small=testdata/small
cut_everywhere testdata/allocation-events/run.etdp 7 etinspect cut.bin
cut_everywhere $small/run.etdp 23 etinspect cut.bin $small/record.etrecord
cut_everywhere $small/record.etrecord 211 etinspect $small/run.etdp cut.bin
# The last bytes are the end of the ZIP's directory, where the search for it begins.
size=$(wc -c <$small/record.etrecord)
for missing in 1 2 3 20 21 22 23; do
    head -c $((size - missing)) $small/record.etrecord >cut.bin
    etinspect $small/run.etdp cut.bin >found 2>&1
    status=$?
    [ $status = 3 ] && [ "$(wc -l <found)" = 1 ] || echo "without the last $missing bytes: exit status $status"
done
