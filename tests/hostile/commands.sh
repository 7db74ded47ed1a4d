# commands.sh - what check.sh and table.sh share: what etinspect is asked about a shape. To be read with ".".

# shape_files FOLDER: the arguments that name its files
shape_files() {
    printf '%s' "$1/run.etdp"
    if [ -f "$1/record.etrecord" ]; then printf ' %s' "$1/record.etrecord"; fi
    if [ -f "$1/debug.bin" ]; then printf ' %s' "--debug_buffer_path $1/debug.bin"; fi
}

# command_options COMMAND: the arguments in front of the files
command_options() {
    case $1 in
    table | tsv | csv) echo "--format $1" ;;
    check) echo check ;;
    module) echo --module nothing ;;
    group_*) echo "--format tsv --group ${1#group_}" ;;
    tree | ops | graph | source | summary | runs | alloc) echo "$1 --format tsv" ;;
    run_events) echo "runs --events --format tsv" ;;
    *) echo "--format tsv --delegate_metadata $1" ;;
    esac
}

# right_exit COMMAND STATUS STATUSES: check ends with 1 for what is fine otherwise
right_exit() {
    for right in $3; do
        [ "$2" = "$right" ] && return
        [ "$1 $2 $right" = 'check 1 0' ] && return
    done
    return 1
}
