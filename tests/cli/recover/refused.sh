# Files that recover rejects, and its messages.
make-journal empty empty.journal
make-journal open open.journal
make-journal runs run.journal
etinspect recover -o run.etdp run.journal 2>/dev/null
head -c 2000 run.journal >short.journal
head -c 8 run.journal >magic.journal
{ head -c 12 run.journal; printf '\143'; tail -c +14 run.journal; } >later.journal

refused etinspect recover empty.journal
refused etinspect recover --partial empty.journal
refused etinspect recover open.journal
show etinspect recover --partial -o open.etdp open.journal
refused etinspect recover short.journal
refused etinspect recover magic.journal
refused etinspect recover later.journal
refused etinspect recover run.etdp
refused etinspect recover testdata/mlp/record.etrecord
printf 'a note\n' >note.txt
: >nothing.bin
printf '\001\002\377\376binary' >noise.bin
gzip -c note.txt >note.gz
refused etinspect recover note.txt
refused etinspect recover nothing.bin
refused etinspect recover noise.bin
refused etinspect recover note.gz
refused etinspect recover testdata/mlp/model.pte
refused etinspect recover nothing.journal
refused etinspect recover .
refused etinspect recover - <short.journal
refused etinspect recover
refused etinspect recover run.journal short.journal
refused etinspect recover -o run.journal run.journal
refused etinspect recover -o '' run.journal
refused etinspect recover -o no/where.etdp run.journal
refused etinspect recover --format tsv run.journal
refused etinspect summary empty.journal
refused etinspect summary open.journal
refused etinspect summary short.journal
refused etinspect summary later.journal
refused etinspect baseline save run.journal run.etdp
refused etinspect --etrecord_path run.journal run.etdp

echo "-- while a process records"
make-journal runs held.journal 'refused etinspect recover held.journal; refused etinspect summary held.journal'
etinspect recover -o held.etdp held.journal 2>/dev/null && cmp held.etdp run.etdp
