#include "sqlite/sqlite_foreign.h"

#include <string.h>
#include <strings.h>

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

eti_status eti__database_check_table(eti_database *d, eti_text name, bool *exists,
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
