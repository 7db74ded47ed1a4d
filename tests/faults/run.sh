#!/bin/sh
# run.sh BUILD [GROUP...] - faults below the program: memory, inputs, outputs, signals, crashes. README.md describes the
# method.
#
# One test is one command line with one kind of fault, in which each call fails once.
set -u
export LC_ALL=C

usage() {
    echo "usage: $0 BUILD [GROUP...]" >&2
    exit 2
}

if [ $# = 0 ] || [ ! -d "$1" ]; then usage; fi
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

n_passed=0
n_failed=0
n_skipped=0

if [ -n "${RUNNER-}" ]; then
    echo "skipped: faults: they are injected into the program itself, not into $RUNNER"
    echo "faults: 0 passed, 0 failed, 1 skipped"
    exit 0
fi

# Sanitizers that check allocations tolerate no other allocator; tests/unit/api/test_allocations.c covers that build.
is_sanitized() {
    nm "$build/etinspect" | grep -q __asan_init
}

# ---- one walk ------------------------------------------------------------------------------------

n_calls=0 # of the group
n_expected=0
n_same=0

add_counts() {
    counts=$(sed -n '$s/^\([0-9]*\) calls: \([0-9]*\) as expected, \([0-9]*\) without.*/\1 \2 \3/p' "$1")
    read -r calls expected same <<COUNTS
${counts:-0 0 0}
COUNTS
    n_calls=$((n_calls + calls))
    n_expected=$((n_expected + expected))
    n_same=$((n_same + same))
}

# walk CALL EFFECT EXPECTED [WALK_OPTION...] -- ARGUMENT...: walks a fault through etinspect with these arguments.
walk() {
    fault="$1 $2"
    call=$1 effect=$2 expected=$3
    shift 3
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # no option holds a space
    timeout 300 "$build/walk" -l "$build/inject.so" -c "$call" -e "$effect" -x "$expected" $options \
        -- "$build/etinspect" "$@" >found 2>&1
    status=$?
    add_counts found
    if [ $status = 0 ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED faults: $fault: etinspect $*"
        sed 's/^/    /' found
    fi
}

# Prints the counts of the last walk, for walks that are reported one by one.
tell() {
    printf '  %s  %s\n' "$(sed -n '$p' found)" "$1"
}

skip() {
    echo "skipped: $1"
    n_skipped=$((n_skipped + 1))
}

# ---- memory --------------------------------------------------------------------------------------

# Fails each allocation of the program, zlib and libc. libc may cope without some.
walk_memory() {
    walk malloc fail:ENOMEM 'memory|same' "$@"
    while [ "$1" != -- ]; do shift; done
    shift
    tell "etinspect $*"
}

make_deflated() {
    mkdir members
    unzip -q d/mlp/record.etrecord -d members
    (cd members && zip -q -X -D -9 -r ../deflated.etrecord .)
}

test_memory() {
    if is_sanitized; then
        skip 'faults: allocations, because a sanitizer allocates here'
        return
    fi
    all='d/mlp/run.etdp d/mlp/record.etrecord --debug_buffer_path d/mlp/debug_buffer.bin'
    delegates='d/delegate-ids/run.etdp d/delegate-ids/record.etrecord'
    methods='d/multi-method/run.etdp d/multi-method/record.etrecord'
    head -c 3000 d/mlp/run.etdp >cut.etdp
    head -c 3000 d/mlp/record.etrecord >cut.etrecord
    make_deflated
    gzip -c d/mlp/run.etdp >run.gz
    { cat d/mlp/run.etdp && head -c 5000000 /dev/zero; } >paged.etdp # enough to be read into whole pages
    printf '#[RUN THIS]\necho "%s" | base64 -d >debug_buffer.bin\necho "%s" | base64 -d >etdump.bin\n#[END]\n' \
        "$(base64 d/mlp/debug_buffer.bin)" "$(base64 d/mlp/run.etdp)" >uart.log
    # shellcheck disable=SC2086 # the lists are meant to be split
    {
        for format in table text tsv csv json; do
            walk_memory -- $all --format $format
            walk_memory -- d/mlp/run.etdp --format $format
            walk_memory -t a -- d/mlp/run.etdp --format $format --output place/a
        done
        walk_memory -- d/mlp/run.etdp deflated.etrecord
        walk_memory -- $bundled
        walk_memory -n a -t b -n c -- $all --output place/a --tsv_path place/b --csv_path place/c
        walk_memory -- $all --module hidden --module norm
        walk_memory -- $delegates --delegate_metadata json
        walk_memory -- $delegates --include_delegate_debug_data --delegate_time_scale us --delegate_time_scale Q=cycles
        walk_memory -- $methods --method forward --exact_time
        walk_memory -- d/mlp/run.etdp --csv_safe --format csv
        walk_memory -- d/mlp/run.etdp --sandbox
        walk_memory -- check --sandbox d/mlp/run.etdp
        walk_memory -- d/mlp/run.etdp d/transformer/run.etdp
        walk_memory -i d/mlp/run.etdp -- - d/mlp/record.etrecord
        walk_memory -- run.gz
        walk_memory -- uart.log
        walk_memory -- d/mlp/run.etdp --debug_buffer_path uart.log
        walk_memory -- check $all
        walk_memory -- check paged.etdp
        walk_memory -- check d/mlp/run.etdp d/transformer/run.etdp
        walk_memory -- check d/mlp/record.etrecord
        mkdir -p fleet/device=a fleet/device=b
        cp d/mlp/run.etdp fleet/device=a/1.etdp
        cp d/small/run.etdp fleet/device=b/2.etdp
        cp cut.etdp fleet/device=b/3.etdp
        printf 'fleet/device=a\n' >fleet.list
        walk_memory -- rows --labels_from_path --etrecord_path d/mlp/record.etrecord fleet
        walk_memory -t a -- rows --label build=1 -f csv --output place/a --filter 'run == 0' fleet
        walk_memory -- rows --granularity dump --mode dropmalformed -f json --columns path,p50 fleet --files_from fleet.list
        walk_memory -z -- --help
        walk_memory -z -- --version
        walk_memory -z -- help
        walk_memory -z -- help check

        # Commands that fail even without a fault.
        walk_memory -z -- --nosuch
        walk_memory -- d/mlp/run.etdp --delegate_time_scale nosuch
        walk_memory -- nosuch.etdp
        walk_memory -- cut.etdp
        walk_memory -- d/mlp/run.etdp cut.etrecord
        walk_memory -- d/mlp/run.etdp d/README.md
        walk_memory -- d/mlp/run.etdp --output nosuch/a
        walk_memory -- $methods --method nosuch
        walk_memory -- check cut.etdp d/mlp/run.etdp
        walk_memory -- check cut.etdp cut.etrecord d/README.md
    }
}

# make_npy FILE SIZES BYTES: writes zeros of float32.
make_npy() {
    mkdir -p "$(dirname "$1")"
    printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': ($2), }" >"$1"
    head -c "$3" /dev/zero >>"$1"
}

# Tensors of a run, in files of all kinds for a comparison, and an output that differs.
recorded='d/xnnpack-conv/run.etdp d/xnnpack-conv/record.etrecord --debug_buffer_path d/xnnpack-conv/debug_buffer.bin'
bundled='d/bundled-inputs/run.etdp d/bundled-inputs/record.etrecord --debug_buffer_path d/bundled-inputs/debug_buffer.bin'

make_references() {
    for name in saved.npz saved.safetensors saved; do
        # shellcheck disable=SC2086 # several words
        "$build/etinspect" tensors $recorded --save $name >/dev/null || n_failed=$((n_failed + 1))
    done
    mkdir unpacked
    unzip -q saved.npz -d unpacked
    (cd unpacked && zip -q -X -D -9 -r ../deflated.npz .)
    cp "$(find saved -name '*.npy' | sort | head -n 1)" .
    make_npy 'other/0.0/output#0.npy' '3,' 12
    (cd other && zip -q -X -D -0 -r ../other.npz .)
    head -c 3000 saved.npz >cut.npz
}

# Views, comparisons, and formats for other tables than the events.
test_views() {
    if is_sanitized; then
        skip 'faults: allocations of views, because a sanitizer allocates here'
        return
    fi
    # shellcheck disable=SC2086
    {
        for view in summary runs alloc tree ops graph source; do
            walk_memory -- $view $both
        done
        walk_memory -- tensors --columns all $both --debug_buffer_path d/mlp/debug_buffer.bin
        walk_memory -- numerics --columns all d/bundled-inputs/run.etdp --debug_buffer_path d/bundled-inputs/debug_buffer.bin --reference d/bundled-inputs/bundle.bpte --testset 0 --verify
        walk_memory -- numerics --columns all d/mlp/run.etdp $both --debug_buffer_path d/mlp/debug_buffer.bin --debug_buffer_path d/mlp/debug_buffer.bin
        make_references
        # Work done before the reference is opened fails as in other commands.
        walk_memory -- numerics --columns all $recorded --reference saved.npz
        for reference in saved.safetensors ./*.npy saved deflated.npz; do
            walk_memory -s 3 -- numerics $recorded --reference "$reference"
        done
        walk_memory -s 3 -- numerics $recorded --reference saved.npz --metric snr
        for format in junit github; do
            walk_memory -s 3 -- numerics $recorded --reference other.npz --fail_on 'identical == false' --format $format
        done
        walk_memory -- $bundled --compare_results
        for name in new.npz new.safetensors; do
            walk_memory -s 2 -n "$name" -- tensors $recorded --save "place/$name"
        done
        walk_memory -s 3 -- numerics $recorded --reference cut.npz
        walk_memory -- $both --group op
        walk_memory -- $both --group module:1
        walk_memory -- runs --events $both
        walk_memory -- ops --kernels --columns all --peak_flops 2G --peak_bandwidth 2G $both
        walk_memory -- events --columns event_name,shapes,dtypes,metadata,of_peak --peak_flops 2G $both d/mlp/model.pte
        walk_memory -- graph --format dot $both
        walk_memory -- graph --format json $both
        walk_memory -- $both --format ndjson --samples
        walk_memory -- $both --format markdown
        walk_memory -- $both --columns all --sort p50:desc --top 3 --filter 'p50 > 0 and not event_name == "call"'
        walk_memory -L -- $both --filter 'event_name =~ "call"'
        # Most allocations are SQLite's own, six thousand of them.
        walk_memory -s 37 -t a -- $both --format sqlite --samples --output place/a

        "$build/etinspect" baseline save base.csv $both || n_failed=$((n_failed + 1))
        walk_memory -n a -- baseline save place/a $both
        walk_memory -n a -- baseline save --append place/a $both
        walk_memory -- baseline show base.csv
        walk_memory -- diff d/mlp/run.etdp $both
        walk_memory -- diff base.csv $both --group op
        sh "$top/tests/cli/bin/history" 8 | sh "$top/tests/cli/bin/baseline" history.csv
        walk_memory -- noise history.csv
        walk_memory -- trend history.csv
        walk_memory -- measure --new 'nosuch-program {}' --etrecord_path d/mlp/record.etrecord
        for format in text junit github benchmark codequality json; do
            walk_memory -- gate base.csv $both --format $format
        done
    }
}

# Programs, and facts about delegates and methods that they provide.
test_programs() {
    if is_sanitized; then
        skip 'faults: allocations of programs, because a sanitizer allocates here'
        return
    fi
    make_npy in/x.npy '2, 6' 48
    make_npy out/y.npy '2, 3' 24
    c=d/xnnpack-conv
    seen="$c/run.etdp $c/record.etrecord $c/model.pte"
    chains='d/control-flow-chains/run.etdp d/control-flow-chains/model.pte'
    methods='d/multi-method/run.etdp d/multi-method/record.etrecord d/multi-method/model.pte'
    twins='d/prefill-decode/run.etdp d/prefill-decode/record.etrecord'
    printf 'prefill\ndecode*\n' >labels
    # A damaged XNNPACK payload, and a truncated program.
    LC_ALL=C sed 's/XH00/XH99/' $c/model.pte >damaged.pte
    head -c 3000 $c/model.pte >cut.pte
    printf 'aten::cumsum.out\n' >available
    # shellcheck disable=SC2086
    {
        for view in summary tree source ops graph delegates; do
            walk_memory -- $view $seen
        done
        walk_memory -n a -- report $seen --output place/a
        walk_memory -- $seen --columns all
        walk_memory -- $c/run.etdp $c/model.pte
        walk_memory -- tree $c/run.etdp $c/lowered.etrecord
        walk_memory -- tree $c/run.etdp $c/record.etrecord
        walk_memory -- summary $c/run.etdp $c/record.etrecord damaged.pte
        walk_memory -- summary d/mlp/run.etdp d/mlp/record.etrecord $c/model.pte
        walk_memory -- summary $methods
        walk_memory -- summary $twins --run_methods 'prefill,decode*3,*' --tokens prefill=128,decode=1
        walk_memory -- runs $twins --run_methods_from labels --tokens 2
        walk_memory -- ops $methods --block encode
        walk_memory -- diff $c/run.etdp $seen --group node

        for view in program memory size ops graph delegates check; do
            walk_memory -- $view $c/model.pte
        done
        walk_memory -- program $methods
        walk_memory -- program $chains
        walk_memory -- program d/external-weights/model.pte --data d/external-weights/model.ptd
        walk_memory -- memory $c/model.pte $c/record.etrecord
        walk_memory -- memory d/control-flow/model.pte --map
        walk_memory -- memory d/control-flow/model.pte --at 3 --format json
        walk_memory -- memory d/bundled-inputs/bundle.bpte
        walk_memory -- program d/bundled-inputs/bundle.bpte
        walk_memory -n a -- bundle --inputs in --expected out --output place/a d/multi-method/model.pte
        for group in category dtype op module; do
            walk_memory -- size d/mlp/model.pte --group $group
        done
        walk_memory -- size d/external-weights/model.pte d/external-weights/model.ptd
        walk_memory -- ops $c/model.pte --available available
        walk_memory -- ops $c/model.pte --emit_ops
        walk_memory -t a -- graph $c/model.pte --format dot --output place/a
        walk_memory -t a -- graph $seen --format model-explorer --output place/a
        walk_memory -- diff $c/model.pte d/mlp/model.pte
        walk_memory -- gate $c/model.pte d/mlp/model.pte --fail_on 'file_size > +1%'
        walk_memory -n a -- baseline save place/a $c/model.pte

        # Commands that fail even without a fault.
        walk_memory -- program cut.pte
        walk_memory -- program d/mlp/model.pte d/small/run.etdp
        walk_memory -- memory d/mlp/model.pte --at 99
        walk_memory -- memory d/multi-method/model.pte --method decode
        walk_memory -- program d/mlp/run.etdp
    }
}

# ---- inputs --------------------------------------------------------------------------------------

both='d/mlp/run.etdp d/mlp/record.etrecord'

test_inputs() {
    # shellcheck disable=SC2086
    {
        for reason in EIO EISDIR EAGAIN; do
            walk read fail:$reason read -i d/mlp/run.etdp -t a -- - d/mlp/record.etrecord --output place/a
            walk read fail:$reason read -i d/mlp/record.etrecord -t a -- d/mlp/run.etdp - --output place/a
        done
        for effect in short fail:EINTR; do
            walk read $effect same -i d/mlp/run.etdp -t a -- - d/mlp/record.etrecord --output place/a
            walk read $effect same -i d/mlp/record.etrecord -- check d/mlp/run.etdp -
        done
        walk read short same -a -i d/mlp/run.etdp -- - d/mlp/record.etrecord
        for reason in EACCES EMFILE ENFILE ENOMEM ELOOP EIO; do
            walk open/input fail:$reason read -t a -- $both --output place/a
        done
        walk open/input fail:EINTR same -t a -- $both --output place/a
        walk open/input fail:EMFILE read -- check d/mlp/run.etdp
        walk fstat/input fail:EIO read -t a -- $both --output place/a
        walk close/input fail:EIO same -t a -- $both --output place/a
    }
}

# walk_changes STEP CHANGE FILE ARGUMENT...: the file "changing" changes at a given moment: at every STEPth allocation,
# which covers any moment well enough. Inputs are read before they are used; a changed one is an error.
walk_changes() {
    step=$1 change=$2 file=$3
    shift 3
    for moment in mmap write malloc; do
        [ $moment = malloc ] && is_sanitized && continue
        walk $moment "$change:changing" 'error|same' -s "$step" -o "changing=$file" -t a -- "$@" --output place/a
    done
}

# Files large enough to be mapped.
make_mapped() {
    cp d/mlp/run.etdp mapped.etdp
    cp d/mlp/debug_buffer.bin mapped.bin
    cp d/mlp/record.etrecord mapped.etrecord
    truncate -s 65M mapped.etdp mapped.bin large_state_dict
    zip -q -0 mapped.etrecord large_state_dict
}

test_changes() {
    # Files that are not mapped are read at once.
    for change in truncate scramble; do
        for moment in open/input fstat/input read; do
            walk $moment $change:changing 'error|same' -o changing=d/mlp/run.etdp -t a -- changing --output place/a
        done
    done
    walk write truncate:changing same -o changing=large.etdp -t a -- changing --format tsv --output place/a

    make_mapped
    for reason in ENODEV EACCES ENOMEM; do
        walk mmap "fail:$reason" same -t a -- mapped.etdp mapped.etrecord --debug_buffer_path mapped.bin --output place/a
    done
    # Nothing is read before it is mapped: so truncating any of the files is an error.
    for format in table tsv csv; do
        walk mmap truncate:changing shrunk -o changing=mapped.etdp -t a -- changing --format $format --output place/a
    done
    walk mmap truncate:changing shrunk -o changing=mapped.etrecord -t a -- d/mlp/run.etdp changing --output place/a
    walk mmap truncate:changing shrunk -o changing=mapped.etdp -- check changing
    # A mapped ETDump that is overwritten is not covered, nor is an ETRecord whose directory changes after it was read: see
    # SECURITY.md.
    walk_changes 1 truncate mapped.etdp changing
    walk_changes 10 truncate mapped.etrecord d/mlp/run.etdp changing
    walk mmap scramble:changing 'error|same' -o changing=mapped.etrecord -t a -- d/mlp/run.etdp changing --output place/a
    for change in truncate scramble; do
        walk_changes 5 "$change" mapped.bin d/mlp/run.etdp --debug_buffer_path changing
    done
}

# ---- outputs -------------------------------------------------------------------------------------

three='--output place/a --tsv_path place/b --csv_path place/c'

test_outputs() {
    # shellcheck disable=SC2086
    {
        for reason in ENOSPC EDQUOT EIO EFBIG; do
            for format in table tsv csv; do
                walk write fail:$reason write -t a -- large.etdp --format $format --output place/a
                walk write fail:$reason write -- large.etdp --format $format
            done
            walk write fail:$reason write -t a -t b -n c -- $both $three
            # Every second call only releases the lock on the existing file.
            walk close/output fail:$reason write -s 2 -n a -t b -t c -- $both $three
            walk close/output fail:$reason 'write|same' -n a -t b -t c -- $both $three
            walk rename fail:$reason write -t a -n b -t c -- $both $three
            walk fsync/output fail:$reason write -n a -t b -t c -- $both $three
            walk fsync/folder fail:$reason unsynced -t a -n b -t c -- $both $three
            walk open/output fail:$reason write -t a -n b -t c -- $both $three
        done
        for format in table tsv csv; do
            for effect in short fail:EINTR; do
                walk write $effect same -n a -- large.etdp --format $format --output place/a
                walk write $effect same -- large.etdp --format $format
            done
        done
        walk write short same -a -t a -n b -t c -- $both $three
        walk write fail:ENOSPC write -t a -- $both --module norm --output place/a
        is_sanitized || walk write fail:ENOSPC write -- large.etdp --sandbox # where no leak can be looked for
        walk write fail:ENOSPC write -t a -- $both --csv_safe --format csv --output place/a

        # Root may write everywhere, so permission is denied by a fault.
        for reason in EACCES EROFS EPERM EMFILE; do
            walk open/output fail:$reason write -t a -n b -t c -- $both $three
        done
        walk access fail:EACCES write -t a -t b -t c -- $both $three
        walk rename fail:EACCES write -t a -t b -t c -- $both $three
        walk readlink fail:ENOMEM memory -t a -t b -t c -- $both $three
        walk getrandom fail:ENOSYS same -t a -t b -t c -- $both $three # /dev/urandom has random bytes, too
        for reason in EIO EACCES; do
            walk readlink fail:$reason write -t a -t b -t c -- $both $three
            # The first of these calls only compare outputs with inputs.
            walk stat fail:$reason 'write|same' -t a -t b -t c -- $both $three
        done
        walk open/output fail:EINTR same -t a -n b -t c -- $both $three
        walk write nothing:ENOSPC write -t a -n b -t c -- $both $three
        walk fchmod fail:EPERM same -t a -t b -t c -- $both $three
        walk fchown fail:EPERM same -t a -t b -t c -- $both $three
        # Without locks, and while another process is examining the new file.
        for reason in ENOLCK ENOSYS EINTR EAGAIN; do
            walk flock fail:$reason same -t a -n b -t c -- $both $three
        done
        walk flock fail:ENOLCK same -a -t a -n b -t c -- $both $three

        # A file system that cannot sync such a file, or anything; a folder that may not be read.
        for reason in EINTR EINVAL ENOSYS EOPNOTSUPP EROFS; do
            walk fsync fail:$reason same -t a -n b -t c -- $both $three
        done
        for reason in EMFILE ENFILE EIO; do
            walk open/folder fail:$reason write -t a -n b -t c -- $both $three
        done
        walk open/folder fail:ENOMEM memory -t a -n b -t c -- $both $three
        for reason in EACCES EPERM EINTR; do
            walk open/folder fail:$reason same -t a -n b -t c -- $both $three
        done
        walk close/folder fail:EIO same -t a -n b -t c -- $both $three
        walk fsync fail:EIO same -z -t a -n b -t c -- $both $three --no_sync
        walk open/folder fail:EIO same -z -t a -n b -t c -- $both $three --no_sync
        walk fstat/output fail:EIO same -t a -t b -t c -- $both $three

        # Tensors and bundled programs, which are replaced only on request.
        make_npy in/x.npy '2, 6' 48
        for new in 'c.npz' 'c.safetensors' 'c.bpte'; do
            case $new in
            *.bpte) save="bundle --inputs in d/multi-method/model.pte --output place/$new" ;;
            *) save="tensors $recorded --save place/$new" ;;
            esac
            for call in write fsync/output open/output close/output; do
                walk $call fail:ENOSPC 'write|same' -n $new -- $save
                walk $call fail:EIO 'write|same' -t $new -- $save --force
            done
            walk rename fail:EIO write -t $new -- $save --force
            for effect in short fail:EINTR; do
                walk write $effect same -n $new -- $save
            done
        done
        walk write fail:ENOSPC write -n a.xml -- numerics $bundled --reference d/bundled-inputs/bundle.bpte --verify --format junit --output place/a.xml

        # A second process looks while the first is stopped: it sees the old content until the new one is complete.
        for call in open/output write fsync close/output rename; do
            walk $call signal:STOP same -t a -n b -t c -- $both $three
        done
        walk write signal:STOP same -t a -- large.etdp --output place/a
    }
}

# ---- signals -------------------------------------------------------------------------------------

test_signals() {
    # shellcheck disable=SC2086
    {
        for signal in HUP INT TERM; do
            for call in open/output write fsync close/output rename; do
                walk $call signal:$signal signal -t a -n b -t c -- $both $three
            done
            walk write signal:$signal signal -n a -- large.etdp --format csv --output place/a
            for call in write fsync; do
                walk $call signal:$signal signal -t a.npz -- tensors $recorded --save place/a.npz --force
            done
        done
        # All other signals that end a program, sent by a process. 34 and 64 are signals of applications.
        for signal in QUIT XCPU PIPE USR1 USR2 ALRM VTALRM PROF ABRT SYS TRAP POLL STKFLT PWR BUS 34 64; do
            walk write signal:$signal signal -n a -t b -t c -- $both $three
        done
        for signal in SEGV FPE ILL; do # a sanitizer reports these
            is_sanitized || walk write signal:$signal signal -n a -t b -t c -- $both $three
        done
        for signal in CHLD CONT URG WINCH XFSZ; do
            walk write signal:$signal same -n a -t b -t c -- $both $three
        done
        is_sanitized || walk malloc signal:TERM signal -t a -n b -- d/mlp/run.etdp --output place/a --tsv_path place/b
        # As under nohup, and behind "&".
        for signal in HUP INT TERM USR1 PROF; do
            walk write signal:$signal same -I $signal -t a -n b -t c -- $both $three
        done
    }
}

# ---- journals ------------------------------------------------------------------------------------

# Journals of libetcapture, which reads and writes files itself. After a refused lock, descriptor or block, the operation is
# retried in another way.
test_journals() {
    for kind in ring values open; do
        "$build/make_journal" $kind $kind.journal || n_failed=$((n_failed + 1))
    done
    gzip -c ring.journal >packed.journal
    head -c 1500 ring.journal >cut.journal
    out='--output place/a'
    # shellcheck disable=SC2086
    {
        if is_sanitized; then
            skip 'faults: allocations over journals, because a sanitizer allocates here'
        else
            for journal in ring values packed; do
                walk_memory -t a -- recover $journal.journal $out
            done
            walk_memory -n a -- recover --partial open.journal $out
            walk_memory -- recover ring.journal
            walk_memory -- summary ring.journal
            walk_memory -- values.journal
            walk_memory -- check packed.journal
            # Commands that fail even without a fault.
            walk_memory -- recover cut.journal
            walk_memory -- recover open.journal
            walk_memory -- recover d/mlp/run.etdp
            walk_memory -- summary open.journal
        fi
        for reason in EIO EACCES EMFILE; do
            walk open/input fail:$reason 'read|same' -t a -- recover ring.journal $out
            walk open/input fail:$reason 'read|same' -t a -- ring.journal $out
            walk fstat/input fail:$reason 'read|same' -t a -- recover ring.journal $out
        done
        for effect in short fail:EINTR; do
            walk read $effect same -i ring.journal -t a -- recover - $out
        done
        walk read fail:EIO read -i ring.journal -t a -- recover - $out
        for reason in ENOLCK ENOSYS EINTR; do
            walk flock fail:$reason same -t a -- recover ring.journal $out
        done
        for reason in ENOSPC EIO; do
            walk write fail:$reason write -t a -- recover ring.journal $out
            walk fsync/output fail:$reason write -n a -- recover ring.journal $out
            walk close/output fail:$reason 'write|same' -t a -- recover ring.journal $out
            walk rename fail:$reason write -t a -- recover ring.journal $out
            walk open/output fail:$reason write -n a -- recover ring.journal $out
        done
        for effect in short fail:EINTR; do
            walk write $effect same -n a -- recover ring.journal $out
        done
        walk write nothing:ENOSPC write -t a -- recover ring.journal $out
    }
}

# ---- crashes of the system -----------------------------------------------------------------------

# record ARGUMENT...: logs what etinspect does to the files in place, in the file "log".
record() {
    LD_PRELOAD="$build/record.so" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" \
        RECORD_FOLDER=place RECORD_LOG=log "$build/etinspect" "$@" >found 2>&1
    judge_crash "record: etinspect $*" $?
}

judge_crash() {
    if [ "$2" = 0 ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED faults: $1"
        sed 's/^/    /' found
    fi
}

# crash TARGET...: on all disks that the system may leave, each target is the old file or the new one.
crash() {
    options=
    for target in "$@"; do
        options="$options -t $target"
    done
    # shellcheck disable=SC2086 # the list is meant to be split
    {
        "$build/crash" $options log >found
        judge_crash "crash: $*" $?
        disks=$(sed -n '$s/.*changes, \([0-9]*\) disks.*/\1/p' found)
        n_calls=$((n_calls + disks))
        n_expected=$((n_expected + disks))
        # A program that does not sync must be detected.
        for without in files folder all; do
            ! "$build/crash" -w $without $options log >found
            judge_crash "crash without a sync of $without: $*" $?
        done
    }
}

# Prints the changes that replace a file.
order() {
    for target in "$@"; do
        printf '%s\n' 'create .etinspect-*' 'write .etinspect-*' 'sync .etinspect-*' "rename .etinspect-* $target" 'sync .'
    done
}

# same_order TARGET...: the calls are these, in this order.
same_order() {
    order "$@" >expected
    "$build/crash" -p log >calls
    diff expected calls >found
    judge_crash "order of calls: $*" $?
}

test_crashes() {
    mkdir place
    # shellcheck disable=SC2086
    {
        echo old >place/a
        echo old >place/c
        record $both $three
        same_order a b c
        crash a b c
        for format in table json markdown; do
            record large.etdp --format $format --output place/a
            same_order a
            crash a
        done
        record d/mlp/run.etdp --format sqlite --output place/new.db
        crash new.db
        record ops $both --output place/new.txt
        same_order new.txt
        crash new.txt
        record baseline save place/history.csv d/mlp/run.etdp
        same_order history.csv
        crash history.csv
        sh "$top/tests/cli/bin/history" 1 | sh "$top/tests/cli/bin/baseline" night.csv
        record baseline save --append --allow_unlike place/history.csv night.csv
        same_order history.csv
        crash history.csv
        echo old >place/a.npz
        record tensors $recorded --save place/a.npz --force
        same_order a.npz
        crash a.npz
        make_npy in/x.npy '2, 6' 48
        record bundle --inputs in d/multi-method/model.pte --output place/a.npz --force
        same_order a.npz
        crash a.npz
        record d/mlp/run.etdp --output place/a --no_sync
        printf '%s\n' 'create .etinspect-*' 'write .etinspect-*' 'rename .etinspect-* a' >expected
        "$build/crash" -p log >calls
        diff expected calls >found
        judge_crash 'order of calls with --no_sync' $?
    }
}

# ---- running -------------------------------------------------------------------------------------

# A dump whose table is written in several pieces.
make_large_dump() {
    awk 'BEGIN {
        printf "{\"run_data\": [{\"name\": \"Execute\", \"events\": ["
        for (i = 0; i < 1200; i++)
            printf "%s{\"profile_event\": {\"name\": \"an event, the %dth\", \"instruction_id\": %d, \"start_time\": %d, " \
                   "\"end_time\": %d}}", i ? ",\n" : "", i, i, i * 10, i * 10 + 7
        print "]}]}"
    }' >"$work/large.json"
    flatc --binary --size-prefixed -o "$work" "$top/schema/etdump.fbs" "$work/large.json" && mv "$work/large.etdp" "$1"
}

# Runs a group in its own directory; its last line has the counts.
run_group() {
    mkdir "$work/$1"
    cd "$work/$1" || exit 1
    ln -s "$top/testdata" d
    ln -s "$work/dump.etdp" large.etdp
    "test_$1"
    echo "  $1: $n_calls faults, $n_expected met as they should be, $n_same without a difference"
    echo "$n_passed $n_failed $n_skipped" >"$work/$1/counts"
}

make_large_dump "$work/dump.etdp" || exit 1
[ $# -gt 0 ] || set -- memory views programs inputs changes outputs signals journals crashes
for group in "$@"; do
    (run_group "$group") >"$work/$group.output" 2>&1 &
done
wait

total_passed=0
total_failed=0
total_skipped=0
for group in "$@"; do
    cat "$work/$group.output"
    counts='0 1 0'
    [ ! -f "$work/$group/counts" ] || read -r counts <"$work/$group/counts"
    read -r passed failed skipped <<COUNTS
$counts
COUNTS
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    total_skipped=$((total_skipped + skipped))
done
echo "faults: $total_passed passed, $total_failed failed, $total_skipped skipped"
[ $total_failed = 0 ]
