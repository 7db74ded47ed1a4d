/*
 * SQLite: each table of a report becomes one of the database, its columns without units, lists as JSON arrays. Rows of one
 * report have the same dump_id, which refers to the tables dumps, sources, labels and notes with their provenance; several
 * reports can be appended to one file.
 */
#include "sqlite/sqlite_append.h"
#include "sqlite/sqlite_new.h"

static eti_status write_sqlite(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    eti_database d = {.report = report, .options = options, .err = err};
    ETI_TRY(eti__sqlite_check_unused(output, err));
    ETI_TRY(eti__sqlite_load(&d.sqlite, err));
    ETI_TRY(eti__sqlite_write_new(&d, output));
    return eti__sqlite_check_unused(output, err); /* again, because writing may have taken long */
}

const eti_writer eti__writer_sqlite = {
    .name = "sqlite",
    .summary = "SQLite database with one table for each of these",
    .suffixes = "sqlite,sqlite3,db",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_sqlite,
    .is_for_programs = true,
    .is_file = true,
    .append_report = eti__sqlite_append,
};
