#include "sqlite/sqlite_rows.h"

#include "sqlite/sqlite_cell.h"
#include "sqlite/sqlite_schema.h"

#include <inttypes.h>

#define GROUP_ROWS 20      /* rows inserted by one statement: three times as fast as one by one */
#define MAX_PARAMETERS 999 /* of a statement, in all versions of SQLite */

/* ---- rows ------------------------------------------------------------------------------------ */

/* Inserts n rows, beginning with `row`, at once. */
static int insert_group(eti_database *d, sqlite3_stmt *statement, eti_row_reader *rows, size_t row,
                        size_t n) {
    size_t n_columns = rows->table->n_columns;
    int code = SQLITE_OK, place = 1;
    for (size_t end = row + n; row < end && code == SQLITE_OK; row++) {
        const eti_cell *cells = eti__row_reader_read(rows, row);
        code = rows->failed ? SQLITE_NOMEM : d->sqlite.bind_int64(statement, place++, d->dump_id);
        for (size_t i = 0; code == SQLITE_OK && i < n_columns; i++)
            code = eti__sqlite_bind_cell(&d->sqlite, statement, place++, &cells[i], &d->text);
    }
    if (code == SQLITE_OK)
        code = d->sqlite.step(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Prepares a statement that inserts this number of rows. It names the columns, so that an old table may have more of them or
 * another order. If a constraint that others added fails, the whole statement fails, whatever the constraint specifies. */
static eti_status prepare_insert(eti_database *d, const eti_section *section, size_t n_rows,
                                 sqlite3_stmt **out) {
    const eti_table *table = section->table;
    eti__buffer_add_string(&d->sql, "INSERT OR ABORT INTO main.");
    eti__database_add_quoted(&d->sql, eti__text_of(section->name));
    eti__buffer_add_string(&d->sql, " (dump_id");
    for (size_t i = 0; i < table->n_columns; i++) {
        eti__buffer_add_string(&d->sql, ", ");
        eti__database_add_column(d, &d->sql, table->columns, i);
    }
    eti__buffer_add_string(&d->sql, ") VALUES ");
    for (size_t row = 0; row < n_rows; row++) {
        eti__buffer_add_string(&d->sql, row > 0 ? ", (?" : "(?");
        for (size_t i = 0; i < table->n_columns; i++)
            eti__buffer_add_string(&d->sql, ", ?");
        eti__buffer_add_char(&d->sql, ')');
    }
    return eti__database_prepare_built(d, out);
}

/* Inserts groups of rows, starting at *row, while enough rows for a statement are left. */
static eti_status insert_groups(eti_database *d, const eti_section *section, eti_row_reader *rows,
                                size_t group, size_t *row) {
    sqlite3_stmt *statement;
    int code = SQLITE_OK;
    if (section->table->n_rows - *row < group)
        return ETI_OK;
    ETI_TRY(prepare_insert(d, section, group, &statement));
    eti_status status = ETI_OK;
    for (; section->table->n_rows - *row >= group && status == ETI_OK; *row += group) {
        status =
            eti__tell(&d->options->progress, section->name, *row, section->table->n_rows, d->err);
        if (status == ETI_OK)
            code = insert_group(d, statement, rows, *row, group);
        if (code != SQLITE_OK)
            status = eti__database_fail(d, code);
        (void)d->sqlite.reset(statement);
    }
    (void)d->sqlite.finalize(statement);
    return status;
}

static eti_status insert_rows(eti_database *d, const eti_section *section) {
    eti_row_reader rows;
    size_t row = 0, most = MAX_PARAMETERS / (section->table->n_columns + 1);
    if (!eti__row_reader_open(&rows, section->table))
        return eti_fail_memory(d->err);
    eti_status status = ETI_OK;
    if (most > 0)
        status = insert_groups(d, section, &rows, most < GROUP_ROWS ? most : GROUP_ROWS, &row);
    if (status == ETI_OK)
        status = insert_groups(d, section, &rows, 1, &row);
    eti__row_reader_close(&rows);
    return status;
}

/* ---- where rows come from -------------------------------------------------------------------- */

/* Finds the greatest number in use; rows of a dump that was deleted only from `dumps` keep theirs. */
static const char greatest_id[] =
    "SELECT max(dump_id) FROM (SELECT max(dump_id) AS dump_id FROM main.dumps UNION ALL "
    "SELECT max(dump_id) FROM main.sources UNION ALL SELECT max(dump_id) FROM main.labels UNION "
    "ALL "
    "SELECT max(dump_id) FROM main.notes)";

/* Chooses the number after the greatest. */
static eti_status choose_dump_id(eti_database *d) {
    sqlite3_stmt *row;
    bool has_row = false;
    ETI_TRY(eti__database_prepare(d, greatest_id, &row));
    eti_status status = eti__database_step(d, row, &has_row);
    int type = status == ETI_OK ? d->sqlite.column_type(row, 0) : SQLITE_NULL;
    sqlite3_int64 last = type == SQLITE_INTEGER ? d->sqlite.column_int64(row, 0) : 0;
    (void)d->sqlite.finalize(row);
    ETI_TRY(status);
    if (type != SQLITE_INTEGER && type != SQLITE_NULL)
        return eti_fail(d->err, ETI_ERROR_MALFORMED,
                        "%s: nothing was appended: the largest dump_id is not a number: correct "
                        "it, or write to another file",
                        d->path);
    if (last == INT64_MAX)
        return eti_fail(d->err, ETI_ERROR_LIMIT,
                        "%s: nothing was appended: the largest dump_id is %" PRId64
                        ", so there is no number left: write to another file",
                        d->path, (int64_t)last);
    d->dump_id = last < 0 ? 1 : last + 1;
    return ETI_OK;
}

static eti_status insert_source(eti_database *d, const eti_report_source *source) {
    char sha256[ETI_SHA256_DIGITS + 1], digits[24];
    char *end = digits + sizeof digits;
    const char *size = eti__write_u64(end, source->size);
    const eti_text texts[] = {eti__text_of(source->kind),
                              source->path,
                              {size, (size_t)(end - size)},
                              eti__source_sha256(source, !d->options->no_sha256, sha256)};
    return eti__database_insert_texts(d,
                                      "INSERT OR ABORT INTO main.sources (dump_id, kind, path, "
                                      "size, sha256) VALUES (?, ?, ?, ?, ?)",
                                      texts, 4);
}

static eti_status insert_notes(eti_database *d, const eti_section *section) {
    for (size_t i = 0; i < section->n_notes; i++)
        ETI_TRY(eti__database_add_note(d, section->name, section->notes[i]));
    return ETI_OK;
}

static eti_status insert_labels(eti_database *d, const eti_label *labels, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const eti_text label[] = {eti__text_of(labels[i].key), eti__text_of(labels[i].value)};
        ETI_TRY(eti__database_insert_texts(
            d, "INSERT OR ABORT INTO main.labels (dump_id, \"key\", value) VALUES (?, ?, ?)", label,
            2));
    }
    return ETI_OK;
}

static eti_status insert_provenance(eti_database *d) {
    const eti_report *report = d->report;
    const eti_text texts[] = {eti__text_of(report->view), eti__text_of(eti_version()),
                              eti__report_time_scale(report)};
    ETI_TRY(eti__database_insert_texts(d,
                                       "INSERT OR ABORT INTO main.dumps (dump_id, \"view\", "
                                       "version, time_scale) VALUES (?, ?, ?, ?)",
                                       texts, 3));
    for (size_t i = 0; i < report->n_sources; i++)
        ETI_TRY(insert_source(d, &report->sources[i]));
    ETI_TRY(insert_labels(d, report->labels, report->n_labels));
    ETI_TRY(insert_labels(d, d->options->labels, d->options->n_labels));
    for (size_t i = 0; i < report->n_sections; i++)
        ETI_TRY(insert_notes(d, &report->sections[i]));
    return ETI_OK;
}

eti_status eti__database_fill(eti_database *d) {
    ETI_TRY(eti__database_make_tables(d));
    ETI_TRY(choose_dump_id(d));
    ETI_TRY(insert_provenance(d));
    for (size_t i = 0; i < d->report->n_sections; i++)
        ETI_TRY(insert_rows(d, &d->report->sections[i]));
    return eti__database_make_views(d);
}
