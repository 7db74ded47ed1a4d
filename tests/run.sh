#!/bin/sh
# run.sh BUILD [SUITE...] - runs all tests that need no Python peer, or the named suites, and prints the seconds of each;
# ends with "N passed, N failed[, N skipped]".
#
# As many suites run at a time as there are processors, or JOBS. RUNNER, if set, is a command that runs every built program:
#     RUNNER='valgrind -q --error-exitcode=99 --leak-check=full' sh tests/run.sh build
set -u

usage() {
    echo "usage: $0 BUILD [SUITE...]" >&2
    exit 2
}

if [ $# = 0 ] || [ ! -d "$1" ]; then usage; fi
build=$(cd "$1" && pwd)
shift
wanted=" $* "
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export CMOCKA_MESSAGE_OUTPUT=TAP
unset CI TF_BUILD TEAMCITY_VERSION # in CI, names are escaped on standard output

# A line in this pipe permits one suite to run.
mkfifo "$work/turns"
exec 9<>"$work/turns"
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
while [ "$jobs" -gt 0 ]; do
    echo turn >&9
    jobs=$((jobs - 1))
done

n_started=0
n_shown=0
total_passed=0
total_failed=0
total_skipped=0

run_suite() {
    started=$(date +%s)
    "$@" >"$output" 2>&1
    status=$?
    echo "$status $(($(date +%s) - started)) $*" >"$output.part"
    mv "$output.part" "$output.done"
    echo turn >&9
}

# Shows a suite's output, and adds up the counts of its last line: "NAME: N passed, N failed, N skipped".
show_suite() {
    cat "$1"
    read -r status seconds suite <"$1.done"
    echo "    in $seconds s"
    counts=$(sed -n '$s/^[a-z]*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$1")
    if [ -z "$counts" ]; then
        echo "FAILED $suite: it did not end with its counts (exit status $status)"
        counts='0 1 0'
    fi
    read -r passed failed skipped <<COUNTS
$counts
COUNTS
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    total_skipped=$((total_skipped + skipped))
}

# Shows the suites that have ended, in the order in which they were started.
show_ended() {
    while [ $n_shown -lt $n_started ] && [ -f "$work/$n_shown.done" ]; do
        show_suite "$work/$n_shown"
        n_shown=$((n_shown + 1))
    done
}

# add_suite NAME COMMAND... - runs a suite beside others, as many as there are processors, or JOBS.
add_suite() {
    case $wanted in
    '  ') ;;
    *" $1 "*) ;;
    *) return ;;
    esac
    shift
    read -r _ <&9
    show_ended
    output=$work/$n_started
    run_suite "$@" &
    n_started=$((n_started + 1))
}

add_suite unit sh "$tests/tools/unit.sh" "$build"
add_suite test sh "$tests/tools/make_test.sh" "$build"
add_suite schema sh "$tests/tools/schema.sh"
add_suite golden sh "$tests/golden/run.sh" "$build"
add_suite screens sh "$tests/golden/screens.sh" "$build"
add_suite cli sh "$tests/cli/run.sh" "$build"
add_suite faults sh "$tests/faults/run.sh" "$build"
add_suite database sh "$tests/database/run.sh" "$build"
add_suite capture sh "$tests/capture/run.sh" "$build"
add_suite fuzz sh "$tests/fuzz/check.sh" "$build"
add_suite hostile sh "$tests/hostile/check.sh" "$build"
add_suite ci sh "$tests/ci/run.sh" "$build"
add_suite release sh "$tests/ci/release.sh"
add_suite commands python3 "$tests/ci/runner_commands.py" "$build"
add_suite examples sh "$tests/examples/run.sh" "$build"
add_suite readme sh "$tests/readme/run.sh" "$build"
add_suite layout sh "$tests/layout.sh"
add_suite environment sh "$tests/tools/environment.sh"
add_suite sources sh "$tests/tools/tests_of_sources.sh"
add_suite library sh "$tests/tools/library.sh" "$build"
add_suite abi sh "$tests/tools/abi.sh" "$build"
add_suite hardening sh "$tests/tools/hardening.sh" "$build"
add_suite manual sh "$tests/tools/manual.sh" "$build"
add_suite pages sh "$tests/tools/manual_examples.sh" "$build"
add_suite completions sh "$tests/completions/run.sh" "$build"
add_suite instructions sh "$tests/tools/instructions.sh" "$build"
wait
show_ended
[ $n_started -gt 0 ] || { echo "no suite has one of these names:$wanted" >&2 && exit 2; }
if [ $n_shown -lt $n_started ]; then
    echo "FAILED suites that did not end: $((n_started - n_shown))"
    total_failed=$((total_failed + 1))
fi

if [ $total_skipped -gt 0 ]; then
    echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
else
    echo "$total_passed passed, $total_failed failed"
fi
[ $total_failed = 0 ]
