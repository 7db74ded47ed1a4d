#include "sqlite/schema.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ==== sqlite foreign ========================================================================== */

/* Largest number of bytes of all CHECK constraints, defaults and conditions of a table and its indexes. */
#define ETI_MOST_FOREIGN_SQL 4096

/* Largest number of columns in all indexes of a table. */
#define ETI_MOST_INDEXED_COLUMNS 256

/* ---- expressions ----------------------------------------------------------------------------- */

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || eti__is_digit(c) || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

/* Return the number of bytes of a comment or other token at the beginning of `sql`; 0: there is none. */
static size_t measure_comment(eti_text sql) {
    const char *end = NULL;
    if (sql.size >= 2 && memcmp(sql.data, "--", 2) == 0) {
        end = memchr(sql.data, '\n', sql.size);
        return end ? (size_t)(end - sql.data) : sql.size;
    }
    if (sql.size < 2 || memcmp(sql.data, "/*", 2) != 0)
        return 0;
    end = sql.size > 2 ? memmem(sql.data + 2, sql.size - 2, "*/", 2) : NULL;
    return end ? (size_t)(end - sql.data) + 2 : sql.size;
}

static size_t measure_space(eti_text sql) {
    size_t n = 0;
    while (n < sql.size && strchr(" \t\r\n\f", sql.data[n])) /* and NUL */
        n++;
    return n > 0 ? n : measure_comment(sql);
}

/* Measures a quoted name or text. A doubled quote inside counts as the end of one and the beginning of another, which gives
 * the same result. */
static size_t measure_quoted(eti_text sql) {
    if (*sql.data != '\'' && *sql.data != '"' && *sql.data != '`' && *sql.data != '[')
        return 0;
    const char *end = memchr(sql.data + 1, *sql.data == '[' ? ']' : *sql.data, sql.size - 1);
    return end ? (size_t)(end - sql.data) + 1 : sql.size;
}

static size_t measure_word(eti_text sql) {
    size_t n = 0;
    while (n < sql.size && is_word_byte(sql.data[n]))
        n++;
    return n;
}

static void skip(eti_text *sql, size_t n) {
    sql->data += n;
    sql->size -= n;
}

/* Takes the next word, quoted text or single character off `sql`; absent at the end. */
static eti_text take_token(eti_text *sql) {
    for (size_t n; (n = measure_space(*sql)) > 0;)
        skip(sql, n);
    if (sql->size == 0)
        return (eti_text){0};
    size_t n = measure_quoted(*sql);
    if (n == 0)
        n = measure_word(*sql);
    eti_text token = {sql->data, n > 0 ? n : 1};
    skip(sql, token.size);
    return token;
}

static bool is_word(eti_text token, const char *word) {
    return token.size == strlen(word) && strncasecmp(token.data, word, token.size) == 0;
}

static bool is_one_of(eti_text token, const char *const *words) {
    while (*words && !is_word(token, *words))
        words++;
    return *words != NULL;
}

/* Returns whether `(` after this token is a function call. */
static bool is_callable(eti_text token) {
    static const char *const before_parenthesis[] = {"AND",     "OR",    "NOT",  "IN",   "IS",
                                                     "BETWEEN", "WHEN",  "THEN", "ELSE", "CASE",
                                                     "CHECK",   "WHERE", NULL};
    if (!token.data)
        return false;
    bool is_name = is_word_byte(*token.data) || strchr("'\"`[", *token.data);
    return is_name && !is_one_of(token, before_parenthesis);
}

/* Returns whether a token is an operator that is a function or can lengthen texts without limit. */
static bool is_costly(eti_text before, eti_text token) {
    static const char *const patterns[] = {"LIKE", "GLOB", "REGEXP", "MATCH", NULL};
    if (*token.data == '|')
        return before.data && *before.data == '|';
    if (*token.data == '>')
        return before.data && *before.data == '-';
    return is_one_of(token, patterns) || (*token.data == '(' && is_callable(before));
}

