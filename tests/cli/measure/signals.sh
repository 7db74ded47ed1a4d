#!/bin/sh
# The first signal ends the measurement, and complete pairs are judged; the second ends the program at once. In either case
# no process and no file is left.
[ -e /proc/self/status ] || { echo 'there is no /proc'; exit 77; }
mkdir tmp
export TMPDIR="$PWD/tmp"
cat >stop-in <<'END'
#!/bin/sh
# stop-in N SIGNALS OUT - acts as a model; in the N-th process signals are sent to etinspect.
n=$1 signals=$2
shift 2
if [ "$(wc -l <processes)" -lt "$n" ]; then
    exec act-as-model "$@"
fi
# etinspect is the parent of the parent, which supervises this process. It sends SIGTERM to this process when it acts on its own.
etinspect=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$PPID/status")
noticed=
trap 'noticed=1' TERM
echo $$ >child
while [ "$signals" -gt 0 ]; do
    kill -TERM "$etinspect"
    signals=$((signals - 1))
    while [ "$signals" -gt 0 ] && [ -z "$noticed" ]; do sleep 0.01; done
done
echo half >"$1"
trap - TERM
sleep 300
END
chmod +x stop-in
PATH=$PWD:$PATH
measure() {
    : >processes
    # The shell reports that a signal ended a program.
    { etinspect measure --base "stop-in $1 $2 {}" --new "stop-in $1 $2 {} 3=1.3" --seed 1 --warmup 0 >report 2>errors; } 2>/dev/null
    echo "exit $?"
    grep '^etinspect' errors
    grep -e '^measured' -e '^judged [0-9]* time' report
    grep '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(cat child)/status" 2>/dev/null # a zombie does not count
    ls tmp
}
measure 10 1
measure 14 1
measure 0 1
measure 4 2
# Ignored SIGCHLD is inherited; etinspect nevertheless learns how its own children end.
(
    trap '' CHLD
    exec etinspect measure --new 'sh -c "exit 5" {}'
) 2>&1
echo "exit $?"
