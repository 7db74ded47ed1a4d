# commands.sh - shared by check.sh and table.sh: the commands for a shape. To be read with ".".

# Commands for a program alone.
# shellcheck disable=SC2034
program_commands='program memory map size size_by_op ops emit_ops graph dot delegates diff check'

# Commands for recorded tensors, alone, with a reference, or with the reference outputs of the record.
# shellcheck disable=SC2034
{
    tensor_commands='tensors numerics'
    reference_commands='reference all_runs verify'
    output_commands='compare'
}

# command_line COMMAND FOLDER: prints the arguments, with the files of the shape in the folder
command_line() {
    files=$2/run.etdp
    if [ -f "$2/model.pte" ]; then
        case $1 in
        check) echo "check $2/model.pte" ;;
        map) echo "memory --map --format tsv $2/model.pte" ;;
        size_by_op) echo "size --group op --format tsv $2/model.pte" ;;
        emit_ops) echo "ops --emit_ops $2/model.pte" ;;
        dot) echo "graph --format dot $2/model.pte" ;;
        diff) echo "diff --format tsv $2/model.pte $2/model.pte" ;;
        *) echo "$1 --format tsv $2/model.pte" ;;
        esac
        return
    fi
    if [ -f "$2/record.etrecord" ]; then files="$files $2/record.etrecord"; fi
    case $1 in
    noise | diff) ;;
    *) if [ -f "$2/debug.bin" ]; then files="$files --debug_buffer_path $2/debug.bin"; fi ;;
    esac
    case $1 in
    table | tsv | csv | text | markdown | ndjson | sqlite) echo "--format $1 $files" ;;
    all_json) echo "--format json --samples $files" ;;
    check) echo "check $files" ;;
    module) echo "--module nothing $files" ;;
    group_*) echo "--format tsv --group ${1#group_} $files" ;;
    tree | ops | graph | source | summary | runs | alloc | noise) echo "$1 --format tsv $files" ;;
    run_events) echo "runs --events --format tsv $files" ;;
    rows)
        [ ! -f "$2/record.etrecord" ] || set -- "$1" "$2" "--etrecord_path $2/record.etrecord"
        echo "rows --format csv ${3-} $2/run.etdp"
        ;;
    dot) echo "graph --format dot $files" ;;
    tensors) echo "tensors --columns all --run all --format tsv $files" ;;
    numerics) echo "numerics --match name --format tsv $2/run.etdp $files --debug_buffer_path $2/debug.bin" ;;
    reference) echo "numerics --format tsv --reference $2/reference.bin $files" ;;
    all_runs) echo "numerics --run all --columns all --format tsv --reference $2/reference.bin $files" ;;
    verify) echo "numerics --verify --testset 0 --format tsv --reference $2/reference.bin $files" ;;
    compare) echo "--compare_results $files" ;;
    diff) echo "diff --group op --format tsv $2/run.etdp $files" ;;
    *) echo "--format tsv --delegate_metadata $1 $files" ;;
    esac
}

# right_exit COMMAND STATUS STATUSES: check ends with 1 for what is fine otherwise, as outputs that fail; where nothing has times or
# names nothing can be compared, and one file has no noise; only a bundled program is verified, and what is not looked at is fine
right_exit() {
    for right in $3; do
        [ "$2" = "$right" ] && return
        case "$1 $2 $right" in
        'verify 1 0' | 'verify 2 '* | 'numerics 6 0' | 'tensors 0 '* | 'table 0 '* | 'check 1 0' | 'noise 3 0' | 'noise 6 0' | 'diff 3 0') return 0 ;;
        esac
    done
    return 1
}
