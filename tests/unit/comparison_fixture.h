/* comparison_fixture.h - comparisons of baselines that tests write, so that results can be computed by hand. */
#ifndef ETI_TESTS_UNIT_COMPARISON_FIXTURE_H
#define ETI_TESTS_UNIT_COMPARISON_FIXTURE_H

#include "base/text.h"
#include "baseline_text.h"
#include "compare/compare.h"
#include "model/model.h"
#include "profile/profile.h"
#include "support.h"
#include "table/table.h"
#include "table_cell.h"

#include <math.h>

#define HEAD "time_scale,ns\n"

static inline eti_profile *read_profile(const char *text) {
    eti_text whole = baseline_text(text, "a.csv");
    const eti_source source = {"a.csv", whole.data, whole.size};
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_NS;
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_read(&profile, &source, &options, &err));
    return profile;
}

typedef struct comparison {
    eti_profile *base, *new_side;
    eti_diff diff;
} comparison;

static inline comparison compare_with(const char *base, const char *new_side,
                                      const eti_diff_options *options) {
    comparison c = {read_profile(base), read_profile(new_side), {0}};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, options, &err));
    return c;
}

static inline comparison compare(const char *base, const char *new_side, const char *group) {
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = group;
    return compare_with(base, new_side, &options);
}

static inline void end(comparison *c) {
    eti__diff_free(&c->diff);
    eti_profile_free(c->base);
    eti_profile_free(c->new_side);
}

static inline const eti_diff_row *row_of(const eti_diff_rows *rows, const char *name) {
    for (size_t i = 0; i < rows->n; i++) {
        if (eti__text_is(rows->rows[i].name, name))
            return &rows->rows[i];
    }
    fail_msg("there is no row %s", name);
    return NULL;
}

static inline void assert_double(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-15 * fabs(expected)))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static inline const eti_section *section_called(const eti_report *report, const char *name) {
    for (size_t i = 0; i < report->n_sections; i++) {
        if (strcmp(report->sections[i].name, name) == 0)
            return &report->sections[i];
    }
    fail_msg("there is no section %s", name);
    return NULL;
}

/* Units may be omitted from the name of the column. */
static inline eti_cell cell_in(const eti_table *table, size_t row, const char *column) {
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        eti_text name = eti_table_column_name(table, i);
        size_t size = strlen(column);
        if (name.size >= size && memcmp(name.data, column, size) == 0 &&
            (name.size == size || name.data[size] == ' '))
            return table_cell(table, row, i);
    }
    fail_msg("there is no column %s", column);
    return (eti_cell){.kind = ETI_CELL_NONE};
}

/* ---- made profiles --------------------------------------------------------------------------- */

#define N_EVENTS 8
#define N_FILES 10

/* Times of events in each file: one run each. Files 5 to 9 are the new side. */
typedef struct made {
    double times[N_EVENTS][N_FILES];
} made;

/* Makes the example of the specification, times 25, so that all numbers are whole: 1000 (e + 1) (1 + a %) (1 + 2 b %),
 * event 2 of the new side 1.2 times as long. */
static inline made make_example(void) {
    made m;
    for (int e = 0; e < N_EVENTS; e++) {
        for (int f = 0; f < N_FILES; f++) {
            int a = (7 * e + 3 * f * f + e * f) % 11 - 5, b = f % 3;
            m.times[e][f] = 5.0 * (e + 1) * (100 + a) * (50 + b);
            if (e == 2 && f >= 5)
                m.times[e][f] *= 1.2;
        }
    }
    return m;
}

static inline void add_row(eti_buffer *out, const char *kind, const char *name, const double *times,
                           size_t n_files) {
    eti__buffer_printf(out, "%s,%s,,,,,,,,,", kind, name);
    for (size_t f = 0; f < n_files; f++)
        eti__buffer_printf(out, "%s%.0f", f > 0 ? ";" : "", times[f]);
    eti__buffer_add_char(out, '\n');
}

/* Makes a side of the files first .. first + n - 1. `small` has a step of 1 and is too small to be judged. */
static inline eti_profile *make_side(const made *m, size_t first, size_t n) {
    eti_buffer out = {0};
    double total[N_FILES] = {0}, small[N_FILES];
    char name[16];
    eti__buffer_printf(&out, HEAD "block,E,,%zu,0,", n);
    for (size_t f = 1; f < n; f++)
        eti__buffer_printf(&out, "%s%zu", f > 1 ? ";" : "", f);
    eti__buffer_add_char(&out, '\n');
    for (size_t f = 0; f < n; f++) {
        small[f] = (double)(101 + f % 2);
        for (size_t e = 0; e < N_EVENTS; e++)
            total[f] += m->times[e][first + f];
    }
    add_row(&out, "execute", "total", total, n);
    for (size_t e = 0; e < N_EVENTS; e++) {
        snprintf(name, sizeof name, "e%zu", e);
        add_row(&out, "kernel", name, m->times[e] + first, n);
    }
    add_row(&out, "kernel", "small", small, n);
    eti__buffer_add_char(&out, '\0');
    eti_profile *profile = read_profile(out.data);
    eti__buffer_free(&out);
    return profile;
}

static inline comparison compare_made(const made *m, size_t n_files,
                                      const eti_diff_options *options) {
    comparison c = {make_side(m, 0, n_files), make_side(m, 5, n_files), {0}};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, options, &err));
    return c;
}

static inline void assert_near(double found, double expected) {
    if (!(fabs(found - expected) <= 5e-8 * fabs(expected) + 5e-9))
        fail_msg("expected %.12g, found %.12g", expected, found);
}

/* A file with ten runs: the location is the second fastest, the mean of x[0] and x[1]. `b` takes twice as long, `c` is
 * gone, `d` is new. */
#define BASE                                                                                       \
    HEAD "block,Execute,,10,1\n"                                                                   \
         "execute,Method::execute,,,,,,,,,200;201;202;203;204;205;206;207;208;209\n"               \
         "kernel,a,oa,m.x,,,,f.py,1,,50;51;52;53;54;55;56;57;58;59\n"                              \
         "kernel,b,ob,m.x,,,,f.py,2,,100;101;102;103;104;105;106;107;108;109\n"                    \
         "kernel,c,oc,m.y,,,,f.py,2,,10;10;10;10;10;10;10;10;10;10\n"
#define NEW                                                                                        \
    HEAD "block,Execute,,10,1\n"                                                                   \
         "execute,Method::execute,,,,,,,,,300;301;302;303;304;305;306;307;308;309\n"               \
         "kernel,a,oa,m.x,,,,f.py,1,,50;51;52;53;54;55;56;57;58;59\n"                              \
         "kernel,b,ob,m.x,,,,f.py,2,,200;201;202;203;204;205;206;207;208;209\n"                    \
         "delegated,d,od,m.z,X,1,,,,,7;7;7;7;7;7;7;7;7;7\n"

#endif