bool eti__sql_is_plain(eti_text expression, size_t *n_bytes) {
    eti_text before = {0};
    *n_bytes += expression.size;
    for (;;) {
        eti_text token = take_token(&expression);
        if (!token.data)
            return true;
        if (is_costly(before, token))
            return false;
        before = token;
    }
}

/* Takes the contents of parentheses off `sql`. */
static eti_text take_parenthesised(eti_text *sql) {
    const char *start = sql->data;
    int depth = 0;
    do {
        eti_text token = take_token(sql);
        if (!token.data)
            break;
        depth += *token.data == '(' ? 1 : *token.data == ')' ? -1 : 0;
    } while (depth > 0);
    return (eti_text){start, (size_t)(sql->data - start)};
}

bool eti__sql_checks_are_plain(eti_text definition, size_t *n_bytes) {
    for (eti_text token; (token = take_token(&definition)).data;) {
        if (is_word(token, "CHECK") && !eti__sql_is_plain(take_parenthesised(&definition), n_bytes))
            return false;
    }
    return true;
}

/* Skips to the condition of a partial index. */
static eti_text find_condition(eti_text definition) {
    for (eti_text token; (token = take_token(&definition)).data;) {
        if (is_word(token, "WHERE"))
            break;
    }
    return definition;
}

/* ---- a table --------------------------------------------------------------------------------- */

typedef struct table_check {
    eti_database *d;
    eti_text name;
    size_t n_bytes;   /* of SQL that is evaluated for each row */
    size_t n_indexed; /* columns in indexes */
    eti_buffer *columns;
} table_check;

static eti_status refuse(const table_check *check, const char *what) {
    return eti_fail(
        check->d->err, ETI_ERROR_MALFORMED,
        "%s: nothing was appended: the table %.*s %s: drop it, or write to another file",
        check->d->path, ETI_TEXT_ARGS(check->name), what);
}

static eti_status check_amount(const table_check *check) {
    if (check->n_bytes > ETI_MOST_FOREIGN_SQL)
        return refuse(check, "has too many defaults, constraints and conditions");
    if (check->n_indexed > ETI_MOST_INDEXED_COLUMNS)
        return refuse(check, "has too many indexes");
    return ETI_OK;
}

/* Adds a name exactly as the schema has it, whatever its bytes are. */
static void add_exactly(eti_buffer *out, eti_text name) {
    eti__buffer_add_char(out, '"');
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] == '"')
            eti__buffer_add_char(out, '"');
        eti__buffer_add_char(out, name.data[i]);
    }
    eti__buffer_add_char(out, '"');
}

/* Prepares `pragma` with one name as its argument. */
static eti_status ask_about(eti_database *d, const char *pragma, eti_text name,
                            sqlite3_stmt **out) {
    eti__buffer_printf(&d->sql, "PRAGMA main.%s(", pragma);
    add_exactly(&d->sql, name);
    eti__buffer_add_char(&d->sql, ')');
    return eti__database_prepare_built(d, out);
}

typedef eti_status row_check(table_check *check, sqlite3_stmt *row);

/* Calls `see` with each row of the result. */
static eti_status see_rows(table_check *check, const char *pragma, eti_text name, row_check *see) {
    sqlite3_stmt *statement;
    bool has_row = true;
    ETI_TRY(ask_about(check->d, pragma, name, &statement));
    eti_status status = ETI_OK;
    while (status == ETI_OK && has_row) {
        status = eti__database_step(check->d, statement, &has_row);
        if (status == ETI_OK && has_row)
            status = see(check, statement);
        if (status == ETI_OK)
            status = check_amount(check);
    }
    (void)check->d->sqlite.finalize(statement);
    return status;
}

