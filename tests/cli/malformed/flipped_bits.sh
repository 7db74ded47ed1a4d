#!/bin/sh
# A dump with one changed byte: an answer or a message, never a crash.
dump=testdata/allocation-events/run.etdp
size=$(wc -c <$dump)
at=0
step=5
[ -z "${RUNNER-}" ] || step=97
while [ $at -lt "$size" ]; do
    { head -c $at $dump; printf '\377'; tail -c +$((at + 2)) $dump; } >changed.etdp
    etinspect changed.etdp >found.stdout 2>found.stderr
    status=$?
    case $status in
    0) ;;
    3) [ ! -s found.stdout ] && [ "$(wc -l <found.stderr)" = 1 ] || echo "byte $at: $(head -c 200 found.stderr)" ;;
    *) echo "byte $at: exit status $status" ;;
    esac
    at=$((at + step))
done
