# fish completion for etinspect

# The command, which is always the first argument; nothing when there is none.
function __etinspect_command
    set -l words (commandline -opc)
    if set -q words[2]; and contains -- $words[2] check help
        echo $words[2]
    end
end

set -l inspect 'test -z (__etinspect_command | string collect -a)'
set -l check 'test (__etinspect_command | string collect -a) = check'
set -l help 'test (__etinspect_command | string collect -a) = help'
set -l first 'test (count (commandline -opc)) -eq 1'
set -l scales 'ns us ms s cycles'

complete -c etinspect -n $first -a check -d 'Tell whether profiles are readable and complete'
complete -c etinspect -n $first -a help -d 'Explain a command and its options'
complete -c etinspect -n $help -f -a 'check help'

complete -c etinspect -n $inspect -l etdump_path -rF -d 'The ETDump'
complete -c etinspect -n $inspect -l etrecord_path -rF -d 'The ETRecord of the same export'
complete -c etinspect -n $inspect -l debug_buffer_path -rF -d 'Debug buffer written with the ETDump'
complete -c etinspect -n $inspect -l source_time_scale -xa $scales -d 'Time scale of the ETDump'
complete -c etinspect -n $inspect -l target_time_scale -xa $scales -d 'Time scale of the output'
complete -c etinspect -n $inspect -l tsv_path -rF -d 'Write the table as TSV too'
complete -c etinspect -n $inspect -l csv_path -rF -d 'Write the table as CSV too'
complete -c etinspect -n $inspect -l sandbox -d 'Give up files, connections and processes'
complete -c etinspect -n $inspect -l threads -x -d 'Threads for large files'
complete -c etinspect -n $inspect -l csv_safe -d 'Defuse what a spreadsheet would run as a formula'
complete -c etinspect -n $inspect -l output -rF -d 'Write to a file instead of standard output'
complete -c etinspect -n $inspect -l format -xa 'table tsv csv' -d 'Format of the output'
complete -c etinspect -n $inspect -l include_units -d 'Name the unit in columns of statistics'
complete -c etinspect -n $inspect -l no_include_units -d 'Leave the unit out'
complete -c etinspect -n $inspect -l include_delegate_debug_data -d 'Add delegate_debug_metadata'
complete -c etinspect -n $inspect -l delegate_metadata -xa 'bytes utf8 hex json' -d 'Form of the metadata'
complete -c etinspect -n $inspect -l delegate_time_scale -xa $scales -d 'Time scale of stamps of delegates'
complete -c etinspect -n $inspect -l exact_time -d 'Subtract stamps of delegates before scaling'
complete -c etinspect -n $inspect -l method -x -d 'Method of the ETRecord whose operators ran'
complete -c etinspect -n $inspect -l module -x -d 'Print the total time of modules instead'
complete -c etinspect -n $inspect -l compare_results -d 'Not available yet'
complete -c etinspect -n $inspect -l version -d 'Print the version and exit'

complete -c etinspect -n $check -l debug_buffer_path -rF -d 'Debug buffer written with the ETDump'
complete -c etinspect -n $check -l sandbox -d 'Give up files, connections and processes'
complete -c etinspect -n $check -l method -x -d 'Method of the ETRecord whose operators ran'

complete -c etinspect -s h -l help -d 'Print help and exit'
