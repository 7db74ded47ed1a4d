#include "table/time_form.h"

#include "base/sort.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

bool eti__has_units(const eti_table *table) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (table->columns[i].kind == ETI_COLUMN_UNIT)
            return true;
    }
    return false;
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
