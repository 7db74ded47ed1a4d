# A database is created completely, has the numbers of the table, and can be extended.
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
mlp=testdata/mlp
ask() {
    sqlite3 -separator "$(printf '\t')" runs.db "$@"
}
etinspect --format sqlite --append --output runs.db --label board=a --samples $mlp/run.etdp $mlp/record.etrecord
etinspect --format sqlite --append --output runs.db --label board=b $mlp/run.etdp
ask 'PRAGMA integrity_check' 'SELECT dump_id, labels FROM dump_list' 'SELECT name FROM sqlite_schema ORDER BY name'
# It has the same numbers as the table.
ask 'SELECT event_block_name, event_name, p10, p50, p90, avg, min, max FROM event_list WHERE dump_id = 1 ORDER BY event_id' >found
etinspect --format tsv $mlp/run.etdp $mlp/record.etrecord | sed 1d | cut -f 2-9 >expected
awk -F '\t' 'NR == FNR { for (i = 1; i <= NF; i++) cell[FNR, i] = $i; n = FNR; next }
    { for (i = 1; i <= NF; i++) if ((i < 3 && $i != cell[FNR, i]) || (i >= 3 && ($i - cell[FNR, i]) ^ 2 > 1e-30)) print "differs:", $0 }
    END { print (n == FNR && n > 0 ? "all rows" : "other rows") }' expected found
# It has only one block on request.
etinspect --format sqlite --output block.db --block Default $mlp/run.etdp
sqlite3 block.db 'SELECT DISTINCT event_block_name FROM event_list'
ask 'SELECT count(*), count(DISTINCT event_id) FROM sample_list' 'SELECT count(*) FROM samples WHERE dump_id = 2'
# Failures are reported, and the file stays unchanged.
sum=$(cksum <runs.db)
for arguments in '--append --format json --output runs.db' '--append --format sqlite' '--sandbox --format sqlite'; do
    # shellcheck disable=SC2086
    etinspect $arguments $mlp/run.etdp >/dev/null 2>errors
    echo "exit $?: $(cat errors)"
done
[ "$sum" = "$(cksum <runs.db)" ] && echo kept
# Without a hash there is NULL.
etinspect summary --format sqlite --no_sha256 --output hash.db testdata/mlp/run.etdp
etinspect summary --format sqlite --append --output hash.db testdata/mlp/run.etdp
sqlite3 hash.db 'SELECT dump_id, typeof(sha256), length(sha256) FROM sources ORDER BY dump_id'
