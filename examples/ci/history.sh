#!/bin/sh
# history.sh - measures one build, adds its processes to a history in a branch of the repository, and reports what changed
# and when.
#
# Settings are environment variables:
#   NEW          command that runs the build once and writes an ETDump to {}
#   ETRECORD     record of the model, or empty
#   PROCESSES    number of processes to add (5)
#   KEEP         maximum number of pushes in the history; the oldest are removed (200)
#   ALLOW        CSV file of known changes, which need not exist; trend does not report them again
#   REPOSITORY   a clone that can push, with the built commit checked out
#   HISTORY      the branch; it is created if missing, and holds only history.csv
#   REPORTS      folder for history.csv and trend.md
#   JOB          label of the processes, which trend takes for one push; by default what the CI system sets:
#   GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, GITHUB_JOB    by GitHub
#   CI_JOB_ID, BUILDKITE_JOB_ID                      by GitLab, by Buildkite
#   GITHUB_STEP_SUMMARY    set by GitHub's runner
set -eu

REPORTS=${REPORTS:-performance}
mkdir -p "$REPORTS"
saved=$(cd "$REPORTS" && pwd)/history.csv
record=${ETRECORD:+$(realpath "$ETRECORD")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

git() { command git -C "$REPOSITORY" "$@"; }

# Fetches the branch; `parent` is its commit, or empty.
fetch() {
    rm -f "$saved"
    parent=
    git ls-remote --heads origin "refs/heads/$HISTORY" >"$work/heads"
    if [ -s "$work/heads" ]; then
        git fetch -q --depth 1 origin "$HISTORY"
        parent=$(git rev-parse FETCH_HEAD)
        git show "$parent:history.csv" >"$saved"
    fi
}

# Adds one commit to the branch. Fails if another job added one meanwhile.
push() {
    blob=$(git hash-object -w --stdin <"$saved") &&
        tree=$(printf '100644 blob %s\thistory.csv\n' "$blob" | git mktree) &&
        added=$(git -c user.name='github-actions[bot]' \
            -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
            commit-tree "$tree" ${parent:+-p "$parent"} -m "Add the performance of $commit") &&
        git push -q origin "$added:refs/heads/$HISTORY"
}

# Adds the dumps, which are called COMMIT/new-01.etdp and so on.
save() {
    cd "$work"
    etinspect baseline save --append --keep "${KEEP:-200}" "$saved" "$name"/*.etdp ${record:+"$record"} \
        --label "commit=$commit" --label "date=$date" ${job:+--label "job=$job"}
}

commit=$(git rev-parse HEAD)
name=$(git rev-parse --short HEAD)
job=${JOB:-${GITHUB_RUN_ID:+$GITHUB_RUN_ID-${GITHUB_RUN_ATTEMPT:-1}-${GITHUB_JOB:-job}}}
job=${job:-${CI_JOB_ID:-${BUILDKITE_JOB_ID:-}}}
date=$(git show -s --format=%cs HEAD)

etinspect measure --new "$NEW" --pairs "${PROCESSES:-5}" --output_dir "$work/$name" >/dev/null

for try in 1 2 3; do
    fetch
    (save)
    if push; then break; fi
    if [ "$try" = 3 ]; then exit 1; fi
done

set -- "$saved"
[ ! -f "${ALLOW:-}" ] || set -- "$@" --allow "$ALLOW"
# Exit status 6: there are not enough pushes yet.
etinspect trend "$@" --format markdown --output "$REPORTS/trend.md" || [ $? = 6 ]
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$REPORTS/trend.md" ]; then cat "$REPORTS/trend.md" >>"$GITHUB_STEP_SUMMARY"; fi