static eti_status see_column(table_check *check, sqlite3_stmt *row) {
    eti_database *d = check->d;
    if (d->sqlite.column_int64(row, 6) != 0)
        return refuse(check, "has a generated column");
    if (!eti__sql_is_plain(eti__database_text(d, row, 4), &check->n_bytes))
        return refuse(check, "has a default that calls a function");
    eti__database_add_quoted(check->columns, eti__database_text(d, row, 1));
    eti__buffer_add_char(check->columns, '\0');
    return check->columns->failed ? eti_fail_memory(d->err) : ETI_OK;
}

static eti_status see_indexed_column(table_check *check, sqlite3_stmt *row) {
    check->n_indexed++;
    if (check->d->sqlite.column_int64(row, 1) == -2)
        return refuse(check, "has an index on an expression");
    return ETI_OK;
}

/* Prepares a query about an object of the schema by its name. */
static eti_status find_object(eti_database *d, const char *sql, eti_text name, sqlite3_stmt **out,
                              bool *exists) {
    ETI_TRY(eti__database_prepare(d, sql, out));
    eti_status status = ETI_OK;
    int code = d->sqlite.bind_text64(*out, 1, name.data, name.size, SQLITE_TRANSIENT, SQLITE_UTF8);
    if (code == SQLITE_OK)
        status = eti__database_step(d, *out, exists);
    else
        status = eti__database_fail(d, code);
    if (status != ETI_OK)
        (void)d->sqlite.finalize(*out);
    return status;
}

static eti_status check_condition(table_check *check, eti_text index) {
    sqlite3_stmt *row;
    bool exists = false;
    eti_database *d = check->d;
    ETI_TRY(find_object(d, "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?",
                        index, &row, &exists));
    eti_text sql = exists ? eti__database_text(d, row, 0) : (eti_text){0};
    eti_status status = ETI_OK;
    if (!exists)
        status = refuse(check, "has an index that is not in the schema");
    else if (!sql.data)
        status = eti__database_fail(d, SQLITE_NOMEM);
    else if (!eti__sql_is_plain(find_condition(sql), &check->n_bytes))
        status = refuse(check, "has an index with a condition that calls a function");
    (void)d->sqlite.finalize(row);
    return status;
}

static eti_status see_index(table_check *check, sqlite3_stmt *row) {
    eti_text name = eti__database_text(check->d, row, 1);
    size_t n_before = check->n_indexed;
    ETI_TRY(see_rows(check, "index_xinfo", name, see_indexed_column));
    if (check->n_indexed == n_before)
        return refuse(check, "has an index that is not in the schema");
    return check->d->sqlite.column_int64(row, 4) != 0 ? check_condition(check, name) : ETI_OK;
}

/* Checks the definition in a row that has the type of an object, its root page and its SQL. */
static eti_status check_definition(table_check *check, sqlite3_stmt *row) {
    eti_database *d = check->d;
    if (eti__text_is(eti__database_text(d, row, 0), "view"))
        return refuse(check, "is a view");
    if (d->sqlite.column_int64(row, 1) == 0)
        return refuse(check, "is a virtual table");
    eti_text sql = eti__database_text(d, row, 2);
    if (!sql.data)
        return eti__database_fail(d, SQLITE_NOMEM);
    if (!eti__sql_checks_are_plain(sql, &check->n_bytes))
        return refuse(check, "has a CHECK constraint that calls a function");
    return ETI_OK;
}

/* Sets *exists, and adds the names of the table's columns to `columns`, quoted, each with a NUL. The message of
 * ETI_ERROR_MALFORMED names the object that must be dropped before rows can be added. */
static eti_status check_database_table(eti_database *d, eti_text name, bool *exists,
                                       eti_buffer *columns) {
    table_check check = {.d = d, .name = name, .columns = columns};
    sqlite3_stmt *row;
    ETI_TRY(find_object(d,
                        "SELECT type, rootpage, sql FROM main.sqlite_schema WHERE type IN "
                        "('table', 'view') AND name = ? COLLATE NOCASE",
                        name, &row, exists));
    eti_status status = *exists ? check_definition(&check, row) : ETI_OK;
    (void)d->sqlite.finalize(row);
    if (status != ETI_OK || !*exists)
        return status;
    ETI_TRY(see_rows(&check, "table_xinfo", name, see_column));
    return see_rows(&check, "index_list", name, see_index);
}

