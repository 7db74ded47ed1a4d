#!/bin/sh
# bisect.sh - finds the commit that made a program slower:
#
#     git bisect start SLOW FAST
#     BASE='/tmp/fast/run {}' BUILD='make -s' NEW='./run {}' git bisect run sh /path/to/bisect.sh
#
# Builds the commit that git checked out, and measures it in turns with a build of FAST that lies outside of the repository.
# Settings are environment variables:
#   BASE, NEW    commands that run a build once and write an ETDump to {}
#   BUILD        command that builds the commit; empty: nothing to build
#   RULES        rules for --fail_on, one per line; without rules: op:p50>+5% and total:p50>+5%
#   PAIRS        number of processes of each build, at most
# A commit that cannot be built, or about which the gate cannot tell, is skipped (125). If a command fails, bisecting ends (128).
set -u

[ -z "${BUILD:-}" ] || sh -c "$BUILD" || exit 125

set -- --error_status 128 --undecided_status 125 --base "$BASE" --new "$NEW"
[ -z "${PAIRS:-}" ] || set -- "$@" --pairs "$PAIRS"
while IFS= read -r rule; do
    [ -z "$rule" ] || set -- "$@" --fail_on "$rule"
done <<LINES
${RULES:-}
LINES
exec etinspect measure "$@"
