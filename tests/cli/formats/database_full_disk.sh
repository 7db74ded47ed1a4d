# A disk without room for more rows, and a file that may not grow: one line reports this, and the database is unchanged.
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
unshare -m true 2>/dev/null || { echo 'file systems cannot be mounted here'; exit 77; }
mlp=$PWD/testdata/mlp
etinspect --output runs.db "$mlp/run.etdp"
sqlite3 runs.db .dump >before

# judge CAUSE STATUS: judges the exit status, the message and the copy in seen/ together. Reasons are SQLite's own words.
cat >judge <<'END'
[ "$(sqlite3 seen/runs.db 'PRAGMA integrity_check')" = ok ] || echo "$1: damaged"
if [ $2 = 0 ] && [ ! -s message ]; then
    echo "$1: appended $(sqlite3 seen/runs.db 'SELECT count(*) FROM dumps')"
elif [ $2 = 4 ] && [ "$(wc -l <message)" = 1 ]; then
    echo "$1: $(sed 's/\(nothing was appended\): .*/\1/' message)"
    sqlite3 seen/runs.db .dump | cmp - before
else
    echo "$1: exit $2: $(cat message)"
fi
rm -r seen
END

cat >fill <<'END'
mkdir place
for journal in delete wal; do
    for pages in 0 1 2 4 8 12 16 24 32 64 128; do
        mount -t tmpfs -o size=4m none place || exit 77
        cp runs.db place
        sqlite3 place/runs.db "PRAGMA journal_mode = $journal" >/dev/null
        mount -o remount,size=$(($(du -k place/runs.db | cut -f 1) + pages * 4))k place
        etinspect --append --output place/runs.db "$mlp/run.etdp" 2>message
        status=$?
        cp -r place seen
        umount place
        sh judge "$journal" $status
    done
done | uniq
END
export mlp
unshare -m sh -u fill

mkdir seen
cp runs.db seen
(ulimit -f 20 && etinspect --append --output seen/runs.db "$mlp/run.etdp") 2>message
status=$?
sh judge 'file size' $status
