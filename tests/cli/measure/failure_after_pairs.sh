#!/bin/sh
# Pairs completed before a command failed are judged and reported; the exit status is that of the failure.
cat >fail-at <<'END'
#!/bin/sh
# fail-at N ARGUMENT... - acts as a model; the N-th process fails.
n=$1
shift
[ "$(wc -l <processes)" -lt "$n" ] || { echo "out of memory" >&2; exit 9; }
exec act-as-model "$@"
END
chmod +x fail-at
PATH=$PWD:$PATH
measure() {
    : >processes
    etinspect measure --base "fail-at $1 {}" --new "fail-at $1 {} 3=1.3" --seed 1 --warmup 0 >report
    echo "exit $?"
    grep -e '^measured' -e '^judged [0-9]* time' -e slower report
}
measure 8 2>&1
# No rule passes, in any report, even if all checks of the complete pairs passed.
: >processes
etinspect measure --base "fail-at 16 {}" --new "fail-at 16 {}" --seed 1 --warmup 0 --pairs 30 \
    --fail_on 'op:p50>+60%' --report junit=gate.xml >report 2>/dev/null
echo "exit $?"
sed -n '/cannot tell/p; /undecided/p; /passed/p' report
grep -o '<testsuites[^>]*>\|<error[^>]*>' gate.xml
grep -c 'skipped message' gate.xml
measure 1 2>&1
