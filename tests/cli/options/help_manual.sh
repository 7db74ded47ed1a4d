#!/bin/sh
# On a terminal, help opens the manual: the page installed with the program, or the one that man finds. Otherwise it prints
# the options, like --help all.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
[ -n "${RUNNER-}" ] && { echo "a program behind RUNNER is not where it was installed"; exit 77; }
[ -r /proc/self/exe ] || { echo "there is no /proc"; exit 77; }
program=$(sed -n 's/^exec *"\(.*\)" "\$@"$/\1/p' "$(command -v etinspect)")
mkdir -p installed/bin installed/share/man/man1 fake with-man
cp "$program" installed/bin/etinspect
# The stand-in for man finds the pages listed in the file "known".
cat >fake/man <<'MAN'
#!/bin/sh
if [ "$1" = -w ]; then
    echo "man searched $3($2)" >>searches
    grep -q -x -e "$3" known
    exit
fi
echo "man shows $*"
exit 3
MAN
chmod +x fake/man
: >known
export TERM=xterm

# at_terminal WORDS... - prints what the installed program shows there: the first line, and its exit status.
at_terminal() {
    script -qec "PATH='$PWD/fake:$PATH' installed/bin/etinspect $*; echo exit \$?" /dev/null </dev/null | tr -d '\r' >shown
    echo "$*: $(head -n 1 shown | sed "s|$PWD|.|"); $(tail -n 1 shown)"
}

at_terminal help gate
at_terminal gate --help
at_terminal help options
printf 'etinspect-gate\netinspect-options\n' >known
at_terminal help gate
at_terminal help options
at_terminal --no_pager help gate
at_terminal --sandbox help gate
at_terminal help
at_terminal help nosuch
at_terminal help --list gate | cut -c 1-30
at_terminal help --values group diff | cut -c 1-30
: >installed/share/man/man1/etinspect-gate.1.gz
at_terminal help gate
: >installed/share/man/man1/etinspect-gate.1
at_terminal help gate
mkdir installed/share/man/man7
: >installed/share/man/man7/etinspect-options.7
at_terminal help options
cat searches
# In a pipe, and without man.
PATH="$PWD/fake:$PATH" installed/bin/etinspect help gate | head -n 1
rm fake/man
script -qec "PATH='$PWD/fake' installed/bin/etinspect help gate" /dev/null </dev/null | tr -d '\r' >shown
installed/bin/etinspect gate --help all | cmp - shown && echo 'the options without man'
