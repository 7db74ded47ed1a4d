# fish completion for etinspect
#
# What there is to complete is asked of the program: "etinspect help --list COMMAND" prints a line for each command, and
# one for each option, of the kind "global" if it may stand before the command: its name, what its value is called, the
# choices if there are any, and what it does;
# "etinspect help --values OPTION COMMAND -- WORDS" prints a line for each value, with names from the files among WORDS.
# Names that are in files are whatever somebody wrote: fish quotes what it completes.

# The words before the current one, from the command on: options of all commands may stand before it, with their values.
function __etinspect_words
    set -l words (commandline -opc)[2..-1]
    while string match -q -- '--*' "$words[1]"
        set -l name (string replace -a -r '(?<=.)-' _ -- $words[1] | string replace -r '^-_' -- -- | string replace -r '=.*' '')
        set -l part (etinspect help --list 2>/dev/null | string match -- global\x1f$name\x1f\* | string split \x1f)
        set -q part[1]; or break
        if test -n "$part[3]"; and not string match -q -- '*=*' $words[1]
            set -e words[1]
        end
        set -e words[1]
    end
    set -q words[1]; and printf '%s\n' $words
end

# The command; nothing when there is none.
function __etinspect_command
    set -l words (__etinspect_words)
    if test -n "$words[1]"; and etinspect help --list $words[1] >/dev/null 2>&1
        echo $words[1]
    end
end

function __etinspect_list
    etinspect help --list (__etinspect_command) 2>/dev/null
end

# The values of the option $argv[1], and what is typed of it already in $argv[2], which stays in front of each.
function __etinspect_values
    set -l command (__etinspect_command)
    test -n "$command"; or set command inspect
    set -l words (commandline -opc) (commandline -ct)
    set -l typed (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    set -l before $argv[2]
    if contains -- $argv[1] columns sort; and string match -q '*,*' -- $typed
        set before $before(string replace -r '[^,]*$' '' -- $typed)
    end
    set -l taken (string replace -r '[^,]*$' '' -- $typed | string split ,)
    for line in (etinspect help --values $argv[1] $command -- $words[2..-1] 2>/dev/null)
        test -n "$line"; or break
        if contains -- $argv[1] columns sort filter # what stands behind two spaces describes them
            set line (string replace -r '  .*' '' -- $line | string replace -r ' \([^)]*\)$' '')
            test $argv[1] = columns; and contains -- "$line" $taken; and continue # which would be refused
        end
        printf '%s%s\n' "$before" $line
    end
end

# The option whose value comes next, as a word of its own or behind "=": its line in the list; nothing when there is none.
function __etinspect_option
    set -l previous (commandline -opc)[-1]
    string match -q -- '--*=*' (commandline -ct); and set previous (string replace -r '=.*' '' -- (commandline -ct))
    set previous (string replace -a -r '(?<=.)-' _ -- $previous | string replace -r '^-_' -- --)
    for line in (__etinspect_list)
        set -l part (string split \x1f -- $line)
        if test $part[1] != command; and test "$part[2]" = "$previous"; and test -n "$part[3]"
            echo $line
        end
    end
end

# Whether the command comes next.
function __etinspect_wants_command
    set -l words (__etinspect_words)
    set -l option (__etinspect_option)
    test -z "$words$option"
end

# Whether a value comes next that is no file.
function __etinspect_has_value
    set -l part (string split \x1f -- (__etinspect_option))
    test -n "$part[3]"; and not contains -- $part[3] FILE DIR
end

# The values of an option, or else the options of the current command.
function __etinspect_complete
    set -l part (string split \x1f -- (__etinspect_option))
    set -l before ''
    string match -q -- '--*=*' (commandline -ct); and set before (string replace -r '=.*' = -- (commandline -ct))
    if test -n "$part[4]"
        for choice in (string split , -- $part[4])
            echo $before$choice
        end
    else if __etinspect_has_value
        __etinspect_values (string replace -r '^--' '' -- $part[2]) "$before"
    else if test -z "$part[3]"
        for line in (__etinspect_list)
            set part (string split \x1f -- $line)
            test $part[1] != command; and printf '%s\t%s\n' $part[2] $part[5]
        end
    end
end

function __etinspect_commands
    for line in (__etinspect_list)
        set -l part (string split \x1f -- $line)
        test $part[1] = command; and printf '%s\t%s\n' $part[2] $part[5]
    end
end

complete -c etinspect -a '(__etinspect_complete)'
complete -c etinspect -n __etinspect_has_value -f
# Files that are inputs come first.
complete -c etinspect -n 'not __etinspect_has_value' -k -a '(__fish_complete_suffix .etrecord; __fish_complete_suffix .etdp)'
complete -c etinspect -n __etinspect_wants_command -a '(__etinspect_commands)'
complete -c etinspect -n 'test (__etinspect_command | string collect -a) = help' -f -a '(__etinspect_commands)'
complete -c etinspect -n 'test (count (__etinspect_words)) -eq 1; and test (__etinspect_command | string collect -a) = baseline' -f -a 'save merge show'
