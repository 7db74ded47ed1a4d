# Before a run, a program and its record show what they show of a profile, without times: the graph, operators and delegates.
case=testdata/backends/aot_only
files="$case/model.pte $case/model.etrecord"
# shellcheck disable=SC2086 # the list is meant to be split
{
    show etinspect ops $files
    show etinspect ops $files --format tsv --columns op,typical,events,nodes,delegated,executed,kernels,dtypes,shapes,lines,modules
    show etinspect graph $files --format tsv --columns node,op,module,backend,source,typical,share
    show etinspect graph $files --graph exported_program --format tsv --columns node,op
    refused etinspect graph $files --graph nonsense
    refused etinspect graph $case/model.pte --graph nonsense
    show etinspect delegates $files
    show etinspect delegates --table splits --columns all --format tsv $files

    # Without the record, they show the program's own names and instructions; so do lists for builds.
    show etinspect ops $case/model.pte
    show etinspect ops --emit_ops $files
    show etinspect graph $case/model.pte
    show etinspect delegates --table outside $case/model.pte

    # The page has these tables, and says what an ETDump would add.
    show etinspect report $files -o page.html
    sed -n 's/^"\(summary\|ops\|delegates\|graph\|program\|memory\|size\|tree\|absent\)": {.*/\1/p' page.html
    grep -c 'needs an ETDump' page.html
    refused etinspect report $case/model.pte -o page.html
    refused etinspect report $case/model.etrecord -o page.html
}
