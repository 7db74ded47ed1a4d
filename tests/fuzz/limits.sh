# limits.sh - read by the scripts beside it: the maximum size of a target's inputs. Larger ones are slow to mutate and
# seldom useful.

limit_of() {
    case $1 in
    filter | options) echo 512 ;;
    baseline | budget | capture | delegate | history | journal | maps | tensor_files | writers | wrapped) echo 4096 ;;
    native | program) echo 8192 ;;
    vulkan) echo 12288 ;;
    database | etdump | etrecord | graph) echo 24576 ;;
    *) echo 40960 ;;
    esac
}

# Limits for the files kept in corpus/, which everyone downloads.
kept_limit_of() {
    case $1 in
    etdump | graph | numerics | program | views) echo 4096 ;;
    database | inspect | debug_buffer | etrecord) echo 16384 ;;
    *) limit_of "$1" ;;
    esac
}
