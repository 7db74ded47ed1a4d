# Notes about files that libetcapture wrote: advice for its users, and no request for a debug buffer that cannot exist.
make-journal idle idle.journal
make-journal values values.journal
show etinspect check idle.journal
show etinspect summary idle.journal
etinspect recover -o idle.etdp idle.journal 2>/dev/null
show etinspect check idle.etdp
show etinspect check values.journal
head -c 64 /dev/zero >buffer
show etinspect check values.journal --debug_buffer_path buffer
show etinspect --format tsv --columns event_name,delegate_debug_identifier values.journal --debug_buffer_path buffer
