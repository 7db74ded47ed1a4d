#!/bin/sh
# Options that would be ignored are rejected: first, for some commands, the formats in which each option has an effect;
# then, for each command, the options that are not in its list; then dependencies on other options. Options that may precede
# the command are accepted by all commands, but no measurement runs in a sandbox. The file does not exist: options that are
# not rejected fail to read it.
case "${CFLAGS:-}" in
*-fsanitize*)
    echo 'a sanitizer makes its thousands of processes too slow'
    exit 77
    ;;
esac
case ${RUNNER-} in qemu-*) echo 'QEMU makes its thousands of processes too slow' && exit 77 ;; esac
unit=$(printf '\037')

# try COMMAND OPTION ARGUMENT...: sets `answer` to "refused" if the message says that the option has no effect, to "taken",
# or to any other message. This is a variable, as is `value_set`, because thousands of further processes would take long.
try() {
    words=$1
    option=$2
    shift 2
    [ "$words" != baseline ] || words="baseline show"
    # shellcheck disable=SC2086 # it may be none, or two words
    found=$(etinspect $words "$@" missing.etdp 2>&1 >/dev/null)
    case $found in
    *"$option has no effect in the format"* | *" does not take $option, "*) answer=refused ;;
    *"has no effect"* | *"does not take"*) answer=$found ;;
    *"missing.etdp: cannot read"* | *"the format sqlite needs"* | '') answer=taken ;;
    *"expected save, merge or show, found 'missing.etdp'"* | *'not files: give --base'* | *'no command or topic missing'*) answer=taken ;;
    *) answer=$found ;;
    esac
}

# Prints each option, the name of its value and its choices, for one command or all.
list_options() {
    # shellcheck disable=SC2086
    etinspect help --list $1 |
        sed -n "s/^[a-z]*$unit--\([a-z0-9_]*\)$unit\([^$unit]*\)$unit\([^$unit]*\).*/--\1|\2|\3/p" |
        grep -Ev '^--(help|version|base|new|report|github|budget|allow|compare_results|list|format|graph)\|'
}

# set_value VALUE CHOICES: sets `value_set` to a value that the option accepts
set_value() {
    case $1,$2 in
    ,) value_set= ;;
    *,?*) value_set="=${2%%,*}" ;;
    *=*) value_set='=a=ns' ;;
    *SCALE*) value_set='=ns' ;;
    FILE,) value_set='=missing.etdp' ;;
    RULE,) value_set='=p50>1s' ;;
    FREQUENCY,) value_set='=1MHz' ;;
    SHARE, | P,) value_set='=0.5' ;;
    *) value_set='=1' ;;
    esac
}

echo 'Not in the formats:'
for command in "" diff gate graph; do
    # shellcheck disable=SC2086
    formats=$(etinspect help --list $command | sed -n "s/^option$unit--format${unit}[^$unit]*$unit\([^$unit]*\).*/\1/p" | tr , ' ')
    list_options "$command" | while IFS='|' read -r name value choices; do
        refused=
        set_value "$value" "$choices"
        for format in $formats; do
            try "$command" "$name" "$name$value_set" --format="$format"
            case $answer in
            refused) refused="$refused $format" ;;
            taken) ;;
            *) echo "${command:-inspect} $name $format: $answer" ;;
            esac
        done
        [ -z "$refused" ] || echo "${command:-inspect} $name:$refused"
    done
done

commands="inspect $(etinspect help --list | sed -n "s/^command$unit\([a-z]*\).*/\1/p")"
for command in $commands; do
    list_options "${command#inspect}"
done | sort -u -t '|' -k 1,1 >all
for command in $commands; do
    own=" $(list_options "${command#inspect}" | cut -d '|' -f 1 | tr '\n' ' ')"
    while IFS='|' read -r name value choices; do
        case $own in *" $name "*) continue ;; esac
        set_value "$value" "$choices"
        try "${command#inspect}" "$name" "$name$value_set"
        [ "$answer" = refused ] || echo "$command $name: $answer"
    done <all >>"$command.other"
done
printf '\nOf another command, but accepted:\n'
cat ./*.other
printf '\nOf other options:\n'
for action in save merge; do
    refused etinspect baseline $action out.csv --format json missing.etdp
    refused etinspect baseline $action out.csv --target_time_scale us missing.etdp
    refused etinspect baseline --columns all $action out.csv missing.etdp
done
refused etinspect baseline show --samples missing.csv
refused etinspect baseline --keep 3 show missing.csv
refused etinspect baseline show --append missing.csv
for option in --base_etrecord_path=x --margin=5% --seed=1 --beta=0.1; do
    refused etinspect measure --new 'true {}' $option
done
for option in --samples --include_delegate_debug_data --delegate_metadata=hex; do
    refused etinspect --group op $option --format text missing.etdp
    refused etinspect --module Linear $option --format text missing.etdp
done

# Accepted, because another file is written.
printf '\nTaken:\n'
for options in '--csv_safe --csv_path x.csv' '--no_include_units --format json --tsv_path x.tsv' '--group op --samples --format json --csv_path x.csv'; do
    # shellcheck disable=SC2086
    refused etinspect $options missing.etdp
done
for options in '--csv_safe --report csv=x.csv' '--all --format json' '--source_root . --github'; do
    # shellcheck disable=SC2086
    refused etinspect gate $options missing.etdp missing.etdp
done
