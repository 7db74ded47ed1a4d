#include "write/grid_cell.h"

#include "base/python.h"

#include <math.h>
#include <string.h>

/* Returns the number of digits at `at`, at most `limit`. */
static size_t digits_at(eti_text text, size_t at, size_t limit) {
    size_t n = 0;
    while (n < limit && at + n < text.size && eti__is_digit(text.data[at + n]))
        n++;
    return n;
}

/* Returns whether a text is like "+1,234", "-1,234.5", "12." or ".5". One LF at the end is allowed,
 * even alone. `text` is not empty. */
static bool is_thousands_form(eti_text text) {
    if (text.data[text.size - 1] == '\n')
        text.size--;
    size_t at = text.size > 0 && (text.data[0] == '+' || text.data[0] == '-') ? 1 : 0;
    size_t n = digits_at(text, at, 3);
    if (n == 0) {
        n = text.size > 0 && text.data[0] == '.' ? digits_at(text, 1, SIZE_MAX) : 0;
        return text.size == (n > 0 ? n + 1 : 0);
    }
    at += n;
    while (at < text.size && text.data[at] == ',' && digits_at(text, at + 1, 3) == 3)
        at += 4;
    if (at < text.size && text.data[at] == '.')
        at += 1 + digits_at(text, at + 1, SIZE_MAX);
    return at == text.size;
}

static bool has_byte(eti_text text, char byte) {
    return text.size > 0 && memchr(text.data, byte, text.size) != NULL;
}

/* Returns whether a text, which is infinity or NaN to Python, is in a form that counts. Python also
 * accepts white space, signs and "1e999". */
static bool is_plain_inf_or_nan(eti_text text) {
    size_t sign = text.size == 4 && text.data[0] == '-' ? 1 : 0;
    if (text.size - sign != 3)
        return false;
    char last = text.data[text.size - 1];
    return last == 'f' || last == 'F' || (sign == 0 && (last == 'n' || last == 'N'));
}

static bool is_float(eti_text text, eti_buffer *scratch) {
    double value;
    if (!eti__python_float(text, &value, scratch))
        return false;
    return isfinite(value) || is_plain_inf_or_nan(text);
}

static eti_grid_type text_type(eti_text text, eti_buffer *scratch) {
    if (text.size == 0)
        return ETI_GRID_MISSING;
    if (eti__text_is(text, "True") || eti__text_is(text, "False"))
        return ETI_GRID_BOOL;
    if (eti__python_is_int(text))
        return ETI_GRID_INT;
    if (is_thousands_form(text))
        return has_byte(text, '.') ? ETI_GRID_FLOAT : ETI_GRID_INT;
    return is_float(text, scratch) ? ETI_GRID_FLOAT : ETI_GRID_TEXT;
}

eti_grid_type eti__grid_cell_type(const eti_cell *cell, eti_buffer *scratch) {
    switch (cell->kind) {
    case ETI_CELL_NONE:
        return ETI_GRID_MISSING;
    case ETI_CELL_BOOL:
        return ETI_GRID_BOOL;
    case ETI_CELL_INT:
        return ETI_GRID_INT;
    case ETI_CELL_DOUBLE:
    case ETI_CELL_NAN:
        return ETI_GRID_FLOAT;
    case ETI_CELL_TEXT:
        return text_type(cell->as_text, scratch);
    default:
        return ETI_GRID_TEXT;
    }
}

/* Computes Python's float() of the text without its commas. */
static bool float_without_commas(eti_text text, double *out, eti_buffer *scratch) {
    if (!has_byte(text, ','))
        return eti__python_float(text, out, scratch);
    eti_buffer plain = {0};
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != ',')
            eti__buffer_add_char(&plain, text.data[i]);
    }
    scratch->failed = scratch->failed || plain.failed;
    bool ok = !plain.failed && eti__python_float(eti__buffer_text(&plain), out, scratch);
    eti__buffer_free(&plain);
    return ok;
}

/* Converts a cell of a float column to a float if possible: False is 0. */
static bool cell_as_float(const eti_cell *cell, double *out, eti_buffer *scratch) {
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        *out = cell->as_bool;
        return true;
    case ETI_CELL_INT:
        *out = (double)cell->as_int;
        return true;
    case ETI_CELL_DOUBLE:
        *out = cell->as_double;
        return true;
    case ETI_CELL_TEXT:
        return cell->as_text.size > 0 && float_without_commas(cell->as_text, out, scratch);
    default:
        return false;
    }
}

eti_text eti__grid_cell_text(const eti_cell *cell, eti_grid_type column_type,
                             eti_number_text *number, eti_buffer *scratch) {
    if (eti__cell_is_nan(cell))
        return (eti_text){"nan", 3};
    if (column_type == ETI_GRID_FLOAT && cell->kind == ETI_CELL_DOUBLE)
        return eti__cell_double_text(cell, true, number);
    double value;
    if (column_type == ETI_GRID_FLOAT && cell_as_float(cell, &value, scratch))
        return (eti_text){number->other, eti__double_general(number->other, value)};
    return eti__cell_text(cell, number);
}

ptrdiff_t eti__grid_decimals(eti_text number) {
    size_t sign = number.size > 0 && number.data[0] == '-' ? 1 : 0;
    if (number.size == sign || !eti__is_digit(number.data[sign]))
        return -1;
    const char *point = memchr(number.data, '.', number.size);
    if (!point)
        point = memchr(number.data, 'e', number.size);
    return point ? number.data + number.size - point - 1 : -1;
}
