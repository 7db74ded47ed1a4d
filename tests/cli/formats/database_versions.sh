# Nothing is appended to a database of another version, which stays unchanged. In one of this version, a view that was changed
# is kept.
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
mlp=testdata/mlp
etinspect --output runs.db --samples $mlp/run.etdp $mlp/record.etrecord

for version in -1 0 1 2 4; do
    cp runs.db old.db
    sqlite3 old.db "PRAGMA user_version = $version"
    cp old.db kept.db
    refused etinspect --append --output old.db $mlp/run.etdp
    cmp old.db kept.db && echo kept
done

sqlite3 runs.db 'DROP VIEW run_times' "CREATE VIEW run_times AS SELECT 'mine'"
etinspect --append --output runs.db $mlp/run.etdp
sqlite3 runs.db 'PRAGMA user_version' 'SELECT * FROM run_times' "SELECT * FROM notes WHERE table_name = 'run_times'"
