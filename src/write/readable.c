#include "write/readable.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

/* ==== readable ================================================================================ */

#define MOST_DECIMALS 9
#define DIGITS_OF_LEAST 3
#define DIGITS_OF_MOST 6
#define DIGITS_OF_EACH 4
#define LIKE_EACH_OTHER 1000     /* a column whose numbers differ by a larger factor mixes units */
#define LARGE 1e15               /* from here on numbers are written with an exponent */
#define LONGER_BYTES ((size_t)2) /* letters that KiB has more than B */
#define MOST_SCALED 9e18         /* limit of a number multiplied by a power of ten to fit 64 bits */

static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

static bool is_double(const eti_cell *cell) {
    return cell->kind == ETI_CELL_DOUBLE && isfinite(cell->as_double);
}

static bool is_grouped(eti_column_kind kind) {
    return kind == ETI_COLUMN_COUNT || kind == ETI_COLUMN_TIME;
}

/* Returns whether a column mixes quantities, so that each number has its own form. */
static bool is_mixed(eti_column_kind kind) {
    return kind == ETI_COLUMN_TEXT || kind == ETI_COLUMN_LIST || kind == ETI_COLUMN_MARK ||
           kind == ETI_COLUMN_SERIES || kind == ETI_COLUMN_UNIT || kind == ETI_COLUMN_RANGES;
}

/* Returns whether each text must be made to find the widest, which is not that of the lowest or highest number. */
static bool is_tried(eti_column_kind kind) {
    return is_mixed(kind) || kind == ETI_COLUMN_BYTES || kind == ETI_COLUMN_CHANGE;
}

/* ---- looking --------------------------------------------------------------------------------- */

bool eti__readable_is_number(const eti_readable *column, const eti_cell *cell) {
    switch (cell->kind) {
    case ETI_CELL_INT:
    case ETI_CELL_DOUBLE:
    case ETI_CELL_NAN:
        return true;
    case ETI_CELL_NONE:
        return !is_mixed(column->kind);
    default:
        return false;
    }
}

/* Returns a number below 2^64 without its decimals. Avoids floor(), which is in a library of its own that makes the program
 * start more slowly. */
static double whole_of(double magnitude) {
    return (double)(uint64_t)magnitude;
}

static bool has_form(const eti_readable *column) {
    return column->form.factor != 0;
}

/* Converts a number to the unit of the column. */
static eti_cell in_unit(const eti_readable *column, const eti_cell *cell) {
    double value = eti_cell_as_double(cell);
    if (!has_form(column) || (cell->kind != ETI_CELL_INT && cell->kind != ETI_CELL_DOUBLE))
        return *cell;
    return eti__double_cell(value * column->form.factor);
}

static void look_at_double(eti_readable *column, double value) {
    double magnitude = fabs(value);
    if (value < column->smallest)
        column->smallest = value;
    if (value > column->largest)
        column->largest = value;
    if (magnitude > column->most)
        column->most = magnitude;
    if (magnitude > 0 && (column->least == 0 || magnitude < column->least))
        column->least = magnitude;
    if (magnitude < LARGE && whole_of(magnitude) != magnitude)
        column->has_fraction = true;
}

static eti_text own_text(double value, char *out);

static void try_own_width(eti_readable *column, double value) {
    char text[ETI_READABLE_MAX];
    size_t width = own_text(value, text).size;
    if (width > column->own_width)
        column->own_width = width;
}

static eti_text text_in_unit(const eti_readable *column, const eti_cell *cell,
                             char out[ETI_READABLE_MAX]);

static void try_width(eti_readable *column, const eti_cell *cell) {
    char text[ETI_READABLE_MAX];
    size_t width = text_in_unit(column, cell, text).size;
    if (width > column->width)
        column->width = width;
}

