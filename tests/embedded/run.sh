#!/bin/sh
# run.sh BUILD - examples/tiny_cnn on Cortex-M boards in QEMU: etinspect and a shell read their output; losses on the serial
# line are detected; and the cost of libetcapture in instructions, stack and code is printed.
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
example=$top/examples/tiny_cnn
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

n_passed=0
n_failed=0
n_skipped=0

# check NAME COMMAND...: passes if the command succeeds; otherwise shows its output.
check() {
    name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $name"
        sed 's/^/    /' "$work/output"
    fi
}

etinspect() {
    # shellcheck disable=SC2086
    ${RUNNER-} "$build/etinspect" "$@"
}

# exits STATUS COMMAND...
exits() {
    wanted=$1
    shift
    "$@"
    found=$?
    echo "exit status $found instead of $wanted"
    [ $found = "$wanted" ]
}

for tool in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: $tool is not installed"
        echo 'embedded: 0 passed, 0 failed, 1 skipped'
        exit 0
    fi
done

# qemu BOARD PROGRAM: prints the output of the serial line. An instruction takes 64 ns.
qemu() {
    timeout 60 qemu-system-arm -M "$1" -kernel "$2" -icount shift=6 -no-reboot -display none -monitor none -serial stdio </dev/null
}

# ---- the example on both boards ------------------------------------------------------------------

build_boards() { MAKEFLAGS='' make -s -C "$example" BUILD="$work" ETCAPTURE="$top" WERROR=-Werror boards; }
check 'the example builds for both boards' build_boards

# Prints the log from the line to run on, as run_fvp.sh cuts it.
commands() { sed -n '/^#\[RUN THIS\]/,/^#\[END\]/p' "$1"; }
# crc FILE: prints its CRC-32, which gzip appends
crc() { gzip -c "$1" | tail -c 8 | od -A n -t x4 -N 4 | tr -d ' '; }
# says_check LOG FILE: tests that the log has the check line of this file.
says_check() { grep -x "# etcapture bytes=$(wc -c <"$2") crc32=$(crc "$2") lost=0" "$1"; }
# table FILE: prints the Inspector's table as TSV
table() { etinspect --tsv_path "$2" "$1" >/dev/null; }

cat >events.expected <<'END'
Default,Program::load_method,1
Execute,native_call_conv_1,20
Execute,native_call_relu_1,20
Execute,native_call_depthwise_2,20
Execute,native_call_pointwise_2,20
Execute,native_call_relu_2,20
Execute,native_call_max_pool_2,20
Execute,native_call_dense_3,20
Execute,native_call_softmax_3,20
Execute,Method::execute,20
END
events() {
    etinspect --columns event_block_name,event_name,run_count --format csv "$1" >table.csv && sed 1d table.csv | tr -d '\r"' | diff events.expected -
}

for board in mps2-an385 mps2-an500; do
    mkdir $board
    qemu $board $board.elf >$board/device.log 2>$board/errors
    check "$board ends, and prints to the end" sh -c "tail -n 1 $board/device.log | grep -x '#\\[END\\]'"
    qemu $board $board.elf >$board/again.log 2>>$board/errors
    check "$board prints the same again" cmp $board/device.log $board/again.log
    check "$board has no errors" sh -c "! grep . $board/errors"
    if command -v python3 >/dev/null; then
        python3 "$example/reference.py" >answers
        check "$board: its answers are those of reference.py" sh -c "head -n 20 $board/device.log | diff answers -"
    fi
    check "$board: etinspect reads the log, 20 runs of every layer" events $board/device.log
    commands $board/device.log >$board/commands
    check "$board: its shell lines are executed" sh -c "cd $board && sh -e commands"
    check "$board: they make what the board says" says_check $board/device.log $board/etdump.bin
    check "$board: that is read" table $board/etdump.bin file.tsv
    check "$board: the log is read" table $board/device.log log.tsv
    check "$board: both are the same" cmp file.tsv log.tsv
    check "$board: the summary counts eight operators" \
        sh -c "${RUNNER-} $build/etinspect summary $board/device.log | grep '^operators outside delegates .* 8\$'"

    qemu $board ${board}_slow.elf >$board/slow.log
    # As in README.md: the simulated processor is deterministic, so another process would not differ.
    check "$board: the gate finds the slower layer" exits 1 \
        etinspect gate --one_process --report junit=$board/gate.xml --base $board/device.log --new $board/slow.log
    check "$board: and names it" grep '<failure message="native_call_depthwise_2' $board/gate.xml
    check "$board: a limit holds" exits 0 etinspect gate --fail_on 'total:p50>30ms' $board/device.log
    check "$board: and is exceeded" exits 1 etinspect gate --fail_on 'total:p50>30ms' $board/slow.log
