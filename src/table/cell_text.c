#include "table/table.h"

#include "base/sort.h"
#include "stats/stats.h"
#include "table/parts.h"
#include "table/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== cell text =============================================================================== */

static const eti_text empty = {"", 0};

static eti_text int_text(int64_t value, char number[ETI_DOUBLE_TEXT_MAX]) {
    char *end = &number[ETI_DOUBLE_TEXT_MAX - 1];
    char *first = eti__write_u64(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    if (value < 0)
        *--first = '-';
    return (eti_text){first, (size_t)(end - first)};
}

bool eti__cell_is_text(const eti_cell *cell) {
    return cell->kind == ETI_CELL_TEXT || cell->kind == ETI_CELL_LIST;
}

bool eti__cell_is_nan(const eti_cell *cell) {
    return cell->kind == ETI_CELL_NAN ||
           (cell->kind == ETI_CELL_DOUBLE && cell->as_double != cell->as_double);
}

eti_text eti__cell_double_text(const eti_cell *cell, bool is_general, eti_number_text *number) {
    uint64_t bits;
    memcpy(&bits, &cell->as_double, sizeof bits);
    if (number->size == 0 || number->bits != bits || number->is_general != is_general) {
        number->bits = bits;
        number->is_general = is_general;
        number->size =
            (is_general ? eti__double_general : eti__double_repr)(number->text, cell->as_double);
    }
    return (eti_text){number->text, number->size};
}

eti_text eti__cell_text(const eti_cell *cell, eti_number_text *number) {
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        return cell->as_bool ? (eti_text){"True", 4} : (eti_text){"False", 5};
    case ETI_CELL_INT:
        return int_text(cell->as_int, number->other);
    case ETI_CELL_DOUBLE:
        return eti__cell_is_nan(cell) ? empty : eti__cell_double_text(cell, false, number);
    case ETI_CELL_TEXT:
    case ETI_CELL_LIST:
        return cell->as_text.data ? cell->as_text : empty;
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
    case ETI_CELL_DOUBLES: /* eti__table_project() turns these into texts */
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
    case ETI_CELL_INT_LISTS:
        break;
    }
    return empty;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_ints(eti_json_writer *json, const eti_int_list *list) {
    eti__json_open_array(json);
    for (size_t i = 0; i < list->n; i++)
        eti__json_add_i64(json, list->items[i]);
    eti__json_close_level(json);
}

static void add_item(eti_json_writer *json, const eti_cell *cell, size_t i) {
    if (cell->kind == ETI_CELL_DOUBLES)
        eti__json_add_double(json, ((const double *)cell->items)[i]);
    else if (cell->kind == ETI_CELL_UINTS)
        eti__json_add_u64(json, ((const uint64_t *)cell->items)[i]);
    else if (cell->kind == ETI_CELL_INTS)
        eti__json_add_i64(json, ((const int64_t *)cell->items)[i]);
    else if (cell->kind == ETI_CELL_INT_LISTS)
        add_ints(json, &((const eti_int_list *)cell->items)[i]);
    else
        eti__json_add_text(json, ((const eti_text *)cell->items)[i]);
}

static void add_list(eti_buffer *out, const eti_cell *cell) {
    eti_json_writer json = eti__json_writer(out, ETI_JSON_SPACED);
    eti__json_open_array(&json);
    for (size_t i = 0; i < cell->n_items; i++)
        add_item(&json, cell, i);
    eti__json_close_level(&json);
}

void eti__cell_add_json(eti_buffer *out, const eti_cell *cell) {
    switch (cell->kind) {
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
        eti__buffer_add(out, "null", 4);
        break;
    case ETI_CELL_BOOL:
        eti__buffer_add_string(out, cell->as_bool ? "true" : "false");
        break;
    case ETI_CELL_INT:
        eti__buffer_add_i64(out, cell->as_int);
        break;
    case ETI_CELL_DOUBLE:
        eti__json_add_number(out, cell->as_double);
        break;
    case ETI_CELL_TEXT:
        eti__json_add_string(out, cell->as_text);
        break;
    case ETI_CELL_LIST:
        if (cell->items)
            add_list(out, cell);
        else
            eti__json_add_string(out, cell->as_text);
        break;
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
    case ETI_CELL_INT_LISTS:
        add_list(out, cell);
        break;
    }
}

void eti__json_add_cell(eti_json_writer *json, const eti_cell *cell) {
    eti__json_begin_value(json);
    eti__cell_add_json(json->out, cell);
}

/* ==== time form =============================================================================== */

/* Number of rows that are examined. */
#define MOST_ROWS 256
/* Limits of the median of a column in the unit of the table: within them the column has that unit. */
#define LEAST_MEDIAN 0.01
#define MOST_MEDIAN 1e5
/* Limit of all examined times in the unit of the table. */
#define MOST_TIME 1e6
#define DIGITS 4 /* digits of a median, unless more are before the point */
#define MOST_DECIMALS 9
#define LARGE 1e15 /* times from here on have no decimals */
#define SAME                                                                                       \
    1e-6 /* difference of a time from an integer that may be a rounding error of the conversion */

/* Times of a column, in the unit of the table. */
typedef struct sample {
    double times[MOST_ROWS]; /* magnitudes other than 0 */
    size_t n;
} sample;

/* ---- units ----------------------------------------------------------------------------------- */

const char *eti__time_unit(eti_time_scale scale, bool has_utf8) {
    return scale == ETI_SCALE_US && has_utf8 ? "µs" : eti_time_scale_name(scale);
}

double eti__time_convert(double time, eti_time_scale from, eti_time_scale to) {
    double factor = eti__time_scale_factor(from, to, 0);
    return factor >= 1 ? time / factor : time * eti__time_scale_factor(to, from, 0);
}

static eti_time_scale larger(eti_time_scale scale) {
    return scale == ETI_SCALE_NS   ? ETI_SCALE_US
           : scale == ETI_SCALE_US ? ETI_SCALE_MS
                                   : ETI_SCALE_S;
}

/* Returns the unit for times like `typical`, none of which is longer than `longest`. */
static eti_time_scale choose_scale(double typical, double longest, eti_time_scale scale) {
    if (scale == ETI_SCALE_CYCLES)
        return scale;
    eti_time_scale chosen = ETI_SCALE_NS;
    while (chosen != ETI_SCALE_S && (eti__time_convert(typical, scale, chosen) >= 1000 ||
                                     eti__time_convert(longest, scale, chosen) >= MOST_TIME))
        chosen = larger(chosen);
    return chosen;
}

eti_time_scale eti__time_scale_for(double time, eti_time_scale scale) {
    return choose_scale(fabs(time), 0, scale);
}

void eti__add_time(eti_buffer *out, double time, eti_time_scale scale) {
    eti_time_scale chosen = eti__time_scale_for(time, scale);
    double value = eti__time_convert(time, scale, chosen);
    int decimals = 3;
    for (double limit = 9.9995; decimals > 0 && fabs(value) >= limit; limit *= 10)
        decimals--;
    eti__buffer_printf(out, "%.*f %s", decimals, value, eti__time_unit(chosen, true));
}

bool eti__has_units(const eti_table *table) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (table->columns[i].kind == ETI_COLUMN_UNIT)
            return true;
    }
    return false;
}

