#!/bin/sh
# run.sh [--update] BUILD - tests the completions of bash, zsh and fish: each line of the file `lines` is typed in the real
# shell, and the completed line must be in SHELL.exact. File names are hostile, and no part of them may be executed.
set -u
export LC_ALL=C.UTF-8

update=
if [ "$1" = --update ]; then
    update=1
    shift
fi
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0
n_skipped=0
export PATH="$build:$top/tests/cli/bin:$PATH" SCHEMA="$top/schema" HOME="$work"

mkdir "$work/room"
cd "$work/room" || exit 1
cp "$top/testdata/mlp/run.etdp" "$top/testdata/mlp/record.etrecord" .
cp "$top/testdata/mlp-many-runs/run.etdp" many.etdp
cp "$top/testdata/multi-method/run.etdp" two.etdp
cp "$top/testdata/multi-method/record.etrecord" two.etrecord
cp run.etdp 'two words.etdp'
head -c 200 run.etdp >broken.etdp
echo 'what,metric,limit' >rules.csv
echo text >note.txt
mkfifo pipe
event='"events": [{"profile_event": {"name": "a", "instruction_id": 0, "start_time": 0, "end_time": 1}}]'
cat >dump.json <<END
{"run_data": [{"name": "\$(touch made)", $event}, {"name": "; touch made", $event}, {"name": "\`touch made\`", $event},
  {"name": "a b'c\"d", $event}, {"name": "a\ntouch made", $event}, {"name": "a\$HOME", $event},
  {"name": "two  blanks (b)", $event}]}
END
make-etdump hostile.etdp <dump.json
rm dump.json

pass() {
    n_passed=$((n_passed + 1))
}

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED completions/$1"
}

# Prints fish's completions of a line, in one line.
ask_fish() {
    while IFS= read -r line; do
        # shellcheck disable=SC2016
        fish --no-config -c 'source $argv[1]; complete -C "$argv[2]"' "$top/completions/etinspect.fish" "$line" |
            cut -f 1 | sort | tr '\n' '|'
        echo
    done
}

ask() {
    case $1 in
    bash) python3 "$here/type_keys.py" bash "$top/completions/etinspect.bash" ;;
    zsh) python3 "$here/type_keys.py" zsh "$top/completions/_etinspect" ;;
    fish) ask_fish ;;
    esac
}

for shell in bash zsh fish; do
    if ! command -v $shell >/dev/null || ! command -v python3 >/dev/null; then
        echo "skipped: completions/$shell: there is no $shell, or no python3 to type in it"
        n_skipped=$((n_skipped + 1))
        continue
    fi
    ask $shell <"$here/lines" >"$work/found" 2>"$work/errors"
    paste -d '\n' "$here/lines" "$work/found" >"$work/answers"
    [ -z "$update" ] || cp "$work/answers" "$here/$shell.exact"
    if cmp -s "$work/answers" "$here/$shell.exact" && [ ! -s "$work/errors" ]; then
        pass
    else
        fail $shell
        diff -u "$here/$shell.exact" "$work/answers" | sed '1,2d; s/^/    /'
        sed 's/^/    /' "$work/errors"
    fi
    if [ ! -e made ] && [ ! -e made.json ]; then pass; else fail "$shell: something of a name or of the line was run"; fi
done

echo "completions: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
