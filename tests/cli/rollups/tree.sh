# Modules with the time of those inside; small ones are folded. Lines are for people.
files='testdata/transformer/run.etdp testdata/transformer/record.etrecord'
# shellcheck disable=SC2086
{
    show etinspect tree --format text --width 100 $files
    show etinspect tree --format text --width 100 --fold 6 --ascii $files
    show etinspect tree --format text --width 100 --sort self:desc $files
    show etinspect tree --format tsv --fold 6 $files
    show etinspect tree --format tsv --depth 1 --columns all --fold 0 $files
    # layers
    show etinspect tree --format text --width 100 --fold_layers $files
    show etinspect tree --format tsv --fold_layers --columns all $files
}