const char *eti__mark_sign(const eti_table *table, size_t column, bool has_utf8) {
    for (size_t i = 0; i < column; i++) {
        if (table->columns[i].kind == ETI_COLUMN_MARK)
            return has_utf8 ? "\342\200\240" : "^";
    }
    return "*";
}

static void fit_unit(eti_cell *time, eti_cell *unit, bool has_utf8) {
    char name[8] = "";
    eti_time_scale scale;
    if (time->kind != ETI_CELL_DOUBLE || unit->kind != ETI_CELL_TEXT ||
        unit->as_text.size >= sizeof name)
        return;
    memcpy(name, unit->as_text.data, unit->as_text.size);
    if (!eti_time_scale_parse(name, &scale))
        return;
    eti_time_scale chosen = eti__time_scale_for(time->as_double, scale);
    time->as_double = eti__time_convert(time->as_double, scale, chosen);
    unit->as_text = eti__text_of(eti__time_unit(chosen, has_utf8));
}

void eti__time_fit_units(eti_cell *cells, const eti_table *table, bool has_utf8) {
    for (size_t i = 1; i < table->n_columns; i++) {
        if (table->columns[i].kind == ETI_COLUMN_UNIT)
            fit_unit(&cells[i - 1], &cells[i], has_utf8);
    }
}

/* ---- samples --------------------------------------------------------------------------------- */

static void add_time(sample *s, const eti_cell *cell) {
    double time;
    if (eti__cell_read_double(cell, &time) && isfinite(time) && time != 0)
        s->times[s->n++] = fabs(time);
}