done

# ---- the same bytes on every processor -----------------------------------------------------------

warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

# run_on_board SOURCE NAME CFLAGS...: builds a source of this folder for the Cortex-M3; NAME.log has its output.
run_on_board() {
    source=$top/tests/embedded/$1
    name=$2
    shift 2
    # shellcheck disable=SC2086
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c11 $warnings -g -ffunction-sections -fdata-sections "$@" -I"$example/board" \
        -I"$top/src" -I"$top/src/include" "$source" "$example/board/board.c" "$top"/src/capture/*.c -nostartfiles -specs=nano.specs \
        -T "$example/board/mps2.ld" -Wl,--gc-sections -o "$name.elf" && qemu mps2-an385 "$name.elf" >"$name.log"
}

portable_here() {
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 $warnings ${CFLAGS-} -I"$top/src/include" "$top/tests/embedded/portable.c" "$build/libetcapture.a" -o portable &&
        ./portable >portable.expected
}
# Tests the other byte order.
portable_s390x() {
    # shellcheck disable=SC2086
    s390x-linux-gnu-gcc -static -std=c17 -D_GNU_SOURCE -O2 $warnings -I"$top/src" -I"$top/src/include" \
        "$top/tests/embedded/portable.c" "$top"/src/capture/*.c -o portable_s390x && qemu-s390x ./portable_s390x >s390x.log &&
        cmp portable.expected s390x.log
}
check 'random calls on this machine' portable_here
check 'they are those of 37 files' [ "$(grep -c '^# etcapture bytes=' portable.expected)" = 37 ]
check 'a capture is made with the parts that it needs' \
    grep -qx 1000000011000000101000001111000010001000110011001010101011111111 portable.expected
check 'the Cortex-M3 prints' run_on_board portable.c portable -DBOARD -Os
check 'the same' cmp portable.expected portable.log
if command -v s390x-linux-gnu-gcc >/dev/null && command -v qemu-s390x >/dev/null; then
    check 'so does s390x' portable_s390x
else
    echo 'skipped: a big-endian processor: s390x-linux-gnu-gcc or qemu-s390x is not installed'
    n_skipped=$((n_skipped + 1))
fi

# ---- losses on the wire --------------------------------------------------------------------------

# measure NAME CFLAGS...: runs measure.c on the Cortex-M3.
measure() {
    name=$1
    shift
    run_on_board measure.c "$name" "$@"
}
check 'measure.c is built with -O2, and runs' measure fast -O2
check 'measure.c is built with -Os, and runs' measure small -Os

commands small.log >wire.log
mkdir wire
check 'a log in short lines, with a debug buffer, is read' table wire.log wire.tsv
check 'its shell lines are executed' sh -ec 'cd wire && sh -e ../wire.log'
check 'they make the debug buffer' \
    grep "^# etcapture .* debug_bytes=$(wc -c <wire/debug_buffer.bin) debug_crc32=$(crc wire/debug_buffer.bin)\$" wire.log
check 'and the same ETDump' etinspect --debug_buffer_path wire/debug_buffer.bin --tsv_path file.tsv wire/etdump.bin
check 'which gives the same table' cmp wire.tsv file.tsv

# refused CAUSE: damaged.log is rejected with one message, which gives advice.
is_refused() {
    etinspect --tsv_path damaged.tsv damaged.log >found 2>message
    [ $? = 3 ] && ! [ -s found ] && [ "$(wc -l <message)" = 1 ] && cat message && grep -q 'was the log captured\|capture it until' message
}
damaged() {
    what=$1
    shift
    "$@" wire.log >damaged.log
    check "$what" is_refused
}
first=$(grep -n '^echo' wire.log | tail -n 1 | cut -d : -f 1) # the line in which the ETDump begins
damaged 'a character that is missing' sed "$((first + 2))s/.//"
damaged 'four characters that are missing' sed "$((first + 2))s/....//"
damaged 'a line that is missing' sed "$((first + 2))d"
damaged 'a character that is another' sed "$((first + 2))y/ABCDEFGHIJKLMNOPQRSTUVWXYZ/BCDEFGHIJKLMNOPQRSTUVWXYZA/"
damaged 'a line that came twice' sed "$((first + 2))p"
damaged 'a log that ends early' head -n $((first + 4))
damaged 'text of somebody else in between' sed "$((first + 2))s/^/[tick] /"
damaged 'the first line of the ETDump that is missing' sed "${first}d"
damaged 'the last line of the ETDump that is missing' sed '/base64 -d >etdump/d'
damaged 'a line of sizes that is damaged' sed 's/crc32=/crc3=/'

# Whichever character is missing, the log is rejected, or the table is that of the complete log.
any_character() {
    size=$(wc -c <wire.log)
    at=1
    while [ $at -le "$size" ]; do
        awk -v at=$at '{ text = text $0 "\n" } END { printf "%s", substr(text, 1, at - 1) substr(text, at + 1) }' wire.log >damaged.log
        if etinspect --tsv_path damaged.tsv damaged.log >found 2>message; then
            cmp damaged.tsv wire.tsv || { echo "character $at"; return 1; }
        elif [ $? != 3 ] || [ "$(wc -l <message)" != 1 ]; then
            echo "character $at" && cat message
            return 1
        fi
        at=$((at + 17))
    done
}
check 'any character that is missing' any_character

# ---- costs -------------------------------------------------------------------------------

value() { sed -n "s/^$2 //p" "$1.log"; }
# at_most NAME FOUND LIMIT
at_most() { echo "$1: $2, limit $3" && [ "$2" -le "$3" ]; }

check 'an instruction is counted as one' [ "$(value fast two)" = 2 ]
check 'all events were recorded' sh -c '! grep events_missing fast.log small.log'
for optimized in fast small; do
    check "$optimized: instructions of an event by id" at_most by_id "$(value $optimized by_id)" 120
    check "$optimized: instructions of an event by id in a ring" at_most by_id_ring "$(value $optimized by_id_ring)" 120
    check "$optimized: instructions of an event by text" at_most by_text "$(value $optimized by_text)" 400
done
for part in record save print; do
    for optimized in fast small; do
        check "$optimized: stack of $part" at_most stack_$part "$(value $optimized stack_$part)" 1024
    done
done

echo
echo 'Cortex-M3 in QEMU, clock excluded                      -O2    -Os   goal'
while read -r key goal what; do
    printf '%-50s %6s %6s %6s\n' "$what" "$(value fast "$key")" "$(value small "$key")" "$goal"
done <<'END'
by_id 120 instructions of an event by id
by_id_ring 120 the same in a ring
by_text 400 instructions of an event by text of 13 characters
stack_record 1024 bytes of stack to record
stack_save 1024 to save
stack_print 1024 to print
END

# The core consists of all sources except those for machines with files; a program links only the functions that it calls.
core_size() {
    rm -rf objects
    mkdir objects
    for source in "$top"/src/capture/*.c; do
        case ${source##*/} in hosted*.c | journal*.c | nrt*.c) continue ;; esac
        arm-none-eabi-gcc -mcpu="$1" -mthumb -std=c11 -Os -ffreestanding -I"$top/src" -I"$top/src/include" -c "$source" \
            -o "objects/$(basename "$source" .c).o" || return
    done
    arm-none-eabi-size -t objects/*.o | awk 'END { print $1, $2 + $3 }'
}
# Bytes of code of tiny_cnn with the capture, minus those without.
linked_size() {
    for define in ETC_ENABLED ETC_DISABLED; do
        sources=
        [ $define = ETC_DISABLED ] || sources=$(ls "$top"/src/capture/*.c)
        # shellcheck disable=SC2086
        (cd "$example" && arm-none-eabi-gcc -mcpu="$1" -mthumb -std=c11 -Os -ffunction-sections -fdata-sections -D$define -I. \
            -I"$top/src" -I"$top/src/include" board/main.c board/board.c network.c layers.c digits.c weights.c \
            $sources -nostartfiles -specs=nano.specs -T board/mps2.ld \
            -Wl,--gc-sections -o "$work/$define.elf") || return
    done
    arm-none-eabi-size ETC_ENABLED.elf ETC_DISABLED.elf | awk 'NR == 2 { with = $1 + $2 } NR == 3 { print with - $1 - $2 }'
}

echo
echo 'Bytes with -Os   all of the core   what tiny_cnn needs (goal: 8192)'
for cpu in cortex-m0plus cortex-m3 cortex-m4 cortex-m7 cortex-m55; do
    size=$(core_size $cpu)
    check "$cpu: the core has no data" [ "${size#* }" = 0 ]
    linked=$(linked_size $cpu)
    printf '%-16s %15s %21s\n' $cpu "${size% *}" "$linked"
    check "$cpu: what tiny_cnn needs is known" [ "${linked:-0}" -gt 0 ]
    most=8192
    [ $cpu = cortex-m0plus ] && most=8400 # has no instructions for long products, and shorter offsets
    check "$cpu: what tiny_cnn needs" at_most bytes "$linked" $most
done

echo "embedded: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
