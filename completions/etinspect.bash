# bash completion for etinspect                                -*- shell-script -*-
#
# What there is to complete is asked of the program: "etinspect help --list COMMAND" prints a line for each command, and
# one for each option, of the kind "global" if it may stand before the command: its name, what its value is called, the
# choices if there are any, and what it does;
# "etinspect help --values OPTION COMMAND -- WORDS" prints a line for each value, with names from the files among WORDS.
# Such names are whatever somebody wrote into a file: they are compared and quoted here, and never expanded.

# Adds to COMPREPLY the words of stdin that begin with $1, quoted, behind $2; ends at an empty line. With $3 these are columns,
# and what stands behind two spaces describes them; those that $2 has already are left out.
_etinspect_words() {
    local word
    while IFS= read -r word && [[ $word ]]; do
        [[ ${3-} ]] && word=${word%%  *}
        [[ ${3-} && $word == *' ('?*')' ]] && word=${word% (*}
        [[ $word == "$1"* && (-z ${3-} || ,$2 != *",$word,"*) ]] || continue
        word=$2$word
        [[ $word == *[!A-Za-z0-9_.,:/+%@=-]* ]] && printf -v word %q "$word"
        COMPREPLY+=("$word")
    done
}

# Adds the files that begin with $1, and have one of the suffixes $2 (a|b|c) if any does, and folders.
_etinspect_files() {
    local file found=()
    while IFS= read -r file; do
        [[ -d $file || $file =~ \.($2)$ ]] && found+=("$file")
    done < <(compgen -f -- "$1")
    COMPREPLY+=("${found[@]}")
    compopt -o filenames
}

_etinspect() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' kind name value choices values='' commands='' options='' takes='' option='' word words=()
    local first=1 columns='' globals=' '
    local inputs='etdp|etdump|etrecord|gz|log|journal'
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

    # Options of all commands may stand before the command, with their values.
    if [[ ${COMP_WORDS[1]} == -* ]]; then
        while IFS=$'\x1f' read -r kind name value _; do
            [[ $kind == global ]] && globals+="$name${value:+=} "
        done < <("$1" help --list 2>/dev/null)
    fi
    while ((first < COMP_CWORD)) && [[ ${COMP_WORDS[first]} == --* ]]; do
        word=${COMP_WORDS[first]#--}
        word=--${word//-/_}
        if [[ $globals == *" $word "* ]]; then
            ((first++))
        elif [[ $globals == *" $word= "* ]]; then
            [[ ${COMP_WORDS[first + 1]} == = ]] && ((first++))
            ((first += 2))
        else
            break
        fi
    done
    ((COMP_CWORD > first)) && [[ ${COMP_WORDS[first]} != -* ]] && "$1" help --list "${COMP_WORDS[first]}" &>/dev/null && command=${COMP_WORDS[first]}
    while IFS=$'\x1f' read -r kind name value choices _; do
        if [[ $kind == command ]]; then
            commands+=" $name"
        else
            options+=" $name"
            if [[ $name == "$previous" ]]; then
                takes=$value
                option=${name#--}
                values=${choices//,/$'\n'}
            fi
        fi
    done < <("$1" help --list ${command:+"$command"} 2>/dev/null)

    if [[ $takes == FILE || $takes == DIR ]]; then
        case $option in
        etdump_path) _etinspect_files "$current" 'etdp|etdump|gz|log|journal' ;;
        etrecord_path | base_etrecord_path) _etinspect_files "$current" etrecord ;;
        debug_buffer_path) _etinspect_files "$current" bin ;;
        budget | allow) _etinspect_files "$current" csv ;;
        base | new) _etinspect_files "$current" "$inputs|csv" ;;
        esac
        return # to all file names, by "-o default" below, if there is none
    elif [[ $takes && $values ]]; then
        _etinspect_words "$current" '' <<<"$values"
        compopt +o default +o bashdefault
        return
    elif [[ $takes ]]; then
        for word in "${COMP_WORDS[@]:1}"; do
            [[ $word == "'"*"'" || $word == '"'*'"' ]] && word=${word:1:-1}
            [[ $word == \~/* ]] && word=$HOME${word#\~}
            words+=("${word//\\/}")
        done
        # Of several names with commas between them the last one is completed.
        local before=
        [[ $option == columns || $option == sort || $option == filter ]] && columns=1
        [[ $option == columns || $option == sort ]] && [[ $current == *,* ]] && before=${current%,*},
        _etinspect_words "${current#"$before"}" "$before" "$columns" \
            < <("$1" help --values "$option" "${command:-inspect}" -- "${words[@]}" 2>/dev/null)
        compopt +o default +o bashdefault
        [[ $option == report ]] && compopt -o nospace
        return
    fi

    [[ $current == --*-* ]] && options=${options//_/-}
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    elif [[ $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
        compopt +o default +o bashdefault
    elif [[ $command == baseline ]] && ((COMP_CWORD == first + 1)); then
        mapfile -t COMPREPLY < <(compgen -W "save merge show" -- "$current")
        compopt +o default +o bashdefault
    else
        ((COMP_CWORD == first)) && mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
        case $command in
        diff | gate | noise | trend | baseline) _etinspect_files "$current" "$inputs|csv" ;;
        measure) ;;
        *) _etinspect_files "$current" "$inputs" ;;
        esac
    fi
}

complete -o bashdefault -o default -F _etinspect etinspect
