# bash completion for etinspect                                -*- shell-script -*-
#
# What there is to complete is asked of the program: "etinspect help --list COMMAND" prints a line for each command, and
# one for each option: its name, what its value is called, the choices if there are any, and what it does.

_etinspect() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' kind name value choices commands='' options='' values='' takes=''
    COMPREPLY=()

    # "--format=tsv" comes as three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    # Hyphens do as well as underscores.
    if [[ $previous == --* ]]; then
        previous=${previous#--}
        previous=--${previous//-/_}
    fi

    ((COMP_CWORD > 1)) && "$1" help "${COMP_WORDS[1]}" &>/dev/null && command=${COMP_WORDS[1]}
    while IFS=$'\x1f' read -r kind name value choices _; do
        if [[ $kind == command ]]; then
            commands+=" $name"
        else
            options+=" $name"
            if [[ $name == "$previous" ]]; then
                takes=$value
                values=${choices//,/ }
            fi
        fi
    done < <("$1" help --list ${command:+"$command"} 2>/dev/null)

    if [[ $takes == FILE || $takes == DIR ]]; then
        return # to file names, by "-o default" below
    elif [[ $takes ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
        compopt +o default +o bashdefault
        return
    fi

    [[ $current == --*-* ]] && options=${options//_/-}
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    elif [[ $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
        compopt +o default +o bashdefault
    elif [[ $command == baseline ]] && ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "save merge show" -- "$current")
        compopt +o default +o bashdefault
    elif ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current"; compgen -f -- "$current")
        compopt -o filenames
    fi
}

complete -o bashdefault -o default -F _etinspect etinspect
