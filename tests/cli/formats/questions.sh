# The questions of doc/databases.md, put to a database of several labelled dumps in several time scales and with several
# EventBlocks, have the answers that questions.py computes from the data of which it made the dumps.
python3 -c 'import sqlite3' 2>/dev/null || { echo "python3 has no sqlite3"; exit 77; }
record=testdata/xnnpack-conv/record.etrecord
document=$SCHEMA/../doc/databases.md
questions=data/questions.py
python3 "$questions" make
for name in a b c d e; do
    make-etdump $name.etdp <$name.json
done
# As in doc/databases.md, except for the name of the dump.
sed -n 's/^etinspect --append .*/&/p' "$document" | sed "s|run.etdp|a.etdp|; s|record.etrecord|$record|" >add.sh
cat add.sh
sh -u add.sh
add() {
    etinspect --append -o runs.db --samples "$@" $record
}
add --label build=7 --label board=b --target_time_scale us b.etdp
add --label board=a --label build=8 --target_time_scale ns c.etdp
add --label board=c --delegate_time_scale cycles d.etdp 2>&1
add --source_time_scale cycles --target_time_scale cycles e.etdp
python3 "$questions" ask "$document"
