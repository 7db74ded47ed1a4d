#!/bin/sh
# Names that are not UTF-8 are repaired once, where they enter: no format has other bytes, and no NUL of such a name. A NUL in a
# name that is UTF-8 is the Inspector's.
make-etdump named.etdp <<'JSON'
{"run_data": [{"name": "bQQQ", "allocators": [{"name": "pQQQ"}], "events": [
  {"profile_event": {"name": "eQQQ", "chain_index": 0, "instruction_id": 0, "start_time": 0, "end_time": 3}},
  {"allocation_event": {"allocator_id": 1, "allocation_size": 8}}]}]}
JSON
LC_ALL=C sed 's/\([bep]\)QQQ/\1\xff\x00\xc3/g' named.etdp >broken.etdp
check() {
    etinspect "$@" 2>/dev/null | python3 -c '
import sys
text = sys.stdin.buffer.read().decode()
print("damaged" if "\0" in text or "\ufffd\ufffd\ufffd" not in text and "a\ufffdb" not in text else "repaired", *sys.argv[1:])' "$@"
}
for view in rows runs events alloc; do
    for format in csv tsv ndjson; do
        check $view broken.etdp --format $format
    done
done
for format in chrome perfetto folded pprof speedscope; do
    etinspect trace broken.etdp --format $format -o trace.$format 2>/dev/null
    gzip -dcf trace.$format >plain
    LC_ALL=C grep -c -a "$(printf 'e\357\277\275\357\277\275\357\277\275')" plain
done
etinspect events broken.etdp --format sqlite -o events.sqlite 2>/dev/null
python3 - <<'END2'
import sqlite3
print(sqlite3.connect("events.sqlite").execute("SELECT DISTINCT event_name FROM events").fetchall())
END2
LC_ALL=C sed 's/\([be]\)QQQ/\1\x01\x00c/g' named.etdp >valid.etdp
etinspect valid.etdp --format tsv | tr '\0\001' '01' | cut -f 2,3
# A path is any bytes, too.
broken=$(printf 'a\377b.etdp')
cp testdata/mlp/run.etdp "$broken"
check rows "$broken" --format csv | tr -cd 'a-z\n -'
