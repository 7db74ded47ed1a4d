#!/bin/sh
# Whatever a command writes to a full standard output, it says that and nothing else: no count of what it wrote. Each command
# of the help is here, except those that write no result to standard output.
[ -c /dev/full ] || { echo 'there is no /dev/full'; exit 77; }
mlp=testdata/mlp
all=testdata/transformer
make-journal runs run.journal
make-tensors inputs.npz x=f4:2x8
six=$(echo testdata/six-files/n?.etdp)

# full COMMAND ARGUMENTS...
full() {
    echo "$1" >>tried
    etinspect "$@" >/dev/full 2>said
    status=$?
    if [ $status != 4 ] || [ "$(cat said)" != 'etinspect: (standard output): cannot write: No space left on device' ]; then
        echo "etinspect $*: exit $status"
        cat said
    fi
}

for view in summary layers events runs alloc tree ops graph trace source; do
    full $view $mlp/run.etdp $mlp/record.etrecord
done
full delegates $mlp/run.etdp $mlp/record.etrecord
full tensors $all/run.etdp --debug_buffer_path $all/debug_buffer.bin
for view in program memory size; do
    full $view $mlp/model.pte
done
full report -o - $mlp/run.etdp
full rows $mlp/run.etdp
full check $mlp/run.etdp
full recover run.journal
full recover --output - run.journal
full recover --partial -o - run.journal
full bundle -o - --inputs inputs.npz $mlp/model.pte
full diff --base $mlp/run.etdp --new $mlp/run.etdp
full numerics $all/run.etdp $all/record.etrecord --debug_buffer_path $all/debug_buffer.bin $all/run.etdp --debug_buffer_path $all/debug_buffer.bin
full baseline save - $mlp/run.etdp
# shellcheck disable=SC2086
full noise $six
# shellcheck disable=SC2086
full trend $six
full gate --fail_on 'total:p50>1ms' $mlp/run.etdp
full gate --github --fail_on 'total:p50>1ms' $mlp/run.etdp

# measure and record print while they run programs
etinspect help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | grep -vE '^(measure|record)$' | sort >commands
sort -u tried | comm -3 - commands
