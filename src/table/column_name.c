#include "table/column_name.h"

#include "base/names.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

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
        *part = (eti_text){part->data + 1, part->size - 1};
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
    for (size_t i = 0; i < name.size; i++)
        eti__buffer_add(out, name.data[i] == '_' ? " " : &name.data[i], 1);
    if (unit)
        eti__buffer_printf(out, " (%s)", unit);
}

/* Returns whether `words` are the words of the name. */
static bool is_heading(eti_text name, eti_text words) {
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
