#!/bin/sh
# table.sh BUILD SIZE [SHAPE...] - measures every shape of this size (all, or those named) with every command that applies
# to it, in turns with the valid file to compare with, and prints one table. Nothing fails.
#
# COMMANDS="ops tree" asks only these (see commands.sh). TIMES=n measures n times and takes the least; SECONDS_EACH=n ends a command after so long (it shows as 142).
set -eu
export LC_ALL=C

if [ $# -lt 2 ]; then
    echo "usage: $0 BUILD SIZE [SHAPE...]" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
size=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$build/hostile.XXXXXX") # /tmp may be memory
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck source=tests/hostile/commands.sh
. "$here/commands.sh"

commands_for() {
    if [ -f "$work/$1/model.pte" ]; then
        echo "$program_commands"
        return
    fi
    case $1 in
    pickle_*) echo "table $output_commands" ;;
    *reference* | safetensors_* | npz_* | bundle_*) echo "$reference_commands" ;;
    *debug* | *tensors* | *zeros* | two_truths | many_sizes) echo "table summary check $tensor_commands" ;;
    *metadata*) echo table tsv check bytes utf8 hex json ;;
    *)
        echo table tsv csv check summary runs diff
        if [ -f "$work/$1/record.etrecord" ]; then echo module tree ops graph source; fi
        ;;
    esac
}

measure_both() {
    # shellcheck disable=SC2046 # lists of arguments
    "$build/measure" "${TIMES-1}" "${SECONDS_EACH-120}" \
        "$build/etinspect" $(command_line "$1" "$work/$2") -- "$build/etinspect" $(command_line "$1" "$work/$3")
}

# Prints the two lines of measure as a row.
print_row() {
    awk -v shape="$1" -v command="$2" -v valid="$3" -v size="$4" '
        { status[NR] = $1; wall[NR] = $2; processor[NR] = $3; kilobytes[NR] = $4 }
        END {
            printf "%-24s %9d  %-6s %4d %10.1f %10.1f  %-15s %6.2f %6.2f %8d\n", shape, size, command, status[1], wall[1],
                processor[1], valid, wall[1] / wall[2], processor[1] / processor[2], kilobytes[1]
        }'
}

is_wanted() {
    wanted=$1
    shift
    [ $# = 0 ] && return
    for name in "$@"; do
        [ "$name" = "$wanted" ] && return
    done
    return 1
}

make_once() {
    [ -d "$work/$1" ] || "$build/make_shape" "$1" "$size" "$work/$1"
}

printf '%-24s %9s  %-6s %4s %10s %10s  %-15s %6s %6s %8s\n' shape bytes asked exit 'wall ms' 'cpu ms' 'compared with' wall cpu KiB
"$build/make_shape" list >"$work/shapes"
while read -r shape valid _; do
    is_wanted "$shape" "$@" || continue
    make_once "$shape"
    make_once "$valid"
    bytes=$(cat "$work/$shape"/* | wc -c)
    for command in ${COMMANDS-$(commands_for "$shape")}; do
        measure_both "$command" "$shape" "$valid" >"$work/measured"
        print_row "$shape" "$command" "$valid" "$bytes" <"$work/measured" | tee -a "$work/table"
    done
    case $shape in
    valid_*) ;;
    *) rm -r "${work:?}/$shape" ;;
    esac
done <"$work/shapes"

awk '
    $1 !~ /^valid_/ && $9 > cpu { cpu = $9; row = $1 " " $3 }
    $10 > most { most = $10; large = $1 " " $3 }
    END {
        printf "largest ratio: %.2f of processor time (%s); most memory: %d KiB (%s)\n", cpu, row, most, large
    }' "$work/table"
