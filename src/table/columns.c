#include "table/columns.h"

#include "base/names.h"
#include "base/python.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== columns ================================================================================= */

#define LONGEST_NAME 48

/* Returns the number of columns. */
static size_t spell_columns(eti_column *out, char (*names)[LONGEST_NAME],
                            const eti_column_spec *specs, size_t n, const char *unit) {
    size_t n_columns = 0;
    for (size_t i = 0; i < n && n_columns < ETI_MOST_COLUMN_SPECS; i++) {
        const eti_column_spec *spec = &specs[i];
        if (!spec->name)
            continue;
        out[n_columns] = (eti_column){
            .name = eti__text_of(spec->name),
            .type = spec->type,
            .kind = spec->kind,
            .is_extra = spec->is_extra,
            .help = spec->help,
        };
        if (spec->kind == ETI_COLUMN_TIME && unit) {
            snprintf(names[n_columns], LONGEST_NAME, "%s (%s)", spec->name, unit);
            out[n_columns].name = eti__text_of(names[n_columns]);
            out[n_columns].unit = unit;
        }
        n_columns++;
    }
    return n_columns;
}

eti_status eti__columns_make(eti_table **out, const eti_column_spec *specs, size_t n,
                             const char *unit, eti_error *err) {
    eti_column columns[ETI_MOST_COLUMN_SPECS];
    char names[ETI_MOST_COLUMN_SPECS][LONGEST_NAME];
    return eti__table_new(out, columns, spell_columns(columns, names, specs, n, unit), err);
}

eti_status eti__columns_add_section(eti_table **out, eti_report *report, const char *name,
                                    const char *title, const eti_column_spec *specs, size_t n,
                                    const char *unit, eti_error *err) {
    ETI_TRY(eti__columns_make(out, specs, n, unit, err));
    return eti__report_add(report, name, title, *out, err);
}

eti_status eti__columns_make_rows(eti_table **out, const eti_column_spec *specs, size_t n,
                                  size_t n_rows, eti_row_source source, const char *unit,
                                  eti_error *err) {
    eti_column columns[ETI_MOST_COLUMN_SPECS];
    char names[ETI_MOST_COLUMN_SPECS][LONGEST_NAME];
    size_t n_columns = spell_columns(columns, names, specs, n, unit);
    return eti__table_new_made(out, columns, n_columns, n_rows, source, err);
}

void eti__columns_show_values(eti_column_spec *specs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *name = specs[i].name ? specs[i].name : "";
        const char *value = strstr(name, "value");
        if ((value && value[strlen("value")] == '\0') || strcmp(name, "unit") == 0)
            specs[i].is_extra = false;
    }
}

bool eti__columns_set(const eti_column_spec *specs, size_t n, void *row, eti_row *out) {
    size_t column = 0;
    for (size_t i = 0; i < n && column < out->n_wanted; i++) {
        if (!specs[i].name)
            continue;
        if ((!out->wanted || out->wanted[column]) && !specs[i].set(row, &out->cells[column]))
            return false;
        column++;
    }
    return true;
}

eti_status eti__columns_add_row(eti_table *table, const eti_column_spec *specs, size_t n, void *row,
                                eti_error *err) {
    eti_row out = {.cells = eti__table_add_row(table), .n_wanted = table->n_columns};
    return out.cells && eti__columns_set(specs, n, row, &out) ? ETI_OK : eti_fail_memory(err);
}

/* Rows that are structs in an array. */
typedef struct array_rows {
    char *rows;
    size_t row_size, n_specs;
    eti_column_spec specs[];
} array_rows;

static bool make_array_row(const void *context, size_t number, eti_row *out) {
    const array_rows *a = context;
    return eti__columns_set(a->specs, a->n_specs, a->rows + number * a->row_size, out);
}

eti_status eti__columns_make_array(eti_table **out, const eti_column_spec *specs, size_t n,
                                   void *rows, size_t row_size, size_t n_rows, const char *unit,
                                   eti_error *err) {
    array_rows *a = malloc(sizeof *a + n * sizeof *specs);
    *out = NULL;
    if (!a)
        return eti_fail_memory(err);
    *a = (array_rows){.rows = rows, .row_size = row_size, .n_specs = n};
    memcpy(a->specs, specs, n * sizeof *specs);
    const eti_row_source source = {make_array_row, free, a};
    /* cppcheck-suppress memleak ; the table owns it */
    return eti__columns_make_rows(out, specs, n, n_rows, source, unit, err);
}

/* ==== column name ============================================================================= */

#define LONGEST_LIST 4000 /* bytes of names in a message */

eti_text eti__column_short_name(eti_text name) {
    if (name.size == 0 || name.data[name.size - 1] != ')')
        return name;
    for (size_t i = name.size; i-- > 1;) {
        if (name.data[i] == '(' && name.data[i - 1] == ' ')
            return (eti_text){name.data, i - 1};
    }
    return name;
}

/* Takes the next name off the list; `rest` is absent after the last name. */
bool eti__column_next_part(eti_text *rest, eti_text *part) {
    if (!rest->data)
        return false;
    const char *comma = rest->size ? memchr(rest->data, ',', rest->size) : NULL;
    size_t size = comma ? (size_t)(comma - rest->data) : rest->size;
    *part = (eti_text){rest->data, size};
    *rest = comma ? (eti_text){comma + 1, rest->size - size - 1} : (eti_text){NULL, 0};
    while (part->size > 0 && part->data[0] == ' ')
        *part = eti__text_from(*part, 1);
    while (part->size > 0 && part->data[part->size - 1] == ' ')
        part->size--;
    return true;
}