void eti__readable_look(eti_readable *column, const eti_cell *number) {
    const eti_cell converted = in_unit(column, number), *cell = &converted;
    column->has_number = true;
    if (column->kind == ETI_COLUMN_BYTES && cell->kind != ETI_CELL_NONE &&
        cell->kind != ETI_CELL_NAN) {
        column->has_bytes = true;
        column->has_large_bytes |= !(fabs(eti_cell_as_double(cell)) < 1024);
    }
    bool is_fixed = is_double(cell) && fabs(cell->as_double) < LARGE;
    if (is_tried(column->kind) || (cell->kind != ETI_CELL_INT && !is_fixed)) {
        try_width(column, cell);
        return;
    }
    column->has_double |= is_fixed;
    if (is_fixed && column->kind == ETI_COLUMN_NUMBER)
        try_own_width(column, cell->as_double);
    column->has_int |= !is_fixed;
    if (is_fixed)
        look_at_double(column, cell->as_double);
    else if (cell->as_int < column->lowest)
        column->lowest = cell->as_int;
    else if (cell->as_int > column->highest)
        column->highest = cell->as_int;
}

/* Returns the exponent of the first digit, limited to the range from -10 to 15. */
static int exponent_of(double magnitude) {
    int exponent = -1 - MOST_DECIMALS;
    for (double limit = 1e-9; exponent < 15 && magnitude >= limit; exponent++)
        limit *= 10;
    return exponent;
}

