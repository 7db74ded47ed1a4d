# fish completion for etinspect
#
# What there is to complete is asked of the program: "etinspect help --list COMMAND" prints a line for each command, and
# one for each option: its name, what its value is called, the choices if there are any, and what it does.

# The command, which is always the first argument; nothing when there is none.
function __etinspect_command
    set -l words (commandline -opc)
    if set -q words[2]; and etinspect help $words[2] >/dev/null 2>&1
        echo $words[2]
    end
end

function __etinspect_list
    etinspect help --list (__etinspect_command) 2>/dev/null
end

# Options of the command at hand, and the choices of one that was just typed.
function __etinspect_complete
    set -l previous (commandline -opc)[-1]
    for line in (__etinspect_list)
        set -l part (string split \x1f -- $line)
        if test $part[1] = option
            if test "$part[2]" = (string replace -a -r '(?<=.)-' _ -- $previous | string replace -r '^-_' -- --)
                string split , -- $part[4]
            end
            printf '%s\t%s\n' $part[2] $part[5]
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
complete -c etinspect -n 'test (count (commandline -opc)) -eq 1' -a '(__etinspect_commands)'
complete -c etinspect -n 'test (__etinspect_command | string collect -a) = help' -f -a '(__etinspect_commands)'
complete -c etinspect -n 'test (count (commandline -opc)) -eq 2; and test (__etinspect_command | string collect -a) = baseline' -f -a 'save merge show'