eti_text eti__column_bare_name(const eti_report *report, const eti_column *column) {
    eti_text name = column->name;
    if (column->kind != ETI_COLUMN_TIME || !report->has_time_scale)
        return name;
    const char *unit = eti_time_scale_name(report->time_scale);
    size_t size = strlen(unit) + 3; /* " (ms)" */
    if (name.size <= size)
        return name;
    const char *end = name.data + name.size - size;
    if (memcmp(end, " (", 2) == 0 && memcmp(end + 2, unit, size - 3) == 0 && end[size - 1] == ')')
        name.size -= size;
    return name;
}

void eti__column_add_heading(eti_buffer *out, const eti_column *column, const char *unit) {
    eti_text name = unit ? eti__column_short_name(column->name) : column->name;
    bool has_words = eti__add_words(out, eti__text_of(ETI_WORDS_OF_HEADINGS), name);
    for (size_t i = 0; !has_words && i < name.size; i++)
        eti__buffer_add(out, name.data[i] == '_' ? " " : &name.data[i], 1);
    if (unit)
        eti__buffer_printf(out, " (%s)", unit);
}

/* Returns whether `words` are the words of the name. */
static bool is_heading(eti_text name, eti_text words) {
    if (eti__are_words_for(words, eti__text_of(ETI_WORDS_OF_HEADINGS), name))
        return true;
    if (name.size != words.size)
        return false;
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] != words.data[i] && !(name.data[i] == '_' && words.data[i] == ' '))
            return false;
    }
    return true;
}

bool eti__column_find(const eti_table *table, eti_text name, size_t *out) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti__text_equal(table->columns[i].name, name)) {
            *out = i;
            return true;
        }
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti__text_equal(eti__column_short_name(table->columns[i].name), name)) {
            *out = i;
            return true;
        }
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        if (is_heading(eti__column_short_name(table->columns[i].name),
                       table->columns[i].unit ? eti__column_short_name(name) : name)) {
            *out = i;
            return true;
        }
    }
    return false;
}

bool eti__name_is_near(eti_text column, eti_text name) {
    size_t distance = ETI_TOO_FAR;
    return (name.size > 2 && eti__text_contains(column, name)) ||
           eti__text_is_nearer(column, name, &distance);
}

static size_t add_names(eti_buffer *out, const eti_table *table, eti_text name, bool near_only) {
    size_t n = 0;
    for (size_t i = 0; i < table->n_columns; i++) {
        eti_text column = eti__column_short_name(table->columns[i].name);
        if (near_only && !eti__name_is_near(column, name))
            continue;
        eti__buffer_add_string(out, n++ ? ", " : "");
        eti__buffer_add_text(out, column);
    }
    return n;
}

eti_status eti__column_fail(const eti_table *table, const char *option, eti_text name,
                            eti_error *err) {
    eti_buffer names = {0};
    if (name.size == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "%s%s: expected the name of a column, found nothing",
                        eti__option_prefix(), option);
    size_t n_near = add_names(&names, table, name, true);
    if (n_near == 0)
        add_names(&names, table, name, false);
    if (names.failed) {
        eti__buffer_free(&names);
        return eti_fail_memory(err);
    }
    eti__error_set(err, ETI_ERROR_USAGE, "%s%s: there is no column %.*s%s %.*s%s",
                   eti__option_prefix(), option, ETI_TEXT_ARGS(name),
                   n_near == 1   ? ": did you mean"
                   : n_near == 0 ? "; there are"
                                 : "; similar ones are",
                   (int)(names.size < LONGEST_LIST ? names.size : LONGEST_LIST),
                   names.data ? names.data : "", n_near == 1 ? "?" : "");
    eti__buffer_free(&names);
    return ETI_ERROR_USAGE;
}

/* ==== list text =============================================================================== */

bool eti__cell_is_list(const eti_cell *cell) {
    return cell->kind >= ETI_CELL_DOUBLES && cell->kind <= ETI_CELL_INT_LISTS;
}

static void add_double(eti_buffer *out, double value) {
    char text[ETI_DOUBLE_TEXT_MAX];
    size_t size = eti__double_repr(text, value);
    eti__buffer_add(out, text, size);
}

static void add_text(eti_buffer *out, eti_text text) {
    if (text.data)
        eti__python_add_str(out, text);
    else
        eti__buffer_add_string(out, "None");
}

static void add_comma(eti_buffer *out, size_t i) {
    if (i > 0)
        eti__buffer_add(out, ", ", 2);
}

static void add_ints(eti_buffer *out, const eti_int_list *list) {
    eti__buffer_add_char(out, '[');
    for (size_t i = 0; i < list->n; i++) {
        add_comma(out, i);
        eti__buffer_add_i64(out, list->items[i]);
    }
    eti__buffer_add_char(out, ']');
}

void eti__list_add(eti_buffer *out, const eti_cell *cell) {
    const uint64_t *uints = cell->items;
    const int64_t *ints = cell->items;
    const double *doubles = cell->items;
    const eti_text *texts = cell->items;
    const eti_int_list *lists = cell->items;
    eti__buffer_add_char(out, '[');
    for (size_t i = 0; i < cell->n_items; i++) {
        add_comma(out, i);
        if (cell->kind == ETI_CELL_UINTS)
            eti__buffer_add_u64(out, uints[i]);
        else if (cell->kind == ETI_CELL_INTS)
            eti__buffer_add_i64(out, ints[i]);
        else if (cell->kind == ETI_CELL_DOUBLES)
            add_double(out, doubles[i]);
        else if (cell->kind == ETI_CELL_INT_LISTS)
            add_ints(out, &lists[i]);
        else
            add_text(out, texts[i]);
    }
    eti__buffer_add_char(out, ']');
}
