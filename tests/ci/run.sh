#!/bin/sh
# run.sh BUILD - runs examples/ci as GitHub's runner does (run_workflow.py), with a repository, on a program whose processes
# differ as real ones do (executor_runner.py). It uses no network. RUNNER, if set, is a command that runs the program.
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
example=$top/examples/ci
data=$top/testdata/mlp-many-runs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

n_passed=0
n_failed=0
# Set by run() and for it.
workflow='' name='' event='' sha='' label='' status='' reports='' log='' summary=''

expect() {
    if [ "$2" = "$3" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $1: expected $2, found $3"
    fi
}

# has WHAT FILE PATTERN, has_not WHAT FILE PATTERN
has() {
    if grep -q -e "$3" "$2"; then expect "$1" there there; else expect "$1" there "nothing like '$3' in ${2##*/}"; fi
}
has_not() {
    expect "$1" "nothing like '$3'" "$(grep -m 1 -e "$3" "$2" || echo "nothing like '$3'")"
}

if ! python3 -c 'import yaml' 2>/dev/null; then
    echo 'skipped: python3-yaml is not installed'
    echo 'ci: 0 passed, 0 failed, 1 skipped'
    exit 0
fi

# ---- a user's repository ----------------------------------------------------------------------------------

mkdir "$work/bin"
cat >"$work/bin/etinspect" <<END
#!/bin/sh
exec ${RUNNER-} "$build/etinspect" "\$@"
END
# A replacement of gh, which keeps comments in a file, and refuses changes after `gh_api.py FILE refuse`.
cat >"$work/bin/gh" <<END
#!/bin/sh
exec python3 "$here/gh_api.py" "$work/comments.json" "\$@"
END
chmod +x "$work/bin/etinspect" "$work/bin/gh"
export PATH="$work/bin:$PATH" GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1
git config --global user.name Tester
git config --global user.email tester@localhost
git config --global init.defaultBranch main
git config --global protocol.file.allow always # submodules may be folders of this machine

origin=$work/origin
clone=$work/clone
git init -q --bare "$origin"
git -C "$origin" config uploadpack.allowAnySHA1InWant true
git clone -q "$origin" "$clone" 2>/dev/null
# The model is in a submodule, and the first commit has no target `runner`.
git init -q "$work/models"
echo '{}' >"$work/models/README"
git -C "$work/models" add README
git -C "$work/models" commit -q -m 'Models'
git -C "$clone" submodule --quiet add "file://$work/models" third-party
git -C "$clone" commit -q -m 'Before all'
mkdir "$clone/ci"
cp "$example/gate.sh" "$example/comment.sh" "$clone/ci/"
cat >"$clone/Makefile" <<END
runner:
	mkdir build
	test -s third-party/README
	cp model.json build/model.pte
	cp $data/record.etrecord build/model.etrecord
	printf '%s\\n' '#!/bin/sh' 'exec python3 $here/executor_runner.py "\$\$@"' >build/executor_runner
	chmod +x build/executor_runner
END

# model SLOWER SCATTER [HOLD]: writes the model for executor_runner.py
model() {
    echo "{\"etdump\": \"$data/run.etdp\", \"slower\": {$1}, \"level\": 0.01, \"scatter\": $2, \"noise\": 0.02, \"hold\": ${3:-null}}" \
        >"$clone/model.json"
}

commit() {
    git -C "$clone" add -A
    git -C "$clone" commit -q -m "$1"
}

# propose NAME: commits the changes to a branch of this name, and merges it as GitHub does for a pull request.
propose() {
    git -C "$clone" checkout -q -b "$1"
    commit "$1"
    git -C "$clone" checkout -q -b "merge-$1" main
    git -C "$clone" merge -q --no-ff -m "Merge $1" "$1"
    git -C "$clone" push -q origin "HEAD:refs/pull/$1/merge"
    git -C "$clone" checkout -q main
}

# run NAME EVENT COMMIT [LABEL [OPTION...]]: runs the workflow; sets `status`, and leaves files in $work/NAME.
run() {
    name=$1
    event=$2
    sha=$(git -C "$clone" rev-parse "$3")
    label=${4-}
    shift 3
    [ $# = 0 ] || shift
    cat >"$work/$name.json" <<END
{"event_name": "$event", "ref": "refs/heads/main", "sha": "$sha", "clone": "$origin", "repository": "team/model", "token": "secret",
 "event": {"pull_request": {"number": 12, "labels": [{"name": "documentation"}, {"name": "$label"}]}}}
END
    python3 "$here/run_workflow.py" "${workflow:-$example/performance.yml}" "$work/$name.json" "$work/$name" \
        --action "OWNER/etinspect/examples/ci@v0.2.0=$example" --action "OWNER/etinspect/examples/ci/comment@v0.2.0=$example/comment" \
        "$@" >"$work/$name.log" 2>&1
    status=$?
    reports=$work/$name/artifacts/performance
    log=$work/$name.log
    summary=$work/$name/summary.md
}

# result JOB: prints the result in the last run
result() {
    sed -n "s/.*\"$1\": \"\\([a-z]*\\)\".*/\\1/p" "$work/$name/jobs.json"
}

slower='"native_call_native_layer_norm.out": 1.5'
model '' 0.01
commit 'Start'
git -C "$clone" tag first
git -C "$clone" push -q origin main first

# ---- pull requests ---------------------------------------------------------------------------------------------------

echo 'Nothing that matters.' >"$clone/README"
echo "echo \"leaked \${GITLAB_TOKEN-nothing}\"" >>"$clone/ci/comment.sh"
propose unchanged
run unchanged pull_request merge-unchanged
expect 'a pull request without a change' 0 $status
has 'it is passed' "$reports/gate.md" '^passed: '
has 'the summary says so' "$summary" '^passed: '
has_not 'no annotation' "$log" '^::error'
expect 'a comment is written' success "$(result comment)"
comments() { python3 "$here/gh_api.py" "$work/comments.json" list; }
comments >"$work/comments"
expect 'it is the only one' 1 "$(grep -c '^== ' "$work/comments")"
has 'it is that of this pull request' "$work/comments" '^== 12 Bot$'
has 'it says the answer' "$work/comments" '^passed: '

model "$slower" 0.01
propose slower
sed 's,^\( *\)repository: new$,&\n\1source_map: /tmp/etinspect-models=models,' "$example/performance.yml" >"$work/mapped.yml"
workflow=$work/mapped.yml
run slower pull_request merge-slower
workflow=
expect 'a slower operator' 1 $status
comments >"$work/comments"
has 'the comment says it, though the job failed' "$work/comments" '^failed: '
has 'an annotation at the source line' "$log" '^::error file=models/models.py,line=[0-9]*,title=op%3Ap50>+5%25::native_call_native_layer_norm.out'
has 'commands are stopped while the report is printed' "$log" '^::stop-commands::[0-9a-f]\{32\}$'
has 'and taken again' "$log" '^::[0-9a-f]\{32\}::$'
has 'the summary says it' "$summary" '^failed: .*native_call_native_layer_norm.out is'
has 'and names the line' "$summary" '| models/models.py | 25 |'
has 'the JUnit report says it' "$reports/gate.xml" '<failure message="native_call_native_layer_norm.out'
xmllint --noout --schema "$top/schema/junit.xsd" "$reports/gate.xml" 2>"$work/xmllint"
expect 'the JUnit report is valid' 0 $?

# Another push replaces the comment of the workflow, and no comment of a person.
python3 "$here/gh_api.py" "$work/comments.json" add 12 User '<!-- etinspect performance --> as it says in its source'
comments >"$work/comments"
expect 'a person and the workflow commented' 2 "$(grep -c '^== ' "$work/comments")"
run intended pull_request merge-slower 'slower is intended'
comments >"$work/comments"
expect 'the comment is replaced' 2 "$(grep -c '^== ' "$work/comments")"
has 'by that of the last push' "$work/comments" '^allowed by --failed_status 0'
has "a person's comment stays" "$work/comments" 'as it says in its source'
expect 'a slower operator that is intended' 0 $status
has 'the report says that it is slower' "$reports/gate.md" '^failed: '
has 'the summary says why it is green' "$summary" '^allowed by --failed_status 0'
has_not 'nothing failed in the JUnit report' "$reports/gate.xml" '<failure'

printf '%s\n' 'pattern,reason' '*layer_norm*,more exact now' >"$clone/performance-allow.csv"
model "$slower" 0.01
propose allowed
run allowed pull_request merge-allowed
expect 'a slower operator that the repository allows' 0 $status
has 'the report says so' "$reports/gate.md" 'allowed: native_call_native_layer_norm.out'
has 'and why' "$reports/gate.md" '| more exact now |'

# The base is as noisy, since the noise comes from the machine.
model '' 0.5
commit 'Noise'
echo 'Nothing that matters.' >"$clone/README"
propose noisy
run noisy pull_request merge-noisy
expect 'where it cannot tell' 1 $status
has 'the summary says what to do' "$summary" '^Exit status 6: cannot tell'
has_not 'nothing is blamed' "$log" '^::error'
sed 's/^\( *\)repository: new$/&\n\1cannot_tell: pass\n\1pairs: 6/' "$example/performance.yml" >"$work/lenient.yml"
workflow=$work/lenient.yml
run lenient pull_request merge-noisy
workflow=
expect 'cannot tell, and that is not a failure' 0 $status
has 'the summary still says it' "$summary" '^cannot tell'
has 'and what allows it' "$summary" '^allowed by --undecided_status 0'
git -C "$clone" reset -q --hard HEAD~1

# comment TOKEN TEXT: shows the report TEXT at pull request 13.
comment() {
    mkdir -p "$work/shown"
    rm -f "$work/shown/gate.md"
    echo "$2" >"$work/shown/gate.md"
    GH_TOKEN=$1 GITHUB_REPOSITORY=team/model PULL_REQUEST=13 REPORTS=$work/shown sh "$example/comment.sh" >"$work/comment.log" 2>&1
}
# comments_of_13: prints the type of user and the last line of each comment.
comments_of_13() { comments | awk '/^== / { if (kind) print kind ": " line; kind = $2 == 13 ? $3 : "" } NF { line = $0 } END { if (kind) print kind ": " line }'; }
python3 "$here/gh_api.py" "$work/comments.json" add 13 User '<!-- etinspect performance --> as a person quotes it'
comment machine 'of the first push'
comment machine 'of the second push'
comment secret 'of the bot'
comment secret 'of the bot, again'
comment machine 'of the third push'
comments_of_13 >"$work/found"
expect 'each token has one comment, and a person has theirs' 3 "$(wc -l <"$work/found")"
has 'a user of a machine replaces its own' "$work/found" '^User: of the third push$'
has 'the bot of Actions replaces its own' "$work/found" '^Bot: of the bot, again$'
has "the person's stays" "$work/found" '^User: .* as a person quotes it$'
comment unknown 'of nobody'
has 'a token that GitHub does not know is no reason to add a comment' "$work/comment.log" 'Bad credentials'
echo 'of another file' >"$work/secret"
rm "$work/shown/gate.md"
ln -s "$work/secret" "$work/shown/gate.md"
GH_TOKEN=machine GITHUB_REPOSITORY=team/model PULL_REQUEST=13 REPORTS=$work/shown sh "$example/comment.sh" >"$work/comment.log" 2>&1
has 'a report that is a link is not shown' "$work/comment.log" 'is a symbolic link$'
comments_of_13 >"$work/found"
has_not 'nor is the file' "$work/found" 'of another file'

python3 "$here/gh_api.py" "$work/comments.json" refuse
run fork pull_request merge-slower
expect 'a pull request from a fork has the result of its measurement' failure "$(result gate)"
expect 'a comment that is refused is no failure' success "$(result comment)"
has 'the log says why there is none' "$log" '^The report is not shown at the request: gh: Resource not accessible'

# ---- the program of a release ----------------------------------------------------------------------------------------

# Named as by `make static`. curl is replaced by a script that copies, so no network is used.
mkdir -p "$work/releases/v0.2.0" "$work/curl"
released=etinspect-0.2.0-$(uname -m)-linux-musl
printf '%s\n' '#!/bin/sh' "echo released >>$work/used" "exec '$work/bin/etinspect' \"\$@\"" >"$work/releases/v0.2.0/$released"
sum=$(sha256sum "$work/releases/v0.2.0/$released" | cut -d ' ' -f 1)
printf '%s\n' '#!/bin/sh' "while [ \$# -gt 2 ]; do shift; done" "echo \"\$2\" >>$work/urls" \
    "cp \"$work/releases/\${2#https://*/download/}\" \"\$1\"" >"$work/curl/curl"
chmod +x "$work/curl/curl"
# take NAME LINE...: runs the workflow with these lines in `with`, on a pull request that is slower.
take() {
    taken=$1
    shift
    for line; do
        printf '          %s\n' "$line"
    done >"$work/$taken.with"
    sed "/^          repository: new\$/r $work/$taken.with" "$example/performance.yml" >"$work/$taken.yml"
    workflow=$work/$taken.yml
    PATH=$work/curl:$PATH
    run "$taken" pull_request merge-slower
    PATH=${PATH#"$work/curl:"}
    workflow=
}
if command -v sha256sum >/dev/null; then
    take released 'version: 0.2.0' "sha256: $(printf 0%.0s $(seq 64)) $sum"
    expect 'the program of a release finds what is slower, and its status is that of the job' 1 $status
    has 'it is used' "$work/used" released
    has 'the status is an output' "$summary" '^failed: .*native_call_native_layer_norm.out is'
    has 'it is downloaded from the repository of the action' "$work/urls" \
        "^https://github.com/OWNER/etinspect/releases/download/v0.2.0/$released\$"
    rm "$work/used"
    take tampered 'version: 0.2.0' "sha256: $(printf 0%.0s $(seq 64))"
    expect 'another file than that of sha256 is refused' 1 $status
    has 'its sum is named' "$log" "^::error::.* has the SHA-256 $sum"
    expect 'it is not run' absent "$([ -e "$work/used" ] && echo run || echo absent)"
    expect 'nothing is left of it' '' "$(find "$work/tampered" -name "$released*")"
    take unsummed 'version: 0.2.0'
    has 'a missing sum is asked for' "$log" "^::error::sha256 is missing: give that of $released"
    take unreleased 'version: 0.9.0' "sha256: $sum"
    has 'a release that is not there is named' "$log" '^::error::cannot download .*is there a release 0.9.0'
    take mirrored 'version: 0.2.0' "sha256: $sum" 'releases: https://mirror.example/download'
    expect 'the program of a mirror' 1 $status
    has 'it is downloaded from there' "$work/urls" "^https://mirror.example/download/v0.2.0/$released\$"
fi

# ---- the main branch -------------------------------------------------------------------------------------------------

run first push main
expect 'a push to the main branch' 0 $status
git -C "$origin" show performance-history:history.csv >"$work/first.csv"
expect 'a history begins' 5 "$(grep -c '^file,' "$work/first.csv")"
has 'it knows the commit' "$work/first.csv" "commit.*$(git -C "$clone" rev-parse main)"
model "$slower" 0.01
commit 'Slower'
git -C "$clone" push -q origin main
printf '%s\n' '#!/bin/sh' '[ -e refused ] || { : >refused; exit 1; }' >"$origin/hooks/pre-receive"
chmod +x "$origin/hooks/pre-receive"
run second push main
expect 'another one, whose first try is refused' 0 $status
[ -e "$origin/refused" ]
expect 'it was refused' 0 $?
git -C "$origin" show performance-history:history.csv >"$work/second.csv"
expect 'the history grows, and the first push is one entry' 6 "$(grep -c '^file,' "$work/second.csv")"
expect 'by one commit' 2 "$(git -C "$origin" rev-list --count performance-history)"
model "$slower" 0.010 # another text, so its processes differ
commit 'Still slower'
git -C "$clone" push -q origin main
run third push main
expect 'a third one' 0 $status
git -C "$origin" show performance-history:history.csv >"$work/third.csv"
expect 'earlier pushes are one entry each' 7 "$(grep -c '^file,' "$work/third.csv")"
[ ! -e "$reports/trend.md" ]
expect 'three pushes are no trend' 0 $?
cmp -s "$work/third.csv" "$reports/history.csv"
expect 'the artifact has the history' 0 $?

# ---- cancelled -------------------------------------------------------------------------------------------------------

# A process that does not end keeps the measurement from being complete before it is cancelled.
model '' 0.01 2
commit 'The third process hangs'
git -C "$clone" push -q origin main
# The shell of the step waits for etinspect, so that only the last signal ends it.
run cancelled push main '' --cancel_when 'history/workspace/new/build/model.pte.process-2' --patience 1
expect 'a cancelled push' cancelled "$(result history)"
expect 'the history does not grow' 3 "$(git -C "$origin" rev-list --count performance-history)"
# goes_on: whether a process works in the folder of the run.
goes_on() {
    for process in /proc/[0-9]*; do
        case $(readlink "$process/cwd") in "$work"/cancelled*) return 0 ;; esac
    done
    return 1
}
left=600
while [ $left -gt 0 ] && goes_on; do
    left=$((left - 1))
    sleep 0.1
done
expect 'no process goes on' yes "$(goes_on || echo yes)"
model '' 0.01 4
commit 'The fifth process hangs'
git -C "$clone" push -q origin main
echo 'Nothing that matters.' >"$clone/README"
propose late
run late pull_request merge-late '' --cancel_when 'gate/workspace/*/build/model.pte.process-4'
expect 'a cancelled pull request' cancelled "$(result gate)"
has 'it ends when it is asked to' "$log" '^##.cancelled. SIGINT$'
has 'the pairs that are complete are reported' "$reports/gate.md" '^cannot tell: '
has_not 'nothing is blamed' "$log" '^::error'

# ---- GitLab and Buildkite --------------------------------------------------------------------------------------------

result='' # of the last pipeline

# pipeline SYSTEM NAME COMMIT [LABELS]: runs the file of the example; sets `status`, `result`, `reports` and `log`.
pipeline() {
    sha=$(git -C "$clone" rev-parse "$3")
    python3 "$here/run_pipeline.py" "$1" "$example/$1.yml" "$work/$1-$2" "$origin" "$sha" "$(git -C "$clone" rev-parse "$sha^1")" "${4-}"
    status=$?
    result=$(cat "$work/$1-$2/result")
    reports=$work/$1-$2/workspace/performance
    log=$work/$1-$2/log
}
git -C "$clone" push -q origin "merge-noisy^1:refs/heads/noisy"
python3 "$here/gitlab_notes.py" "$work/notes" &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
while ! [ -e "$work/notes.address" ] && kill -0 "$server" 2>/dev/null; do sleep 0.05; done
CI_API_V4_URL=$(cat "$work/notes.address")
export CI_API_V4_URL
printf '%s\n' '#!/bin/sh' "printf '%s ' \"\$@\" >>$work/annotations" "sed 's/^/    /' >>$work/annotations" >"$work/bin/buildkite-agent"
chmod +x "$work/bin/buildkite-agent"
# notes: prints the author and the first two lines of each note at GitLab.
notes() {
    python3 -c 'import json, sys
for note in json.load(open(sys.argv[1])):
    print(note["author"]["id"], note["body"].split("\n")[:2])' "$work/notes"
}
for system in gitlab buildkite; do
    pipeline $system unchanged merge-unchanged
    expect "$system: a change of no code" passed "$result"
    has "$system: the report" "$reports/gate.md" '^passed: '
    pipeline $system slower merge-slower
    expect "$system: a slower operator" failed "$result"
    has "$system: the JUnit report" "$reports/gate.xml" '<failure message='
    [ $system = buildkite ] || has "$system: the code quality report" "$reports/codequality.json" '"severity": "major"'
    has_not "$system: no commands of GitHub" "$log" '^::'
    pipeline $system intended merge-slower 'documentation,slower is intended'
    expect "$system: a slower operator that is intended" passed "$result"
    has "$system: what allows it" "$reports/gate.md" '^allowed by --failed_status 0'
    pipeline $system first first
    expect "$system: the first change, which has no base" passed "$result"
    has "$system: nothing is compared" "$log" '^There is no base yet'
done
comment_log=$work/gitlab-unchanged/performance-comment.log
has_not 'gitlab: the note is no work of the code of the merge request' "$comment_log" '^leaked'
has_not 'gitlab: that code has no token' "$work/gitlab-unchanged/log" 'secret'
pipeline gitlab noisy merge-noisy
expect 'gitlab: where it cannot tell' warning "$result"
notes >"$work/found"
expect 'gitlab: one note is added to both others' 3 "$(wc -l <"$work/found")"
has 'gitlab: it has the last answer' "$work/found" "^7 .*etinspect performance -->', 'cannot tell: "
has "gitlab: a person's note stays" "$work/found" '^3 .*a person quotes it'
has 'gitlab: so does the note of another job' "$work/found" "^7 \['of another job'\]"
pipeline buildkite noisy merge-noisy
expect 'buildkite: where it cannot tell' warning "$result"
sed -n 's/^annotate --style \([a-z]*\) --context performance .*/\1/p' "$work/annotations" >"$work/found"
# unchanged, slower, intended, first, noisy
expect 'buildkite: the annotation of each build' 'success error success success warning ' "$(tr '\n' ' ' <"$work/found")"
has 'buildkite: it has the report' "$work/annotations" '^    failed: '
run first_change pull_request first
expect 'a first pull request, which has no base' 0 $status
has 'nothing is compared' "$log" '^There is no base yet'

# ---- bisecting -------------------------------------------------------------------------------------------------------

git clone -q "$origin" "$work/bisected" 2>/dev/null
(
    cd "$work/bisected" || exit
    git submodule --quiet update --init
    model_of() { echo "{\"etdump\": \"$data/run.etdp\", \"slower\": {$1}, \"level\": 0.01, \"scatter\": 0.01, \"noise\": 0.02}" >model.json; }
    git checkout -q -b bisected first
    for i in 1 2 3 4 5 6; do
        model_of "$([ $i -lt 4 ] || echo "$slower")"
        echo "$i" >number
        [ $i != 3 ] || echo 'runner: ; false' >Makefile # a commit that cannot be built
        [ $i != 4 ] || git checkout -q first Makefile
        git add -A
        git commit -q -m "Commit $i"
    done
    git worktree add -q "$work/fast" bisected~5
    git -C "$work/fast" submodule --quiet update --init
    make -s -C "$work/fast" runner
    git bisect start bisected bisected~5
    command='build/executor_runner --num_executions 60 --etdump_path {} --model_path'
    BASE="$work/fast/$command $work/fast/build/model.pte" BUILD='rm -rf build; make -s runner' NEW="./$command build/model.pte" \
        git bisect run sh "$example/bisect.sh"
) >"$work/bisect.log" 2>&1
has 'the commits around the slower one are found' "$work/bisect.log" 'Commit 4\|first bad commit could be any of'
NEW='false {}' BASE='false {}' BUILD='' sh "$example/bisect.sh" 2>/dev/null
expect 'a command that fails ends bisecting' 128 $?

# ---- without GitHub, and without etinspect ---------------------------------------------------------------------------

command='build/executor_runner --num_executions 60 --etdump_path {} --model_path'
(
    cd "$work/unchanged/gate/workspace" &&
        NEW="new/$command new/build/model.pte" BASE="base/$command base/build/model.pte" REPORTS="$work/plain" sh "$example/gate.sh"
) >"$work/plain.log" 2>&1
expect 'a gate in another CI' 0 $?
has_not 'it prints no commands of GitHub' "$work/plain.log" '^::'
has 'it writes its reports' "$work/plain/gate.md" '^passed: '

mkdir "$work/stub" "$work/copy"
printf '%s\n' '#!/bin/sh' "echo \"\$*\" >>$work/made" >"$work/stub/make"
chmod +x "$work/stub/make"
for tool in sh dirname nproc; do ln -s "$(command -v $tool)" "$work/stub/"; done
cp "$example/install.sh" "$work/copy/"
# install PATH FOLDER
install() {
    GITHUB_PATH=$work/path RUNNER_TEMP=/tmp/runner PATH=$1 sh "$2/install.sh" >"$work/install.log" 2>&1
}
install "$PATH" "$example"
expect 'etinspect is installed' 0 $?
expect 'it is not built' absent "$([ -e "$work/made" ] && cat "$work/made" || echo absent)"
install "$work/stub" "$example"
expect 'etinspect is built' 0 $?
has 'from the source tree of the action' "$work/made" "^-C $top -j [0-9]* install WERROR= PREFIX=/tmp/runner/etinspect\$"
expect 'the next steps find it' /tmp/runner/etinspect/bin "$(cat "$work/path")"
install "$work/stub" "$work/copy"
expect 'an action without its source tree' 2 $?
has 'it says what to do' "$work/install.log" '^::error::etinspect is not installed'

# ---- workflows that GitHub would reject
# ----------------------------------------------------------------------------------------

# refuses WHAT SED_SCRIPT MESSAGE: the workflow, changed so, is not sound.
refuses() {
    sed "$2" "$example/performance.yml" >"$work/$1.yml"
    workflow=$work/$1.yml
    run "$1" push main
    workflow=
    expect "$1 is refused" 2 $status
    has "$1 is named" "$log" "$3"
}
refuses unknown-key 's/timeout-minutes/timeout/' "unknown 'timeout'"
refuses unknown-input 's/etrecord: /record: /' "unknown 'record'"
refuses expression-in-script "s/run: make -C new runner/run: echo \${{ github.ref }}/" 'runs what others write'
refuses unknown-context 's/github.event_name ==/gitub.event_name ==/' 'no context gitub'

echo "ci: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