static int compare_times(const void *a, const void *b, void *unused) {
    (void)unused;
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Fills a sample for each wanted column of `table`, from the table before rows were left out. */
static bool read_samples(sample *samples, const eti_table *table, const bool *wanted) {
    const eti_table *whole = table->whole ? table->whole : table;
    eti_row_reader rows;
    bool *wanted_of_whole = calloc(whole->n_columns + 1, sizeof *wanted_of_whole);
    bool done = wanted_of_whole && eti__row_reader_open(&rows, whole);
    for (size_t i = 0; done && i < table->n_columns; i++)
        wanted_of_whole[table->columns[i].number] |= wanted[i];
    if (done)
        rows.row.wanted = wanted_of_whole;
    size_t step = (whole->n_rows + MOST_ROWS - 1) / MOST_ROWS;
    for (size_t row = 0; done && row < whole->n_rows; row += step) {
        const eti_cell *cells = eti__row_reader_read(&rows, row);
        for (size_t i = 0; i < table->n_columns; i++) {
            if (wanted[i])
                add_time(&samples[i], &cells[table->columns[i].number]);
        }
        done = !rows.failed;
    }
    if (wanted_of_whole)
        eti__row_reader_close(&rows);
    free(wanted_of_whole);
    for (size_t i = 0; done && i < table->n_columns; i++)
        eti__sort(samples[i].times, samples[i].n, sizeof(double), compare_times, NULL);
    return done;
}

static double median_of(const sample *s) {
    return s->times[(s->n - 1) / 2];
}

static double longest_of(const sample *s) {
    return s->times[s->n - 1];
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* Returns whether times have decimals in a unit; rounding errors do not count. */
static bool has_fraction(const sample *s, double factor) {
    for (size_t i = 0; i < s->n; i++) {
        double time = s->times[i] * factor;
        if (time < LARGE &&
            fabs(time - (double)(uint64_t)(time + 0.5)) > SAME * (time < 1 ? time : 1))
            return true;
    }
    return false;
}

/* Returns the number of decimals with which `typical` has DIGITS digits. */
static int choose_decimals(double typical) {
    int decimals = DIGITS - 1;
    for (; typical >= 10 && decimals > 0; decimals--)
        typical /= 10;
    for (; typical < 1 && decimals < MOST_DECIMALS; decimals++)
        typical *= 10;
    return decimals;
}

/* Common properties of the columns so far. */
typedef struct common_form {
    bool has_scale, has_decimals;
    eti_time_scale scale;
    int decimals;
} common_form;

static eti_time_scale choose_unit(const sample *s, eti_time_scale scale, common_form *common) {
    eti_time_scale own = choose_scale(median_of(s), longest_of(s), scale);
    if (!common->has_scale) {
        common->has_scale = true;
        common->scale = own;
    }
    double median = eti__time_convert(median_of(s), scale, common->scale);
    bool fits = median >= LEAST_MEDIAN && median < MOST_MEDIAN &&
                eti__time_convert(longest_of(s), scale, common->scale) < MOST_TIME;
    return fits ? common->scale : own;
}

/* Returns the decimals of a column; columns with similar times have the same. */
static int agree_decimals(int own, eti_time_scale scale, common_form *common) {
    if (!common->has_decimals) {
        common->has_decimals = true;
        common->decimals = own;
    }
    bool is_near = own <= common->decimals + 1 && own + 1 >= common->decimals;
    bool is_same_unit = !common->has_scale || scale == common->scale;
    return is_same_unit && is_near ? common->decimals : own;
}

static void set_form(eti_time_form *form, const sample *s, const char *unit, bool keeps_unit,
                     common_form *common) {
    *form = (eti_time_form){.factor = 1};
    form->has_unit = unit && eti_time_scale_parse(unit, &form->scale);
    if (s->n == 0)
        return;
    if (form->has_unit && !keeps_unit) {
        eti_time_scale scale = form->scale;
        form->scale = choose_unit(s, scale, common);
        form->factor = eti__time_convert(1, scale, form->scale);
    }
    if (has_fraction(s, form->factor))
        form->decimals =
            agree_decimals(choose_decimals(median_of(s) * form->factor), form->scale, common);
}

static void set_forms(eti_time_form *forms, const sample *samples, const eti_table *table,
                      const bool *wanted, bool keeps_unit) {
    common_form common = {false, false, ETI_SCALE_NS, 0};
    for (size_t i = 0; i < table->n_columns; i++) {
        if (wanted[i])
            set_form(&forms[i], &samples[i], table->columns[i].unit, keeps_unit, &common);
    }
    for (size_t i = 0; i < table->n_columns;
         i++) { /* a column without times has the form of the others */
        if (wanted[i] && samples[i].n == 0 && common.has_scale && forms[i].has_unit)
            forms[i].scale = common.scale;
    }
}

bool eti__time_forms_find(eti_time_form *forms, const eti_table *table, const bool *wanted,
                          bool keeps_unit) {
    sample *samples = calloc(table->n_columns + 1, sizeof *samples);
    bool *is_time = calloc(table->n_columns + 1, sizeof *is_time);
    bool has_time = false;
    for (size_t i = 0; is_time && i < table->n_columns; i++) {
        forms[i] = (eti_time_form){0};
        is_time[i] = table->columns[i].kind == ETI_COLUMN_TIME && (!wanted || wanted[i]);
        has_time = has_time || is_time[i];
    }
    bool done = samples && is_time && (!has_time || read_samples(samples, table, is_time));
    if (done)
        set_forms(forms, samples, table, is_time, keeps_unit);
    free(samples);
    free(is_time);
    return done;
}

/* ==== untrusted =============================================================================== */

/* Appends the changed text; false: the text needs no change, and `out` is not used. */
typedef bool (*change_text)(eti_buffer *out, eti_text text);

/* A table that is read with its texts changed. */
typedef struct changed_table {
    const eti_table *table;
    change_text change;
} changed_table;

static bool make_changed(const void *context, size_t row, eti_row *out) {
    const changed_table *changed = context;
    if (!eti__table_make_row(changed->table, row, out))
        return false;
    for (size_t i = 0; i < out->n_wanted; i++) {
        eti_cell *cell = &out->cells[i];
        out->scratch.size = 0;
        if (eti__cell_is_text(cell) && changed->change(&out->scratch, cell->as_text) &&
            !eti__row_take_text(out, &cell->as_text))
            return false;
    }
    return true;
}

static eti_status copy_table(eti_table **out, const eti_table *table, change_text change,
                             eti_error *err) {
    *out = NULL;
    changed_table *changed = malloc(sizeof *changed);
    if (!changed)
        return eti_fail_memory(err);
    *changed = (changed_table){table, change};
    eti_row_source source = {make_changed, free, changed};
    /* cppcheck-suppress memleak ; the table owns it */
    ETI_TRY(eti__table_new_over(out, table, table->columns, table->n_columns, source, err));
    (*out)->kept = eti__table_keep(table);
    return ETI_OK;
}

/* ---- terminals ------------------------------------------------------------------------------- */

static bool may_act(eti_text text) {
    for (size_t at = 0; at < text.size; at++) {
        unsigned char byte = (unsigned char)text.data[at];
        if (byte < 0x20 || byte >= 0x7f)
            return true;
    }
    return false;
}

/* Returns the ASCII form of lines, marks and units; NULL: the character is none of these. */
static const char *ascii_of(uint32_t character) {
    static const struct {
        uint32_t character;
        const char *ascii;
    } forms[] = {
        {0x00b0, ""},    /* ° */
        {0x00b5, "u"},   /* µ */
        {0x2013, "-"},   /* – */
        {0x2014, "-"},   /* — */
        {0x2020, "^"},   /* † */
        {0x2026, "..."}, /* … */
        {0x2500, "-"},   /* ─ */
        {0x2502, "|"},   /* │ */
        {0x2514, "`"},   /* └ */
        {0x251c, "|"},   /* ├ */
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].character == character)
            return forms[i].ascii;
    }
    return NULL;
}

