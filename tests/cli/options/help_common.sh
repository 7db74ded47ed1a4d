# --help describes a command's own options and names the common ones, in the order of the catalogue and each once;
# --help all describes all. The help of each command stays short.
etinspect tree --help
etinspect tree --help all >full
for arguments in '--help=all' '-h all' '--hel all' '--help all all' '--foo --help all'; do
    # shellcheck disable=SC2086
    etinspect tree $arguments | cmp - full
done
etinspect tree --help >short
for arguments in -h '--help alle' '--help --all' '--help -- all' 'all --help'; do
    # shellcheck disable=SC2086
    etinspect tree $arguments | cmp - short
done
refused etinspect tree --help=alle
refused etinspect tree --help=

# most COMMAND: prints the number of lines that its help may have.
most() {
    case $1 in
    tree) echo 35 ;;
    summary) echo 30 ;;
    gate | numerics | diff) echo 60 ;;
    measure) echo 84 ;; # 36 options of its own
    record) echo 50 ;;  # 17 options of its own
    '') echo 50 ;;
    *) echo 40 ;;
    esac
}

# described FILE: prints the options that a help describes; named FILE: those that it only names.
described() {
    sed -n 's/^  \(-., \)\{0,1\}--\([a-z0-9_]*\).*/\2/p' "$1"
}
named() {
    sed -n '/^Common options/,/^$/{/^Common/d;p;}' "$1" | grep -o -e '--[a-z0-9_]*' | cut -c 3-
}

for command in '' $(etinspect help --list | sed -n 's/^command\x1f\([a-z]*\)\x1f.*/\1/p'); do
    # "help" explains itself in full.
    [ "$command" = help ] && continue
    # shellcheck disable=SC2086
    etinspect $command --help >short
    # shellcheck disable=SC2086
    etinspect $command --help all >full
    # shellcheck disable=SC2086
    etinspect help --list $command | sed -n 's/^[go][a-z]*\x1f--\([a-z0-9_]*\)\x1f.*/\1/p' | sort >catalogue
    described full | sort | cmp - catalogue || echo "$command --help all: other options than in the catalogue"
    { described short && named short; } | sort | cmp - catalogue || echo "$command --help: other options than in the catalogue"
    described full >order
    described short | grep -v -x -f - order >rest
    named short | cmp - rest || echo "$command --help: another order than in --help all"
    # Full help begins with the same lines, up to the end of the command's own options.
    sed -n '/^Options:$/,/^$/p' short >own
    sed -n '/^Options:$/,/^$/p' full | cmp - own
    sed -n '/^Common options/,/^$/p' short | grep -E '^.{101}' && echo "$command --help: more than 100 columns"
    [ "$(wc -l <short)" -le "$(most "$command")" ] || echo "$command --help: $(wc -l <short) lines"
    [ "$(wc -l <short)" -le "$(wc -l <full)" ] || echo "$command --help: longer than --help all"
    [ -z "$command" ] || etinspect help "$command" | cmp - full
done
