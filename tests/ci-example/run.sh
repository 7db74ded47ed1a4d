#!/bin/sh
# run.sh BUILD - runs the steps of performance.yml as a runner does, on real repeated runs, some of them slowed down.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
data=$top/testdata/mlp-many-runs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

n_passed=0
n_failed=0

expect() {
    if [ "$2" = "$3" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $1: expected $2, found $3"
    fi
}

# has WHAT FILE PATTERN
has() {
    if grep -q -e "$3" "$2"; then expect "$1" there there; else expect "$1" there "nothing like '$3' in ${2##*/}"; fi
}

# script NAME: the lines of `run: |` of that step
script() {
    awk -v name="$1" '
        /^      - / { at = ($0 ~ "name: " name "$") }
        at && /^        run: \|/ { inside = 1; next }
        inside && !/^          / { inside = 0 }
        inside { print substr($0, 11) }' "$here/performance.yml"
}

# step NAME: as GitHub runs it; the exit status is left in `status`
step() {
    script "$1" >"$work/step.sh"
    (cd "$work/checkout" && bash -e "$work/step.sh") >"$work/log" 2>&1
    status=$?
}

deal() {
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/deal_runs.py" "$top/schema/etdump.fbs" "$data/run.etdp" "$@" 2>"$work/flatc" ||
        { cat "$work/flatc"; exit 1; }
}

# Two halves of what was measured, one of them with a slower layer norm, and one of too few runs.
deal "$work/good.etdp" 10::2
deal "$work/other.etdp" 11::2
deal "$work/slow.etdp" 11::2 native_call_native_layer_norm.out=1.5
deal "$work/few.etdp" 10:11

mkdir "$work/bin" "$work/checkout"
cat >"$work/bin/etinspect" <<END
#!/bin/sh
exec ${RUNNER-} "$build/etinspect" "\$@"
END
cat >"$work/checkout/measure" <<END
#!/bin/sh
cp "$work/\$MEASURED.etdp" "\$1" && cp "$data/record.etrecord" "\$2"
END
chmod +x "$work/bin/etinspect" "$work/checkout/measure"
export PATH="$work/bin:$PATH" GITHUB_SHA=0123abc GITHUB_STEP_SUMMARY="$work/summary.md"

[ -n "$(script Measure)" ] && [ -n "$(script Compare)" ] && [ -n "$(script 'Renew the baseline')" ]
expect 'the workflow has its steps' 0 $?

# A push to main, when there is no baseline yet.
export MEASURED=good
step Measure
expect 'measuring' 0 $status
step Compare
expect 'comparing with nothing' 0 $status
step 'Renew the baseline'
expect 'saving a baseline' 0 $status
has 'the baseline knows its commit' "$work/checkout/baseline.csv" '^label,commit,0123abc$'

# A pull request that changes nothing.
MEASURED=other
step Measure
step Compare
expect 'a pull request without a change' 0 $status
has 'it is passed' "$work/log" '^Gate passed$'
if grep -q '^::error' "$work/log"; then expect 'no annotation' none some; else expect 'no annotation' none none; fi

# One that makes an operator slower.
: >"$work/summary.md"
MEASURED=slow
step Measure
step Compare
expect 'a slower operator' 1 $status
has 'an annotation at the source line' "$work/log" \
    '^::error file=/tmp/etinspect-models/models.py,line=[0-9]*,title=op%3Ap50>+5%25::native_call_native_layer_norm.out'
has 'commands are stopped while the report is printed' "$work/log" '^::stop-commands::[0-9a-f]\{32\}$'
has 'and taken again' "$work/log" '^::[0-9a-f]\{32\}::$'
has 'the summary says it' "$work/summary.md" '^### Gate failed$'
has 'with the details folded' "$work/summary.md" '^<summary>All checks</summary>$'
has 'the JUnit report says it' "$work/checkout/gate.xml" '<failure message="native_call_native_layer_norm.out'
xmllint --noout --schema "$top/schema/junit.xsd" "$work/checkout/gate.xml" 2>"$work/xmllint"
expect 'the JUnit report is valid' 0 $?
python3 - "$work/checkout/benchmark.json" <<'END'
import json, sys
entries = json.load(open(sys.argv[1]))
assert len({entry["name"] for entry in entries}) == len(entries) > 1
assert all(isinstance(entry["value"], float) and entry["unit"] == "ms" for entry in entries)
END
expect 'the benchmark JSON is read' 0 $?

# One that was hardly measured.
MEASURED=few
step Measure
step Compare
expect 'too few runs' 6 $status
has 'it says how many are needed' "$work/log" 'runs are too few to say, [0-9]* a side are needed'

echo "ci: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
