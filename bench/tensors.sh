#!/bin/sh
# tensors.sh BUILD [TENSORS [BYTES]] - measures statistics and comparisons of recorded tensors: their time beside reading
# the bytes, and their memory besides the files.
#
# 10,000 tensors in a debug buffer of 1 GB, and two of these: 3 GB of memory and 2 GB of disk. Each command runs 9 times,
# in turns with reading. README.md explains the table.
set -eu

if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    echo "usage: $0 BUILD [TENSORS [BYTES]]" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
shift
work=$build/bench/tensors
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
python3 "$source/bench/make_tensors.py" "$work" "$@"
cd "$work"
LC_ALL=C
export LC_ALL

one="--debug_buffer_path debug_buffer.bin"
same="$build/etinspect numerics --match instruction run.etdp run.etdp $one $one"
two="$build/etinspect numerics --match instruction run.etdp run.etdp $one --debug_buffer_path another_buffer.bin"
sums="$build/bench/raw_sum"

# Mapped files do not count as data. The limit is 64 MB.
limited() {
    if prlimit --data=67108864 "$@" >/dev/null; then
        echo "below 64 MB of data: $*"
    else
        echo "not below 64 MB of data: $*"
    fi
}

# shellcheck disable=SC2086 # commands are words to be split
{
    "$build/bench/measure" -n 9 -b 120 : 'reading, mapped' /dev/null $sums mmap debug_buffer.bin \
        : 'reading, copied' /dev/null $sums read debug_buffer.bin \
        : 'tensors --threads 1' /dev/null "$build/etinspect" tensors --threads 1 run.etdp $one \
        : 'tensors --threads 2' /dev/null "$build/etinspect" tensors --threads 2 run.etdp $one \
        : 'numerics --threads 1' /dev/null $two --threads 1 : 'numerics --threads 2' /dev/null $two --threads 2 \
        : 'numerics --threads 1, the same bytes' /dev/null $same --threads 1 |
        awk -F '\t' -v size="$(stat -c %s debug_buffer.bin)" '
            NR == 1 { printf "%-38s %9s %9s %10s %12s %9s\n", "", "wall s", "cpu s", "x reading", "x (cpu)", "beside MB" }
            NR == 1 || (NR == 2 && $4 < wall) { wall = $4 }
            NR == 1 || (NR == 2 && $7 < cpu) { cpu = $7 }
            {
                sides = $2 ~ /^numerics/ ? 2 : 1
                printf "%-38s %9.3f %9.3f", $2, $4, $7
                if (NR > 2)
                    printf " %10.2f %12.2f %9.1f", $4 / wall / sides, $7 / cpu / sides, ($8 - sides * size) / 1e6
                print $10 == "ok" ? "" : " " $10
            }'
    limited "$build/etinspect" tensors --threads 2 run.etdp $one
    limited $two --threads 2
}
