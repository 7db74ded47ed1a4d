# A database of an older version keeps its rows and gets the additions of this version; one of a newer version stays
# unchanged.
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
mlp=testdata/mlp
etinspect --output new.db --samples $mlp/run.etdp $mlp/record.etrecord

# The database has everything that a new one has, and nothing else.
schema_of() {
    sqlite3 "$1" "SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name" \
        'SELECT s.name, c.name, c.type FROM sqlite_schema s, pragma_table_info(s.name) c ORDER BY lower(s.name), lower(c.name)'
}
schema_of new.db >new_schema

for version in 1 2; do
    rm -f old.db
    sqlite3 old.db <data/database-$version.sql
    sqlite3 old.db .dump >before
    etinspect --append --output old.db --samples $mlp/run.etdp $mlp/record.etrecord
    sqlite3 old.db 'PRAGMA integrity_check' 'PRAGMA user_version' 'SELECT dump_id, labels FROM dump_list'
    schema_of old.db | diff - new_schema && echo 'the same schema'

    # Its old rows are present, and its additions equal those of a new database.
    sqlite3 old.db .dump | grep '^INSERT' >after
    grep '^INSERT' before | cut -d ')' -f 1 | while read -r row; do grep -qF "$row" after || echo "lost: $row"; done
    for table in $(sqlite3 new.db "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'dumps'"); do
        columns=$(sqlite3 new.db "SELECT group_concat('\"' || name || '\"') FROM pragma_table_info('$table') WHERE name <> 'dump_id'")
        sqlite3 old.db "SELECT $columns FROM $table WHERE dump_id = 3" >old
        sqlite3 new.db "SELECT $columns FROM $table" >new
        cmp -s old new || echo "differs: $table"
    done
    # Columns that it lacked are empty in its old rows.
    sqlite3 old.db 'SELECT dump_id, count(*), count(module), count(total), count(attribution) FROM event_list GROUP BY dump_id'
done

# A changed view is kept, and a note says so.
sqlite3 old.db 'DROP VIEW run_times' "CREATE VIEW run_times AS SELECT 'mine'"
etinspect --append --output old.db $mlp/run.etdp
sqlite3 old.db 'SELECT * FROM run_times' "SELECT * FROM notes WHERE table_name = 'run_times'"

sqlite3 old.db 'PRAGMA user_version = 4'
cp old.db kept.db
refused etinspect --append --output old.db $mlp/run.etdp
cmp old.db kept.db && echo kept
