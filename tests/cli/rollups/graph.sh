# Nodes with their inputs, and the same for Graphviz.
files='testdata/small/run.etdp testdata/small/record.etrecord'
# shellcheck disable=SC2086
{
    show etinspect graph --format tsv $files
    show etinspect graph --format tsv --columns node,op,inputs,shape --graph exported_program $files
    show etinspect graph --format dot $files
}
