#!/bin/sh
# Files left by a killed process are removed by the next one that writes there; other files, and those of a live process,
# are kept.
mkdir place
mlp=testdata/mlp
touch place/.etinspect-0123456789abcdef place/.etinspect-mine place/other.etinspect-0123456789abcdef
ln -s other.etinspect-0123456789abcdef place/.etinspect-00000000000000ff
touch place/.etinspect-1111111111111111
flock place/.etinspect-1111111111111111 sh -c 'echo >locked; while [ ! -e finished ]; do sleep 0.05; done' &
while [ ! -e locked ]; do sleep 0.05; done
etinspect $mlp/run.etdp --output place/a
ls -A place
touch finished
wait
etinspect $mlp/run.etdp --output place/a
ls -A place
# Files left by processes killed at any moment are removed, too.
for _ in 1 2 3 4 5 6 7 8 9 10; do
    etinspect $mlp/run.etdp --format sqlite --output place/c &
    killed=$!
    sleep 0.01
    kill -KILL $killed
    wait $killed
done 2>/dev/null
etinspect $mlp/run.etdp --output place/a
find place -type f -name '.etinspect-????????????????'
