# Modules with the time of those inside; small ones are folded.
files='testdata/transformer/run.etdp testdata/transformer/record.etrecord'
# shellcheck disable=SC2086
{
    show etinspect tree --format tsv $files
    show etinspect tree --format tsv --fold 6 --ascii $files
    show etinspect tree --format tsv --depth 1 --columns all --fold 0 $files
}