/* ==== sqlite schema =========================================================================== */

#define TYPED_ROWS 100 /* rows that are examined to find the columns of flags */

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns whether two names are the same to SQLite, which ignores case. */
static bool same_name(eti_text a, eti_text b) {
    return a.size == b.size && (a.size == 0 || strncasecmp(a.data, b.data, a.size) == 0);
}

/* Returns whether a column before this one has the same name, which is quoted. */
static bool is_taken(eti_database *d, const eti_column *columns, size_t column, eti_text quoted) {
    bool taken = same_name(quoted, eti__text_of("\"dump_id\""));
    for (size_t i = 0; i < column && !taken; i++) {
        d->text.size = 0;
        eti__database_add_quoted(&d->text, eti__column_bare_name(d->report, &columns[i]));
        taken = same_name(quoted, eti__buffer_text(&d->text));
    }
    return taken;
}

void eti__database_add_column(eti_database *d, eti_buffer *out, const eti_column *columns,
                              size_t column) {
    size_t start = out->size;
    eti__database_add_quoted(out, eti__column_bare_name(d->report, &columns[column]));
    if (out->failed)
        return;
    if (is_taken(d, columns, column, (eti_text){out->data + start, out->size - start})) {
        out->size--; /* the quote */
        eti__buffer_printf(out, "_%zu\"", column + 1);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The intended form of a table, without the dump_id with which each begins. */
typedef struct table_plan {
    const char *name;
    const eti_column *columns;
    size_t n_columns;
    const bool *is_flag; /* per column; NULL: none is */
    const char *dump_id; /* declared type */
} table_plan;

#define OF_DUMP "INTEGER NOT NULL REFERENCES dumps"
#define TEXT_COLUMN(text)                                                                          \
    { .name = {text, sizeof(text) - 1}, .kind = ETI_COLUMN_TEXT }
#define N_OF(array) (sizeof(array) / sizeof *(array))

static const eti_column dump_columns[] = {TEXT_COLUMN("view"), TEXT_COLUMN("version"),
                                          TEXT_COLUMN("time_scale")};
static const eti_column source_columns[] = {TEXT_COLUMN("kind"),
                                            TEXT_COLUMN("path"),
                                            {.name = {"size", 4}, .kind = ETI_COLUMN_BYTES},
                                            TEXT_COLUMN("sha256")};
static const eti_column label_columns[] = {TEXT_COLUMN("key"), TEXT_COLUMN("value")};
static const eti_column note_columns[] = {TEXT_COLUMN("table_name"), TEXT_COLUMN("text")};

/* Tables with the provenance of rows. */
static const table_plan own_tables[] = {
    {"dumps", dump_columns, N_OF(dump_columns), NULL, "INTEGER PRIMARY KEY"},
    {"sources", source_columns, N_OF(source_columns), NULL, OF_DUMP},
    {"labels", label_columns, N_OF(label_columns), NULL, OF_DUMP},
    {"notes", note_columns, N_OF(note_columns), NULL, OF_DUMP},
};

static const char *declared_type(const table_plan *plan, size_t column) {
    if (plan->is_flag && plan->is_flag[column])
        return "BOOLEAN";
    switch (plan->columns[column].kind) {
    case ETI_COLUMN_TIME:
    case ETI_COLUMN_SHARE:
    case ETI_COLUMN_CHANGE:
        return "REAL";
    case ETI_COLUMN_COUNT:
    case ETI_COLUMN_BYTES:
    case ETI_COLUMN_MARK:
        return "INTEGER";
    case ETI_COLUMN_NUMBER:
        return "NUMERIC";
    case ETI_COLUMN_TEXT:
    case ETI_COLUMN_LIST:
    case ETI_COLUMN_SERIES:
    case ETI_COLUMN_RANGES:
    case ETI_COLUMN_UNIT:
        break;
    }
    return "TEXT";
}

static void add_declaration(eti_database *d, const table_plan *plan, size_t column) {
    eti__database_add_column(d, &d->sql, plan->columns, column);
    eti__buffer_add_char(&d->sql, ' ');
    eti__buffer_add_string(&d->sql, declared_type(plan, column));
}

/* Creates a table unless it exists: two sections may have the same name. */
static eti_status create_table(eti_database *d, const table_plan *plan) {
    eti__buffer_add_string(&d->sql, "CREATE TABLE IF NOT EXISTS ");
    eti__database_add_quoted(&d->sql, eti__text_of(plan->name));
    eti__buffer_printf(&d->sql, " (dump_id %s", plan->dump_id);
    for (size_t i = 0; i < plan->n_columns; i++) {
        eti__buffer_add_string(&d->sql, ", ");
        add_declaration(d, plan, i);
    }
    eti__buffer_add_char(&d->sql, ')');
    return eti__database_run_built(d);
}

/* Returns whether one of `names`, each of which ends with a NUL, is that of the column. */
static bool has_column(eti_database *d, eti_text names, const table_plan *plan, size_t column) {
    eti_buffer name = {0};
    bool found = false;
    eti__database_add_column(d, &name, plan->columns, column);
    while (names.size > 0 && !found && !name.failed) {
        size_t size = strlen(names.data);
        found = same_name(eti__buffer_text(&name), (eti_text){names.data, size});
        names.data += size + 1;
        names.size -= size + 1;
    }
    d->text.failed = d->text.failed || name.failed;
    eti__buffer_free(&name);
    return found;
}

static eti_status add_missing_columns(eti_database *d, const table_plan *plan, eti_text names) {
    for (size_t i = 0; i < plan->n_columns; i++) {
        if (has_column(d, names, plan, i))
            continue;
        eti__buffer_add_string(&d->sql, "ALTER TABLE main.");
        eti__database_add_quoted(&d->sql, eti__text_of(plan->name));
        eti__buffer_add_string(&d->sql, " ADD COLUMN ");
        add_declaration(d, plan, i);
        ETI_TRY(eti__database_run_built(d));
    }
    return ETI_OK;
}

static eti_status make_table(eti_database *d, const table_plan *plan) {
    eti_buffer names = {0};
    bool exists = false;
    eti_status status = ETI_OK;
    if (d->path) /* a database in memory has no tables of others */
        status = check_database_table(d, eti__text_of(plan->name), &exists, &names);
    if (status == ETI_OK)
        status =
            exists ? add_missing_columns(d, plan, eti__buffer_text(&names)) : create_table(d, plan);
    eti__buffer_free(&names);
    return status;
}

/* Finds the columns of flags: those in which the first rows have only flags. False: out of memory. */
static bool find_flags(const eti_table *table, bool *is_flag) {
    eti_row_reader rows;
    if (!eti__row_reader_open(&rows, table))
        return false;
    for (size_t row = 0; row < table->n_rows && row < TYPED_ROWS; row++) {
        const eti_cell *cells = eti__row_reader_read(&rows, row);
        for (size_t i = 0; i < table->n_columns; i++) {
            if (cells[i].kind == ETI_CELL_BOOL && row == 0)
                is_flag[i] = true;
            else if (cells[i].kind != ETI_CELL_BOOL)
                is_flag[i] = false;
        }
    }
    bool failed = rows.failed;
    eti__row_reader_close(&rows);
    return !failed;
}

/* Checks that a table has no rows of another view: views give the same name to different tables. All rows are of one view,
 * so any of them shows it. */
static eti_status check_view(eti_database *d, const char *table) {
    sqlite3_stmt *row;
    bool has_row = false;
    eti__buffer_add_string(&d->sql, "SELECT d.\"view\" FROM (SELECT dump_id FROM main.");
    eti__database_add_quoted(&d->sql, eti__text_of(table));
    eti__buffer_add_string(&d->sql, " LIMIT 1) JOIN main.dumps d USING (dump_id)");
    ETI_TRY(eti__database_prepare_built(d, &row));
    eti_status status = eti__database_step(d, row, &has_row);
    if (status == ETI_OK && has_row) {
        eti_text view = eti__database_text(d, row, 0);
        if (view.size > 0 && !eti__text_is(view, d->report->view))
            status = eti_fail(d->err, ETI_ERROR_USAGE,
                              "%s: nothing was appended: its table %s has rows of the view %.*s, "
                              "which has other columns than the view %s: write to another file",
                              d->path, table, ETI_TEXT_ARGS(view), d->report->view);
    }
    (void)d->sqlite.finalize(row);
    return status;
}

static eti_status make_section(eti_database *d, const eti_section *section) {
    const eti_table *table = section->table;
    bool *is_flag = calloc(table->n_columns + 1, sizeof *is_flag);
    const table_plan plan = {section->name, table->columns, table->n_columns, is_flag, OF_DUMP};
    eti_status status =
        is_flag && find_flags(table, is_flag) ? make_table(d, &plan) : eti_fail_memory(d->err);
    free(is_flag);
    if (status == ETI_OK && d->path && table->n_rows > 0)
        status = check_view(d, section->name);
    return status;
}

eti_status eti__database_make_tables(eti_database *d) {
    for (size_t i = 0; i < N_OF(own_tables); i++)
        ETI_TRY(make_table(d, &own_tables[i]));
    for (size_t i = 0; i < d->report->n_sections; i++)
        ETI_TRY(make_section(d, &d->report->sections[i]));
    eti__buffer_printf(&d->sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                       ETI_DATABASE_APPLICATION_ID, ETI_DATABASE_VERSION);
    return eti__database_run_built(d);
}

/* ---- rows of texts --------------------------------------------------------------------------- */

eti_status eti__database_insert_texts(eti_database *d, const char *sql, const eti_text *texts,
                                      size_t n) {
    sqlite3_stmt *statement;
    ETI_TRY(eti__database_prepare(d, sql, &statement));
    int code = d->sqlite.bind_int64(statement, 1, d->dump_id);
    for (size_t i = 0; i < n && code == SQLITE_OK; i++)
        code = eti__sqlite_bind_text(&d->sqlite, statement, (int)i + 2, texts[i]);
    if (code == SQLITE_OK)
        code = d->sqlite.step(statement);
    (void)d->sqlite.finalize(statement);
    ETI_TRY_SQLITE(d, code);
    return ETI_OK;
}

eti_status eti__database_add_note(eti_database *d, const char *table, eti_text note) {
    const eti_text texts[] = {eti__text_of(table), note};
    return eti__database_insert_texts(
        d, "INSERT OR ABORT INTO main.notes (dump_id, table_name, text) VALUES (?, ?, ?)", texts,
        2);
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Number of digits of the mark before the text of our views: the beginning of its SHA-256, by which a program
 * with another text recognizes that nobody changed it. */
#define MARK_DIGITS 16
#define MARK_BEFORE "/* etinspect:"
#define MARK_AFTER " */ "

static void make_mark(eti_text sql, char out[MARK_DIGITS + 1]) {
    char digits[ETI_SHA256_DIGITS + 1];
    eti__sha256(sql.data, sql.size, digits);
    memcpy(out, digits, MARK_DIGITS);
    out[MARK_DIGITS] = '\0';
}

/* Adds the beginning of a view's statement as SQLite stores it. */
static void add_view_start(eti_buffer *out, const char *name) {
    eti__buffer_add_string(out, "CREATE VIEW ");
    eti__database_add_quoted(out, eti__text_of(name));
    eti__buffer_add_string(out, " AS ");
}

/* Takes `start` off `text`, if it begins with it. */
static bool take_start(eti_text *text, eti_text start) {
    if (text->size < start.size || memcmp(text->data, start.data, start.size) != 0)
        return false;
    text->data += start.size;
    text->size -= start.size;
    return true;
}

/* Returns whether a view is unchanged since this program made it. `sql` begins after AS. */
static bool is_unchanged(eti_text sql) {
    char mark[MARK_DIGITS + 1];
    eti_text found;
    if (!take_start(&sql, eti__text_of(MARK_BEFORE)) || sql.size < MARK_DIGITS)
        return false;
    found = (eti_text){sql.data, MARK_DIGITS};
    sql.data += MARK_DIGITS;
    sql.size -= MARK_DIGITS;
    if (!take_start(&sql, eti__text_of(MARK_AFTER)))
        return false;
    make_mark(sql, mark);
    return eti__text_is(found, mark);
}

typedef enum view_state {
    VIEW_MISSING,
    VIEW_CURRENT,
    VIEW_OLD,
    VIEW_FOREIGN,
} view_state;

/* Compares the object with the view's name with the statement in d->sql that would make the view. */
static eti_status find_view(eti_database *d, const char *name, view_state *out) {
    static const char sql[] = "SELECT sql FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE";
    sqlite3_stmt *row;
    bool exists = false;
    ETI_TRY(eti__database_prepare(d, sql, &row));
    int code = eti__sqlite_bind_text(&d->sqlite, row, 1, eti__text_of(name));
    eti_status status =
        code == SQLITE_OK ? eti__database_step(d, row, &exists) : eti__database_fail(d, code);
    if (status == ETI_OK) {
        eti_text found = exists ? eti__database_text(d, row, 0) : (eti_text){0};
        d->text.size = 0;
        add_view_start(&d->text, name);
        if (!exists)
            *out = VIEW_MISSING;
        else if (eti__text_equal(found, eti__buffer_text(&d->sql)))
            *out = VIEW_CURRENT;
        else if (take_start(&found, eti__buffer_text(&d->text)) && is_unchanged(found))
            *out = VIEW_OLD;
        else
            *out = VIEW_FOREIGN;
    }
    (void)d->sqlite.finalize(row);
    return status;
}

static eti_status drop_view(eti_database *d, const char *name) {
    eti_buffer sql = {0};
    eti__buffer_add_string(&sql, "DROP VIEW main.");
    eti__database_add_quoted(&sql, eti__text_of(name));
    eti__buffer_add_char(&sql, '\0');
    eti_status status = sql.failed ? eti_fail_memory(d->err) : eti__database_run(d, sql.data);
    eti__buffer_free(&sql);
    return status;
}

static eti_status make_view(eti_database *d, const eti_report_query *query) {
    char mark[MARK_DIGITS + 1];
    view_state state = VIEW_MISSING;
    make_mark(eti__text_of(query->sql), mark);
    add_view_start(&d->sql, query->name);
    eti__buffer_printf(&d->sql, "%s%s%s%s", MARK_BEFORE, mark, MARK_AFTER, query->sql);
    if (d->path)
        ETI_TRY(find_view(d, query->name, &state));
    if (state == VIEW_OLD)
        ETI_TRY(drop_view(d, query->name));
    if (state == VIEW_OLD || state == VIEW_MISSING)
        return eti__database_run_built(d);
    d->sql.size = 0;
    if (state == VIEW_CURRENT)
        return ETI_OK;
    return eti__database_add_note(
        d, query->name,
        eti__text_of("another view or table has this name and was left unchanged: drop it, and the "
                     "next --append creates the view"));
}

eti_status eti__database_make_views(eti_database *d) {
    for (size_t i = 0; i < d->report->n_queries; i++)
        ETI_TRY(make_view(d, &d->report->queries[i]));
    return ETI_OK;
}
