# The payload of the native backend has the graph of torch.fx. Operators that overwrite their inputs have neither handles nor the
# names that they had before the passes, so that only the payload shows that the delegate runs them.
case=testdata/backends/native_net
files="$case/model.pte $case/model.etrecord"
# shellcheck disable=SC2086 # the list is meant to be split
{
    show etinspect delegates --table backends -f csv --columns backend,calls,operators $case/model.pte
    show etinspect ops -f csv --columns op,nodes,delegated,kernels,backends $files
    show etinspect graph -f csv --columns node,op,backend,module,source $files
    show etinspect size -f csv --columns name,bytes,module --filter 'category = "named data"' $files
    show etinspect events -f csv --columns event_name,op_types,module,attribution --filter 'event_name != "execute"' $case/run.etdp $files

    # A payload that is not the one that ran, or is damaged, gives the names of the record.
    show etinspect events --top 3 -f csv --columns event_name,op_types,attribution $case/run.etdp $case/model.etrecord
    sed 's/NPTG/NPTX/g' $case/model.pte >model.pte
    show etinspect delegates --table backends -f csv --columns backend,calls,operators model.pte $case/model.etrecord
    show etinspect events --top 3 -f csv --columns event_name,op_types,attribution $case/run.etdp model.pte $case/model.etrecord
}
