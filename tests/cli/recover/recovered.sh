# Runs recovered from journals, and messages about lost ones.
for kind in runs ring values; do
    make-journal $kind run.journal
    show etinspect recover -o run.etdp run.journal
    show etinspect --etdump_path run.etdp --format tsv --columns event_block_name,event_name,raw,instruction_id,delegate_debug_identifier
    show etinspect recover --partial --output partial.etdp run.journal
    etinspect runs partial.etdp --format tsv --columns block,run | tail -n 2
    rm run.journal
done

echo "-- the same bytes from a gzip file and from standard input, to standard output and to a file"
make-journal ring run.journal
gzip -k run.journal
etinspect recover run.journal 2>/dev/null >plain.etdp
etinspect recover run.journal.gz 2>/dev/null | cmp - plain.etdp
show etinspect recover -o piped.etdp - <run.journal
cmp piped.etdp plain.etdp
