# bash completion for etinspect                                -*- shell-script -*-

_etinspect() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command= options values=
    COMPREPLY=()

    # "--format=tsv" comes as three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    case ${COMP_WORDS[1]} in
    check | help)
        ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}
        ;;
    esac

    case $command in
    check) options="--debug_buffer_path --method --sandbox --help" ;;
    help) options="--help" ;;
    *)
        options="--etdump_path --etrecord_path --debug_buffer_path --source_time_scale
            --target_time_scale --tsv_path --csv_path --csv_safe --output --format --include_units
            --no_include_units --include_delegate_debug_data --delegate_metadata
            --delegate_time_scale --exact_time --sandbox --threads --method --module --compare_results --help
            --version"
        ;;
    esac

    # Hyphens do as well as underscores.
    if [[ $previous == --* ]]; then
        previous=${previous#--}
        previous=--${previous//-/_}
    fi
    case $previous in
    --etdump_path | --etrecord_path | --debug_buffer_path | --tsv_path | --csv_path | --output)
        return # to file names, by "-o default" below
        ;;
    --source_time_scale | --target_time_scale | --delegate_time_scale)
        values="ns us ms s cycles"
        ;;
    --format) values="table tsv csv" ;;
    --delegate_metadata) values="bytes utf8 hex json" ;;
    --method | --module | --threads)
        compopt +o default +o bashdefault
        return
        ;;
    esac
    if [[ $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
        compopt +o default +o bashdefault
        return
    fi

    if [[ $current == --*-* ]]; then
        options=${options//_/-}
    fi
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    elif [[ $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "check help" -- "$current")
        compopt +o default +o bashdefault
    elif ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "check help" -- "$current"; compgen -f -- "$current")
        compopt -o filenames
    fi
}

complete -o bashdefault -o default -F _etinspect etinspect
