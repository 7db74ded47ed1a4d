#!/bin/sh
# etinspect record with programs that play the runtime; the real one is in tests/parity.
tour=$(dirname "$(readlink testdata)")/doc/tour
cp "$tour/model.pte" .
unset VIRTUAL_ENV ETINSPECT_RUNNER CXX
export XDG_CACHE_HOME="$PWD/cache"
make-runner runner "$tour/model.etdp"
# Numbers of seconds differ.
record() {
    etinspect record "$@" >out 2>err
    status=$?
    sed 's/ in [0-9.]* s/ in SECONDS/; s,'"$PWD"',HERE,g' err
    [ $status = 0 ] || echo "exit $status"
    for left in etinspect-* .etinspect-*; do
        [ ! -e "$left" ] || echo "BUT $left is left"
    done
}
# The dump, its note, the flags, and the inputs: sizes and numbers do not depend on the machine.
record --runner ./runner model.pte
etinspect summary --table facts --filter 'fact == "clock" || fact == "inputs"' --format csv model.etdp
tail -c +"$(($(wc -c <"$tour/model.etdp") + 1))" model.etdp | head -c -12 | sed 's/"etinspect [0-9.]*"/"etinspect VERSION"/'
echo
etinspect --format csv "$tour/model.etdp" >expected
etinspect --format csv model.etdp | cmp - expected
head -n 1 out
cat runner.log
# Options, and the report of summary with its own options.
: >runner.log
record --runner ./runner --runs 3 --cpu_threads 2 --inputs ones --table facts --format csv model.pte
head -n 2 out
record --runner ./runner --input_seed 1 model.pte
cat runner.log
head -c 49152 /dev/zero >zero.bin
make-tensors input.npz x=f4:1x3x64x64
: >runner.log
record --runner ./runner --inputs zero.bin model.pte
record --runner ./runner --inputs input.npz model.pte
cat runner.log
sha256sum zero.bin | cut -c 1-16
# The table of the recording; several ETDumps with different inputs, and one without a note.
record --runner ./runner --runs 3 --inputs ones --etdump_path ones.etdp --format json model.pte
sed -n '/"recording"/,/]}/p' out | sed 's/"etinspect [0-9.]*"/"etinspect VERSION"/'
etinspect summary --table recording --format csv model.etdp ones.etdp | sed -n '/^inputs/p; /^runs/p'
etinspect summary --table facts --format csv ones.etdp ones.etdp model.etdp "$tour/model.etdp" | grep ^inputs
# Other files beside, and reports.
cp "$tour/model.etrecord" .
record --runner ./runner --etdump_path other.etdp --report html=page.html --report chrome=trace.json --report csv=rows.csv model.pte
grep -c '<html' page.html
grep -c traceEvents trace.json
sed -n 2,3p out
head -n 1 rows.csv
# A dump that record did not write is kept.
cp "$tour/model.etdp" model.etdp
record --runner ./runner model.pte
cmp model.etdp "$tour/model.etdp"
record --runner ./runner --force model.pte
cmp -s model.etdp "$tour/model.etdp" || echo replaced
# Any command; a dump that has a note keeps it.
record --command "cp $tour/model.etdp {}" --etdump_path command.etdp model.pte
record --command "cp other.etdp {}" --etdump_path command.etdp model.pte
cmp command.etdp other.etdp
record --command "sh -c 'cmp {model} model.pte && cp other.etdp {}'" --etdump_path command.etdp model.pte
# Names of files are no words of a shell or of a list.
# shellcheck disable=SC2016 # expanded only by a fault
cp model.pte 'a b,$(touch x).pte'
# shellcheck disable=SC2016
record --runner ./runner --etdump_path 'b,$(touch x).etdp' 'a b,$(touch x).pte'
[ ! -e x ] || echo "BUT a shell saw the name"
# Methods.
cp testdata/multi-method/model.pte several.pte 2>/dev/null || cp testdata/multi-method/*.pte several.pte
record --runner ./runner --method nothing several.pte
# The note says which method of the program ran; without it, or for another program, the instructions fit both.
event() {
    printf '{"profile_event": {"name": "%s", "chain_index": 0, "instruction_id": %s, "start_time": %s, "end_time": %s}}' "$@"
}
printf '{"version": 0, "run_data": [{"name": "Execute", "events": [%s, %s, %s, %s]}]}' "$(event DELEGATE_CALL 0 0 10)" \
    "$(event native_call_cumsum.out 1 10 20)" "$(event DELEGATE_CALL 2 20 30)" "$(event Method::execute -1 0 30)" | make-etdump both.etdp
cp testdata/prefill-decode/model.pte pair.pte
make-runner methods both.etdp
record --runner ./methods --method decode pair.pte
methods() {
    etinspect summary --table facts --format csv "$@" 2>err | grep ^method
    grep -o 'match its instructions equally well\|[a-z.]*: is not the program of which.*' err
}
methods pair.etdp pair.pte
methods both.etdp pair.pte
printf 'more' | cat pair.pte - >other.pte
methods pair.etdp other.pte
# Failures leave nothing, and name the reason.
make-runner fails "$tour/model.etdp" 'echo "E 00:00:00 executorch:method.cpp:85] Backend IntIdBackend is not registered."; exit 1'
record --runner ./fails --etdump_path new.etdp model.pte
make-runner fails "$tour/model.etdp" 'seq 1 30; echo "execute failed with error 0x12" >&2; exit 7'
record --runner ./fails --etdump_path new.etdp model.pte
make-runner fails "$tour/model.etdp" 'echo "Loading of method forward failed with status 0x23" >&2; kill -ABRT $$'
record --runner ./fails --etdump_path new.etdp model.pte
make-runner fails "$tour/model.etdp" 'seq 1 30; kill -9 $$'
record --runner ./fails --etdump_path new.etdp model.pte
make-runner fails "$tour/model.etdp" "echo \"ERROR: unknown command line flag 'etdump_path'\" >&2; exit 1"
record --runner ./fails --etdump_path new.etdp model.pte
make-runner fails /dev/null
record --runner ./fails --etdump_path new.etdp model.pte
printf '{"run_data": []}' | make-etdump empty.etdp
make-runner fails empty.etdp
record --runner ./fails --etdump_path new.etdp model.pte
make-runner fails "$tour/model.etdp" 'exec sleep 100'
record --runner ./fails --timeout 1 --etdump_path new.etdp model.pte
[ ! -e new.etdp ] || echo "BUT there is a dump"
record --runner ./missing model.pte
record --runner ./runner --etdump_path missing/new.etdp model.pte
mkdir bin
record_without() {
    PATH=$PWD/bin:$(dirname "$(command -v etinspect)") etinspect record --etdump_path new.etdp model.pte 2>&1
}
ln -s "$(command -v sed)" bin/sed
ln -s "$(command -v sh)" bin/sh
record_without
printf '#!/bin/sh\necho /bin/python3\n' >bin/python3
chmod +x bin/python3
record_without
printf '#!/bin/sh\necho /bin/python3\necho /lib/executorch\necho 1.5.1\necho\n' >bin/python3
record_without
# An executor_runner in PATH, or in a variable, which comes first.
make-runner fails /dev/null
rm bin/python3
cp runner bin/executor_runner
PATH=$PWD/bin:$PATH ETINSPECT_RUNNER=./fails etinspect record --etdump_path new.etdp model.pte 2>&1 | sed 's,'"$PWD"',HERE,g' | head -n 1
# Wrong use.
refused etinspect record
refused etinspect record model.pte model.etrecord more.etrecord
refused etinspect record --sandbox model.pte
refused etinspect record --runner ./runner --python python3 model.pte
refused etinspect record --runner ./runner --command 'x {}' model.pte
refused etinspect record --command 'x' model.pte
refused etinspect record --runner ./runner --inputs zero.bin,zero.bin model.pte
head -c 470 /dev/zero >short.bin
refused etinspect record --runner ./runner --inputs short.bin model.pte
refused etinspect record --runner ./runner --inputs ones --input_seed 1 model.pte
refused etinspect record --runner ./runner --clock cpu model.pte
refused etinspect record --runner ./runner --debug_buffer_size 100 model.pte
refused etinspect record --runner ./runner --cpus 0-x model.pte
refused etinspect record --runner ./runner --report html model.pte
refused etinspect record --runner ./runner --report xml=x model.pte
refused etinspect record --runner ./runner --device usb model.pte
refused etinspect record --device ssh:board model.pte
refused etinspect record --runner ./runner --device ssh: model.pte
refused etinspect record --runner ./runner model.etdp
refused etinspect record --runner ./runner -
