#!/bin/sh
# At whatever byte: never a crash, never a table of garbage.
size=$(wc -c <testdata/allocation-events/run.etdp)
length=0
step=7
[ -z "${RUNNER-}" ] || step=97
while [ $length -lt "$size" ]; do
    head -c $length testdata/allocation-events/run.etdp >cut.etdp
    etinspect cut.etdp >found 2>&1
    status=$?
    if [ $status != 3 ] || [ "$(wc -l <found)" != 1 ]; then
        echo "cut at $length: exit status $status: $(head -c 200 found)"
    fi
    length=$((length + step))
done