static void spell_character(eti_buffer *out, uint32_t character) {
    const char *ascii = ascii_of(character);
    const char *form = character < 0x100 ? "\\x%02x" : character < 0x10000 ? "\\u%04x" : "\\U%08x";
    if (character == '\n' || character == '\t' || character == '\r')
        eti__buffer_add_string(out, character == '\n' ? "\\n" : character == '\t' ? "\\t" : "\\r");
    else if (ascii)
        eti__buffer_add_string(out, ascii);
    else
        eti__buffer_printf(out, form, (unsigned)character);
}

static bool is_to_be_spelled(uint32_t character, unsigned besides) {
    if (character == '\n')
        return besides & ETI_VISIBLE_ONE_LINE;
    return eti__is_control(character) || (character >= 0x80 && (besides & ETI_VISIBLE_ASCII));
}

static bool spell_out(eti_buffer *out, eti_text text) {
    if (!may_act(text))
        return false;
    for (size_t at = 0; at < text.size;) {
        char spelled[ETI_TERMINAL_MOST];
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (eti__is_control(character) && character != '\n') { /* a newline only breaks the line */
            size_t size = eti__spell_control(spelled, character);
            eti__buffer_add(out, spelled, size);
        } else {
            eti__buffer_add(out, text.data + at, length);
        }
        at += length;
    }
    return true;
}

