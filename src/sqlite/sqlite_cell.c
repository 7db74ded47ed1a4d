#include "sqlite/sqlite_cell.h"

#include "table/table.h"

static int bind_valid(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place, eti_text text) {
    if (!text.data)
        return sqlite->bind_null(statement, place);
    return sqlite->bind_text64(statement, place, text.data, text.size, SQLITE_TRANSIENT,
                               SQLITE_UTF8);
}

int eti__sqlite_bind_text(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          eti_text text, eti_buffer *scratch) {
    if (!text.data || eti__text_valid_utf8(text) == text.size)
        return bind_valid(sqlite, statement, place, text);
    scratch->size = 0;
    eti__buffer_add_utf8(scratch, text);
    return scratch->failed ? SQLITE_NOMEM
                           : bind_valid(sqlite, statement, place, eti__buffer_text(scratch));
}

static int bind_list(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                     const eti_cell *cell, eti_buffer *scratch) {
    scratch->size = 0;
    eti__cell_add_json(scratch, cell);
    return scratch->failed ? SQLITE_NOMEM
                           : bind_valid(sqlite, statement, place, eti__buffer_text(scratch));
}

int eti__sqlite_bind_cell(const eti_sqlite *sqlite, sqlite3_stmt *statement, int place,
                          const eti_cell *cell, eti_buffer *scratch) {
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        return sqlite->bind_int(statement, place, cell->as_bool);
    case ETI_CELL_INT:
        return sqlite->bind_int64(statement, place, cell->as_int);
    case ETI_CELL_DOUBLE:
        return sqlite->bind_double(statement, place, cell->as_double);
    case ETI_CELL_LIST:
        if (cell->items)
            return bind_list(sqlite, statement, place, cell, scratch);
        return eti__sqlite_bind_text(sqlite, statement, place, cell->as_text, scratch);
    case ETI_CELL_TEXT:
        return eti__sqlite_bind_text(sqlite, statement, place, cell->as_text, scratch);
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
        return bind_list(sqlite, statement, place, cell, scratch);
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
        break;
    }
    return sqlite->bind_null(statement, place);
}