static int choose_decimals(const eti_readable *column) {
    if (!column->has_fraction)
        return 0;
    int of_least = DIGITS_OF_LEAST - 1 - exponent_of(column->least);
    int of_most = DIGITS_OF_MOST - 1 - exponent_of(column->most);
    int decimals = of_least < of_most ? of_least : of_most;
    return decimals < 0 ? 0 : decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

static bool mixes_units(const eti_readable *column) {
    if (column->kind != ETI_COLUMN_NUMBER || !column->has_double)
        return false;
    return column->has_int || (column->has_fraction &&
                               (column->most > LIKE_EACH_OTHER * column->least ||
                                exponent_of(column->least) + MOST_DECIMALS + 1 < DIGITS_OF_LEAST));
}

/* Chooses the decimals. Among numbers with the same decimals, the lowest or the highest is the longest. */
size_t eti__readable_settle(eti_readable *column) {
    column->decimals = has_form(column) ? column->form.decimals : choose_decimals(column);
    column->has_own_digits = mixes_units(column);
    column->is_small_bytes = column->has_bytes && !column->has_large_bytes;
    if (column->is_small_bytes)
        column->width -= LONGER_BYTES;
    if (column->has_own_digits && column->own_width > column->width)
        column->width = column->own_width;
    const eti_cell extremes[] = {
        {.kind = ETI_CELL_INT, .as_int = column->lowest},
        {.kind = ETI_CELL_INT, .as_int = column->highest},
        {.kind = ETI_CELL_DOUBLE, .as_double = column->smallest},
        {.kind = ETI_CELL_DOUBLE, .as_double = column->largest},
    };
    for (size_t i = 0; i < 4; i++) {
        if (i < 2 ? column->has_int : column->has_double && !column->has_own_digits)
            try_width(column, &extremes[i]);
    }
    if (has_form(column) && column->least > 0) { /* "<0.01" may be longer than larger numbers */
        const eti_cell least =
            eti__double_cell(column->smallest < 0 ? -column->least : column->least);
        try_width(column, &least);
    }
    return column->width;
}

/* ---- formatting ------------------------------------------------------------------------------ */

static double scaled_up(double magnitude, int decimals) {
    return magnitude * powers[decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS];
}

/* Returns whether a number can be scaled: a column with the decimals of small numbers may also have large ones. */
static bool is_scalable(double magnitude, int decimals) {
    return scaled_up(magnitude, decimals) < MOST_SCALED;
}

/* Returns round(magnitude * 10^decimals), with ties to even, as printf() rounds; exact below 2^53. */
static uint64_t scale(double magnitude, int decimals) {
    double product = scaled_up(magnitude, decimals);
    uint64_t whole = (uint64_t)product;
    double fraction = product - (double)whole;
    if (decimals == 0) /* the product is exact */
        return whole + (fraction > 0.5 || (fraction == 0.5 && whole % 2 == 1));
    if (fabs(fraction - 0.5) > 1e-6) /* the error of the product is smaller */
        return whole + (fraction > 0.5);
    char text[64];
    eti__snprintf(text, sizeof text, "%.*f", decimals, magnitude);
    uint64_t scaled = 0;
    for (const char *at = text; *at; at++) { /* skips the decimal point */
        if (eti__is_digit(*at))
            scaled = scaled * 10 + (uint64_t)(*at - '0');
    }
    return scaled;
}

/* Writes a signed number; `before` is the number of bytes already at the end of `out`. */
static eti_text signed_fixed(char *out, size_t before, uint64_t scaled, int decimals, bool grouped,
                             bool is_negative) {
    char *end = out + ETI_READABLE_MAX - before;
    char *at = eti__write_fixed(end, scaled, decimals, grouped);
    if (is_negative && scaled > 0)
        *--at = '-';
    return (eti_text){at, (size_t)(out + ETI_READABLE_MAX - at)};
}

static eti_text general_text(double value, char *out) {
    return (eti_text){out, eti__double_general(out, value)};
}

/* Writes a share as "12.3%"; `value` 1 is the whole. */
static eti_text share_text(double value, char *out) {
    double percent = value * 100;
    if (!(fabs(percent) < 1e12))
        return general_text(value, out);
    out[ETI_READABLE_MAX - 1] = '%';
    return signed_fixed(out, 1, scale(fabs(percent), 1), 1, false, value < 0);
}

/* Writes a number of bytes; all units have the same width, unless the column has only one. */
static eti_text bytes_text(const eti_readable *column, double value, char *out) {
    double magnitude = fabs(value);
    const char *unit = eti__fit_bytes(&magnitude);
    if (!(magnitude < 1e12))
        return general_text(value, out);
    size_t n = column->is_small_bytes ? 4 - LONGER_BYTES : 4; /* bytes of the unit */
    memset(out + ETI_READABLE_MAX - n, ' ', n);
    const eti_text name = eti__text_of(unit);
    memcpy(out + ETI_READABLE_MAX - n + 1, name.data, name.size);
    int decimals = name.size > 1;
    return signed_fixed(out, n, scale(magnitude, decimals), decimals, false, value < 0);
}

/* Writes a number that would be 0 with ten decimals as "1.23e-11". */
static eti_text tiny_text(double value, char *out) {
    int size = eti__snprintf(out, ETI_READABLE_MAX, "%.*e", DIGITS_OF_LEAST - 1, value);
    return (eti_text){out, (size_t)size};
}

/* Writes a number below LARGE in its own form, with as many digits as identify it. */
static eti_text own_text(double value, char *out) {
    double magnitude = fabs(value);
    int decimals = DIGITS_OF_EACH - 1 - exponent_of(magnitude);
    if (magnitude > 0 && decimals > MOST_DECIMALS)
        return tiny_text(value, out);
    if (decimals < 0 || !(magnitude > 0) || whole_of(magnitude) == magnitude)
        decimals = 0;
    return signed_fixed(out, 0, scale(magnitude, decimals), decimals, true, value < 0);
}

/* Writes a number that would be 0 with these decimals as "<0.01". */
static eti_text below_text(int decimals, bool is_negative, char *out) {
    eti_text least = signed_fixed(out, 0, 1, decimals, false, is_negative);
    char *at = out + ETI_READABLE_MAX - least.size - 1;
    *at = is_negative ? '>' : '<';
    return (eti_text){at, least.size + 1};
}

static eti_text double_text(const eti_readable *column, double value, char *out) {
    if (value != value)
        return (eti_text){"-", 1};
    if (column->kind == ETI_COLUMN_SHARE)
        return share_text(value, out);
    if (column->kind == ETI_COLUMN_CHANGE)
        return (eti_text){out, eti__write_change_cell(out, value)};
    if (column->kind == ETI_COLUMN_BYTES)
        return bytes_text(column, value, out);
    if (is_mixed(column->kind) || !(fabs(value) < LARGE))
        return general_text(value, out);
    if (column->has_own_digits)
        return own_text(value, out);
    if (value == 0 && column->kind == ETI_COLUMN_TIME)
        return (eti_text){"0", 1};
    if (!is_scalable(fabs(value), column->decimals))
        return general_text(value, out);
    uint64_t scaled = scale(fabs(value), column->decimals);
    if (scaled == 0 && value != 0 && has_form(column))
        return below_text(column->decimals, value < 0, out);
    return signed_fixed(out, 0, scaled, column->decimals, is_grouped(column->kind), value < 0);
}

static eti_text int_text(const eti_readable *column, int64_t value, char *out) {
    if (column->kind == ETI_COLUMN_SHARE || column->kind == ETI_COLUMN_BYTES ||
        column->kind == ETI_COLUMN_CHANGE)
        return double_text(column, (double)value, out);
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return signed_fixed(out, 0, magnitude, 0, is_grouped(column->kind) || column->has_own_digits,
                        value < 0);
}

static eti_text text_in_unit(const eti_readable *column, const eti_cell *cell,
                             char out[ETI_READABLE_MAX]) {
    if (cell->kind == ETI_CELL_INT)
        return int_text(column, cell->as_int, out);
    if (cell->kind == ETI_CELL_DOUBLE)
        return double_text(column, cell->as_double, out);
    return (eti_text){"-", 1};
}

eti_text eti__readable_text(const eti_readable *column, const eti_cell *cell,
                            char out[ETI_READABLE_MAX]) {
    if (!has_form(column))
        return text_in_unit(column, cell, out);
    const eti_cell converted = in_unit(column, cell);
    return text_in_unit(column, &converted, out);
}

/* ==== sparkline =============================================================================== */

#define N_HEIGHTS 8
#define LEAST_SPAN 0.1 /* of the largest magnitude */

typedef struct spark_scale {
    double low, span;
} spark_scale;

/* Returns the mean of the finite numbers for which character i of n_out stands; NaN: there are none. */
static double bar_of(const double *values, size_t n, size_t n_out, size_t i) {
    double sum = 0;
    size_t n_finite = 0;
    for (size_t k = i * n / n_out; k < (i + 1) * n / n_out; k++) {
        if (!isfinite(values[k]))
            continue;
        sum += values[k];
        n_finite++;
    }
    return n_finite > 0 ? sum / (double)n_finite : (double)NAN;
}

static spark_scale find_scale(const double *values, size_t n, size_t n_out) {
    double low = INFINITY, high = (double)-INFINITY;
    for (size_t i = 0; i < n_out; i++) {
        double bar = bar_of(values, n, n_out, i);
        low = bar < low ? bar : low;
        high = bar > high ? bar : high;
    }
    double least = LEAST_SPAN * fmax(fabs(low), fabs(high));
    double span = fmax(high - low, least);
    return (spark_scale){(low + high - span) / 2, span};
}

static size_t height_of(const spark_scale *of, double bar) {
    double height = of->span > 0 ? floor((bar - of->low) / of->span * N_HEIGHTS) : 0;
    return !(height > 0) ? 0 : height < N_HEIGHTS ? (size_t)height : N_HEIGHTS - 1;
}

void eti__add_sparkline(eti_buffer *out, const double *values, size_t n, size_t width,
                        bool is_ascii) {
    static const char *const blocks[N_HEIGHTS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const marks[N_HEIGHTS] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    size_t n_out = n < width ? n : width;
    spark_scale of = find_scale(values, n, n_out);
    for (size_t i = 0; i < n_out; i++) {
        double bar = bar_of(values, n, n_out, i);
        size_t height = height_of(&of, bar);
        eti__buffer_add_string(out, !isfinite(bar) ? " "
                                    : is_ascii     ? marks[height]
                                                   : blocks[height]);
    }
}
