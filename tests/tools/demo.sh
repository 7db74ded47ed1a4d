#!/bin/sh
# demo.sh ETINSPECT - a tour of five minutes: reports about real profiles, and commands to try next.
set -eu
etinspect=$1
bin=$(dirname "$0")/../cli/bin
made=$(dirname "$etinspect")/demo # generated files, kept for further use
export ETINSPECT_PAGER= # prints everything without a pager
width=
[ -t 1 ] || width='--width 100'
n=0

# show TITLE ARGUMENT... - prints a title, the command, and its output.
show() {
    n=$((n + 1))
    printf '\n\n%d. %s\n\n$ %s' "$n" "$1" "$etinspect"
    shift
    printf ' %s' "$@"
    printf '\n\n'
    # shellcheck disable=SC2086 # no width is no argument
    "$etinspect" "$@" $width
}

model='testdata/transformer/run.etdp testdata/transformer/record.etrecord'
# shellcheck disable=SC2086 # two files
{
    show 'Where the time of an inference goes: six runs of a transformer block.' summary $model
    show 'The same time by module of the model, as far as Python code knows it.' tree $model
    show 'And by operator: how many there are, how long they take, delegated or not.' ops $model
}

mkdir -p "$made"
"$bin/history" 6 | "$bin/baseline" "$made/base.csv"
SEED=2 "$bin/history" 6 conv 1.25 0 | "$bin/baseline" "$made/new.csv"
show 'What got slower, and what is noise: six processes of each of two programs, made up.' \
    diff "$made/base.csv" "$made/new.csv"

show "The Inspector's table, cut to four rows and columns; as a whole it has the same bytes." \
    --columns event_name,p50,avg,is_delegated_op --top 4 testdata/mlp/run.etdp

cat <<END


Try next, with an ETDump and the ETRecord of your own model:

  $etinspect source run.etdp model.etrecord                 the lines that take the time
  $etinspect check run.etdp model.etrecord                  what is missing, and what to do
  $etinspect summary run.etdp model.etrecord --table operators -o operators.csv
  $etinspect measure --base './old {}' --new './new {}'     is the new program slower?
  $etinspect help                                           all commands
  man ./man/etinspect.1
  sudo make install
END
