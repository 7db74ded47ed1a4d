# On a terminal control characters in names are spelled out; in a pipe they stay as the Inspector prints them.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script(1) or no terminal for it"; exit 77; }
make-etdump dump.etdp <<'END'
{"run_data": [{"name": "Execute", "events": [
  {"profile_event": {"name": "a\u001b[31mb", "instruction_id": 0, "start_time": 0, "end_time": 1}}]}]}
END
script -qec 'etinspect --format tsv dump.etdp' /dev/null </dev/null | tr -d '\r' | cut -f 2,3
etinspect --format tsv dump.etdp | cut -f 2,3 | od -c | head -3
# However the terminal is named, the same holds; a file gets the same bytes as a pipe.
on_terminal() {
    script -qec "etinspect dump.etdp --format tsv $*" /dev/null </dev/null | tr -d '\r' | cut -f 2,3
}
on_terminal --output /dev/stdout
on_terminal --output /dev/tty
on_terminal --output /dev/null --tsv_path /dev/stderr
on_terminal --output found.tsv
etinspect --format tsv dump.etdp | cmp - found.tsv
# A database is not text, and a page is not to be read as text.
for command in 'events --format sqlite' 'events --format html' report; do
    script -qec "etinspect $command dump.etdp; echo exit \$?" /dev/null </dev/null | tr -d '\r'
done
script -qec 'etinspect report dump.etdp -o page.html; echo exit $?' /dev/null </dev/null | tr -d '\r'
# No control character of a name reaches the terminal, whichever writer is used.
make-etdump evil.etdp <<'END'
{"run_data": [{"name": "a\u001b[2J\u009b31m\u202eb", "events": [
  {"profile_event": {"name": "c\u001b]0;d\u0007\re", "instruction_id": 0, "start_time": 0, "end_time": 5}}]}]}
END
acting() { # COMMAND...: prints control bytes, except the line breaks of the terminal
    TERM=dumb PAGER=cat script -qec "$*" /dev/null </dev/null | tr -d '\n\t -~' | sed 's/\r//g' | od -c -An
}
for format in table tsv csv text json ndjson markdown; do
    acting etinspect --format $format evil.etdp --label "'k=$(printf '\033[5m')'"
done
for command in summary runs alloc tree ops 'graph --format dot' 'baseline save -' 'baseline save /dev/tty' check; do
    acting etinspect "$command" evil.etdp
done
acting etinspect baseline save - evil.etdp --label "'k=$(printf '\033[5m')'"
script -qec 'etinspect baseline save - evil.etdp' /dev/null </dev/null | tr -d '\r' | grep '^block'
etinspect baseline save - evil.etdp | grep '^block' | od -c | head -2
