#!/bin/sh
# gate.sh - measures two builds in turns on this machine, and fails if the new one is slower.
#
# Does not need GitHub, so other CI systems can use it. Settings are environment variables:
#   NEW, BASE            commands that run a build once and write an ETDump to {}; without BASE, as for the first pull request,
#                        nothing is compared
#   ETRECORD             record of NEW's model; also of BASE's, unless BASE_ETRECORD names another
#   RULES                rules for --fail_on, one per line; without rules and a budget: op:p50>+5% and total:p50>+5%
#   BUDGET, ALLOW        CSV files; ALLOW need not exist
#   PAIRS                number of processes of each build, at most
#   MARGIN               a pass says that nothing is slower by the limit of its rule and this share more (10%)
#   REPOSITORY           files in annotations are relative to this folder
#   SOURCE_MAP           FROM=TO, one per line: places of files in stack traces within the repository
#   SLOWER_IS_INTENDED   true: exit with 0 if something is slower; reports say so, without a failure
#   CANNOT_TELL          pass: exit with 0 if the gate cannot tell; reports say so, without an error
#   REPORTS              folder for gate.md and gate.xml (JUnit), and codequality.json if GitLab sets GITLAB_CI
#   COMMIT, JOB          labels of the measurement; by default what the CI system sets:
#   GITHUB_SHA, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, GITHUB_JOB    by GitHub
#   CI_COMMIT_SHA, CI_JOB_ID                                     by GitLab
#   BUILDKITE_COMMIT, BUILDKITE_JOB_ID                           by Buildkite
#   GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT    set by GitHub's runner
# Empty settings are ignored. Exits as `etinspect gate` does: 0 nothing slower, 1 slower, 6 cannot tell.
set -u

REPORTS=${REPORTS:-performance}
mkdir -p "$REPORTS" || exit 4

# Prints a line, and adds it to the summary of the job.
say() {
    echo "$1"
    [ -z "${GITHUB_STEP_SUMMARY:-}" ] || printf '\n%s\n' "$1" >>"$GITHUB_STEP_SUMMARY"
}

commit=${COMMIT:-${GITHUB_SHA:-${CI_COMMIT_SHA:-${BUILDKITE_COMMIT:-}}}}
job=${JOB:-${GITHUB_RUN_ID:+$GITHUB_RUN_ID-${GITHUB_RUN_ATTEMPT:-1}-${GITHUB_JOB:-job}}}
job=${job:-${CI_JOB_ID:-${BUILDKITE_JOB_ID:-}}}

set -- --new "$NEW"
[ -z "${PAIRS:-}" ] || set -- "$@" --pairs "$PAIRS"
[ -z "${ETRECORD:-}" ] || set -- "$@" --etrecord_path "$ETRECORD"
[ -z "$commit" ] || set -- "$@" --label "commit=$commit"
[ -z "$job" ] || set -- "$@" --label "job=$job"
if [ -z "${BASE:-}" ]; then
    say 'There is no base yet, so nothing is compared: this is the noise of the new build.'
    exec etinspect measure "$@" --format markdown --output "$REPORTS/gate.md"
fi
set -- "$@" --base "$BASE" --report "junit=$REPORTS/gate.xml" --report "markdown=$REPORTS/gate.md"
[ -z "${BASE_ETRECORD:-}" ] || set -- "$@" --base_etrecord_path "$BASE_ETRECORD"
[ -z "${BUDGET:-}" ] || set -- "$@" --budget "$BUDGET"
[ ! -f "${ALLOW:-}" ] || set -- "$@" --allow "$ALLOW"
[ -z "${MARGIN:-}" ] || set -- "$@" --margin "$MARGIN"
[ -z "${REPOSITORY:-}" ] || set -- "$@" --source_root "$(cd "$REPOSITORY" && pwd)"
[ -z "${GITHUB_ACTIONS:-}" ] || set -- "$@" --github
[ -z "${GITLAB_CI:-}" ] || set -- "$@" --report "codequality=$REPORTS/codequality.json"
[ "${SLOWER_IS_INTENDED:-}" != true ] || set -- "$@" --failed_status 0
[ "${CANNOT_TELL:-}" != pass ] || set -- "$@" --undecided_status 0
while IFS= read -r rule; do
    [ -z "$rule" ] || set -- "$@" --fail_on "$rule"
done <<LINES
${RULES:-}
LINES
while IFS= read -r map; do
    [ -z "$map" ] || set -- "$@" --source_map "$map"
done <<LINES
${SOURCE_MAP:-}
LINES

[ -z "${GITHUB_STEP_SUMMARY:-}" ] || echo '## Performance' >>"$GITHUB_STEP_SUMMARY"

# A cancelled job ends the measurement, which then judges the complete pairs.
etinspect measure "$@" &
measure=$!
trap 'kill -TERM "$measure" 2>/dev/null' HUP INT TERM
wait "$measure"
status=$?
while kill -0 "$measure" 2>/dev/null; do
    wait "$measure"
    status=$?
done

[ -z "${GITHUB_OUTPUT:-}" ] || echo "status=$status" >>"$GITHUB_OUTPUT"
if [ "$status" = 6 ]; then
    # shellcheck disable=SC2016 # Markdown
    say 'Exit status 6: cannot tell whether something became slower. It is not a failure of the change: the processes of one
build differ by more than the rules ask for, or too few were measured. The report says how many are needed. What helps:
more `pairs`; a quieter machine, or one of your own with a fixed clock; more work in each process; a rule with a larger limit.
With `cannot_tell: pass` the job stays green in this case.'
elif [ "$status" -gt 1 ]; then
    say 'Nothing was judged: a command failed, or a setting is wrong. The log of this step says which.'
fi
exit "$status"
