#!/bin/sh
# etinspect record on an Android device and on a host, which programs play here.
tour=$(dirname "$(readlink testdata)")/doc/tour
cp "$tour/model.pte" .
mkdir -p bin root/data/local/tmp tmp
ln -s "$(command -v fake-adb)" bin/adb
ln -s "$(command -v fake-ssh)" bin/ssh
export PATH="$PWD/bin:$PATH" FAKE_ROOT="$PWD/root" FAKE_LOG="$PWD/log" FAKE_TMPDIR="$PWD/tmp"
make-runner runner "$tour/model.etdp"
record() {
    rm -f log
    etinspect record --runner ./runner "$@" >out 2>err
    status=$?
    sed 's/ in [0-9.]* s/ in SECONDS/; s/etinspect-[0-9a-f]\{8\}/DEVICE/; s,'"$PWD"',HERE,g' err
    [ $status = 0 ] || echo "exit $status"
    [ -z "$(find root/data/local/tmp tmp -mindepth 1)" ] || echo "BUT something is left on the device"
    for left in etinspect-*; do
        [ ! -e "$left" ] || echo "BUT $left is left"
    done
}
calls_of() {
    sed 's,'"$PWD"',HERE,g; s/etinspect-[0-9a-f]\{16\}/FOLDER/g; s/etinspect-[0-9a-f]\{8\}/DEVICE/g; s/etinspect-[A-Za-z0-9]\{6\}/DEVICE/g'
}
calls() {
    calls_of <log
}
record --device adb:FAKE1 model.pte
calls
etinspect --format csv "$tour/model.etdp" >expected
etinspect --format csv model.etdp | cmp - expected
record --device adb model.pte
FAKE_TWO=1
export FAKE_TWO
record --device adb model.pte
unset FAKE_TWO
FAKE_NONE=1
export FAKE_NONE
record --device adb --etdump_path new.etdp model.pte
unset FAKE_NONE
record --device ssh:board model.pte
calls
etinspect --format csv model.etdp | cmp - expected
# A measurement pushes each file once, and removes them after the last process.
cp model.pte base.pte
cp model.pte new.pte
cat >measured <<RUNNER
#!/bin/sh
for flag; do
    case \$flag in
    --etdump_path=*) etdump=\${flag#*=} ;;
    --output_file=*) seq 100 >"\${flag#*=}-0.bin" ;;
    esac
done
etdump=\$PWD/\$etdump
cd "$PWD" && export PATH="$PATH" SCHEMA="$SCHEMA"
if [ -e is_mute ] && [ "\$(wc -l <processes)" = 3 ]; then exit; fi
exec act-as-model "\$etdump"
RUNNER
chmod +x measured
for device in adb:FAKE1 ssh:board; do
    rm -f log
    etinspect measure --runner ./measured --device $device --base base.pte --new new.pte --seed 1 --pairs 5 >out 2>err
    status=$?
    [ $status = 0 ] || [ $status = 6 ] || cat err
    grep '^outputs' out
    calls | grep -E ' (push|mkdir|mktemp|rm -rf|cat >) ' | sed 's, [^ ]*/FOLDER/in, FOLDER/in,' | sort
    calls | grep -c 'runner --model_path=model-base.pte'
    calls | grep -c 'runner --model_path=model-new.pte'
    find root/data/local/tmp tmp -name 'etinspect-*'
done
# The dump of an earlier process does not pass for that of a process without one.
touch is_mute
rm processes
for device in adb:FAKE1 ssh:board; do
    etinspect measure --runner ./measured --device $device --base base.pte --new new.pte --seed 1 --pairs 5 2>&1 | calls_of | grep run.etdp
    rm processes
done
# Names of files reach no shell.
# shellcheck disable=SC2016 # expanded only by a fault
cp model.pte 'a b;$(touch x).pte'
# shellcheck disable=SC2016
record --device adb:FAKE1 'a b;$(touch x).pte'
# shellcheck disable=SC2016
record --device ssh:board 'a b;$(touch x).pte'
find . -name x
# Failures; an old adb says 0 whatever happens.
record --device adb:NONE model.pte
record --device ssh:nohost model.pte
record --device ssh:locked model.pte
make-runner runner "$tour/model.etdp" 'echo "E 00:00:00 executorch:method.cpp:85] Backend IntIdBackend is not registered."; exit 1'
record --device adb:FAKE1 --etdump_path new.etdp model.pte
FAKE_OLD=1
export FAKE_OLD
record --device adb:FAKE1 --etdump_path new.etdp model.pte
unset FAKE_OLD
record --device ssh:board --etdump_path new.etdp model.pte
make-runner runner "$tour/model.etdp" 'exit 0'
record --device adb:FAKE1 --etdump_path new.etdp model.pte
make-runner runner "$tour/model.etdp" 'echo "E 00:00:00 executorch:method.cpp:824] Missing operator: [1] aten::bmm.out"; exit 1'
record --device adb:FAKE1 --etdump_path new.etdp model.pte
record --device ssh:board --etdump_path new.etdp model.pte
# A runner that does not end: its folder on the device is removed, too.
make-runner runner "$tour/model.etdp" 'exec sleep 30'
record --timeout 1 --device adb:FAKE1 --etdump_path new.etdp model.pte
tail -n 1 log | calls_of
record --timeout 1 --device ssh:board --etdump_path new.etdp model.pte
tail -n 1 log | calls_of
[ ! -e new.etdp ] || echo "BUT there is a dump"
# Lines of a device that end as those of a terminal.
make-runner runner "$tour/model.etdp" 'echo "E 00:00:00 executorch:method.cpp:85] Backend IntIdBackend is not registered."; exit 1'
FAKE_CRLF=1
export FAKE_CRLF
record --device adb:FAKE1 --etdump_path new.etdp model.pte
record --device adb --etdump_path new.etdp model.pte
unset FAKE_CRLF
# After a second signal, or SIGKILL, there is no time to remove the folder; another process does that.
make-runner runner "$tour/model.etdp" "echo >'$PWD/started'; exec sleep 300"
is_empty() {
    [ -z "$(find root/data/local/tmp tmp -mindepth 1)" ]
}
for command in record 'measure --new'; do
    for signals in 'TERM TERM' KILL; do
        rm -f started log
        : >root/busy
        # shellcheck disable=SC2086 # a command and its option
        etinspect $command model.pte --runner ./runner --device adb:FAKE1 >out 2>err &
        etinspect=$!
        until [ -e started ]; do sleep 0.02; done
        for signal in $signals; do
            is_empty && echo "BUT the folder is gone"
            kill "-$signal" $etinspect
            until [ "$signal" = KILL ] || grep -q 'rm -rf' log; do sleep 0.02; done
        done
        wait $etinspect
        echo "$command, $signals: $?"
        rm root/busy
        until is_empty; do sleep 0.02; done
    done
done 2>/dev/null
