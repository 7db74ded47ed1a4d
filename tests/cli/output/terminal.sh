# On a terminal control characters in names are spelled out; in a pipe they stay as the Inspector prints them.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script(1) or no terminal for it"; exit 77; }
make-etdump dump.etdp <<'END'
{"run_data": [{"name": "Execute", "events": [
  {"profile_event": {"name": "a\u001b[31mb", "instruction_id": 0, "start_time": 0, "end_time": 1}}]}]}
END
script -qec 'etinspect --format tsv dump.etdp' /dev/null </dev/null | tr -d '\r' | cut -f 2,3
etinspect --format tsv dump.etdp | cut -f 2,3 | od -c | head -3
# However the terminal is named; a file gets what a pipe gets.
on_terminal() {
    script -qec "etinspect dump.etdp --format tsv $*" /dev/null </dev/null | tr -d '\r' | cut -f 2,3
}
on_terminal --output /dev/stdout
on_terminal --output /dev/tty
on_terminal --output /dev/null --tsv_path /dev/stderr
on_terminal --output found.tsv
etinspect --format tsv dump.etdp | cmp - found.tsv
# A database is no text.
script -qec 'etinspect dump.etdp --format sqlite; echo exit $?' /dev/null </dev/null | tr -d '\r'
