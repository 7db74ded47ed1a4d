#!/bin/sh
# --csv_safe: names that a spreadsheet would run as formulas become text in CSV and TSV, wherever these are written;
# numbers, and the table, are unchanged.
make-etdump evil.etdp <<'END'
{run_data: [{name: "=1+1", events: [
    {profile_event: {name: "@SUM(A1)", instruction_id: 0, start_time: 2, end_time: 5}},
    {profile_event: {name: "native_call_add.out", instruction_id: 1, start_time: 5, end_time: 9}},
    {profile_event: {name: "a\r=cmd|' /C calc'!A0", instruction_id: 2, start_time: 9, end_time: 9}}]}]}
END
fields() { cut -f 2-4 | od -c -An; }
show etinspect evil.etdp --format csv --csv_safe --target_time_scale ns | cut -d, -f 1-3
show etinspect evil.etdp --format csv --target_time_scale ns | cut -d, -f 1-3
etinspect evil.etdp --csv-safe --tsv_path out.tsv --csv_path out.csv --output table.txt
etinspect evil.etdp --csv_safe --format tsv | cmp - out.tsv
etinspect evil.etdp --csv_safe --format csv | cmp - out.csv
etinspect evil.etdp | cmp - table.txt
fields <out.tsv
etinspect evil.etdp --module '=1' --format csv --csv_safe 2>/dev/null