eti_status eti__table_make_visible(eti_table **out, const eti_table *table, eti_error *err) {
    return copy_table(out, table, spell_out, err);
}

void eti__add_visible(eti_buffer *out, eti_text text, unsigned besides) {
    if (!may_act(text)) {
        eti__buffer_add_text(out, text);
        return;
    }
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (is_to_be_spelled(character, besides))
            spell_character(out, character);
        else if (character == 0xfffd)
            eti__buffer_add_string(out, "\xef\xbf\xbd");
        else
            eti__buffer_add(out, text.data + at, length);
        at += length;
    }
}

/* ---- spreadsheets ---------------------------------------------------------------------------- */

static bool is_one_of(uint32_t character, const uint32_t *characters, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (character == characters[i])
            return true;
    }
    return false;
}

/* Returns whether a character, of any width, may begin a formula. Some spreadsheets expect a
 * command after a bar or a percent sign. */
static bool begins_formula(uint32_t character) {
    static const uint32_t signs[] = {
        '=',    '+',    '-',    '@',    '|',    '%',    0x2212, 0xfe62, 0xfe63,
        0xfe66, 0xfe6b, 0xff05, 0xff0b, 0xff0d, 0xff1d, 0xff20, 0xff5c,
    };
    return is_one_of(character, signs, sizeof signs / sizeof *signs);
}

/* Returns whether a spreadsheet may split a text at this character, regardless of quotes and
 * format. */
static bool ends_cell(uint32_t character) {
    static const uint32_t signs[] = {'\n', '\r', '\t', ';', ',', '|'};
    return is_one_of(character, signs, sizeof signs / sizeof *signs);
}

/* Returns whether some spreadsheets strip the character: quotes and invisible characters. */
static bool is_taken_off(uint32_t character) {
    static const uint32_t ranges[][2] = {
        {0x20, 0x20},     {0xa0, 0xa0},       {0xad, 0xad},     {0x115f, 0x1160}, {0x1680, 0x1680},
        {0x180b, 0x180f}, {0x2000, 0x200f},   {0x2028, 0x202f}, {0x205f, 0x206f}, {0x2800, 0x2800},
        {0x3000, 0x3000}, {0x3164, 0x3164},   {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
        {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
    };
    return character == '"' || character == '\'' || eti__is_control(character) ||
           eti__is_in_ranges(character, ranges, sizeof ranges / sizeof *ranges) ||
           (character >= 0x80 && eti__character_width(character) == 0);
}

/* Whether a cell may begin at a place in a text. */
typedef enum cell_start {
    NO_START,
    START_OF_CELL,
    START_BEHIND_COMMA, /* after the comma of a list, or between cells */
} cell_start;

/* Returns whether a sign begins a number of a list; such numbers are not changed. */
static bool is_number_of_list(eti_text text, size_t at) {
    static const char digits[] = "0123456789.eE", ends[] = ",;)]}";
    if (text.data[at] != '+' && text.data[at] != '-')
        return false;
    size_t first = ++at;
    while (at < text.size && text.data[at] && strchr(digits, text.data[at]))
        at++;
    return at > first && (at == text.size || (text.data[at] && strchr(ends, text.data[at])));
}

static bool defuse(eti_buffer *out, eti_text text) {
    cell_start start = START_OF_CELL;
    bool changed = false;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (start != NO_START && begins_formula(character) &&
            !(start == START_BEHIND_COMMA && is_number_of_list(text, at))) {
            eti__buffer_add_char(out, '\'');
            changed = true;
        }
        eti__buffer_add(out, text.data + at, length);
        if (ends_cell(character) || (start == NO_START && character == '"'))
            start = character == ',' ? START_BEHIND_COMMA : START_OF_CELL;
        else if (!is_taken_off(character))
            start = NO_START;
        at += length;
    }
    return changed;
}

eti_status eti_table_defuse_formulas(eti_table **out, const eti_table *table, eti_error *err) {
    return copy_table(out, table, defuse, err);
}
