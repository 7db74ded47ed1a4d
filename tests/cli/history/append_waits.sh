# A process that waits for another one says so, and continues when that one has ended.
history 1 | baseline night.csv
flock . sh -c 'echo >locked; while [ ! -s said ]; do sleep 0.05; done' &
while [ ! -e locked ]; do sleep 0.05; done
etinspect baseline save --append nights.csv night.csv 2>said
echo "exit $?"
cat said
grep -c '^file,' nights.csv
