#include "base/intern.h"
#include "base/output.h"
#include "base/status.h"
#include "table/table.h"
#include "write/write.h"
#include "write/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * OpenMetrics 1.0, for Prometheus and others:
 *
 *     # TYPE etinspect_layers_p50_seconds gauge
 *     # UNIT etinspect_layers_p50_seconds seconds
 *     # HELP etinspect_layers_p50_seconds median of the times per run
 *     etinspect_layers_p50_seconds{layer="attention",device="pixel8"} 1.53245e-05
 *     # EOF
 *
 * Each column of numbers of a table is a family, which has a sample for each row. The labels of a row are its texts in front of the
 * first number, because they name the row; other texts, such as the source line, would start a new series with each change of the
 * model, and verdicts with each measurement. The user's labels follow.
 *
 * The labels of a row must not depend on the rows and columns that the user chose, or on missing values: they are made from the table
 * before the selection.
 */

typedef struct document {
    const eti_report *report;
    const eti_write_options *options;
    eti_output *output;
    eti_buffer text, labels, given; /* `given`: the user's labels for the rows of this table */
    eti_text_table families;        /* names in use */
    eti_arena arena;                /* of texts in tables */
    bool failed;
} document;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Appends the name of a family or a label, with "_" in place of characters other than letters, digits and "_". */
static void add_name(eti_buffer *out, eti_text name) {
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        eti__buffer_add_char(out, (char)(is_letter(c) || eti__is_digit(c) ? c : '_'));
    }
}

/* Appends a text, escaped as in HELP and in the values of labels. */
static void add_escaped(eti_buffer *out, eti_text text) {
    ETI_EXPECT_UTF8(text);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '\\' || c == '"' || c == '\n')
            eti__buffer_add_char(out, '\\');
        eti__buffer_add_char(out, (char)(c == '\n' ? 'n' : c));
    }
}

/* Appends the name of a label, which begins with a letter or "_". */
static void add_label_name(eti_buffer *out, eti_text key) {
    if (key.size == 0 || !is_letter(key.data[0]))
        eti__buffer_add_char(out, '_');
    add_name(out, key);
}

static void add_label(eti_buffer *out, eti_text key, eti_text value) {
    if (out->size > 0)
        eti__buffer_add_char(out, ',');
    add_label_name(out, key);
    eti__buffer_add_string(out, "=\"");
    add_escaped(out, value);
    eti__buffer_add_char(out, '"');
}

static void flush(document *d) {
    d->failed = d->failed || d->text.failed || d->labels.failed || d->given.failed;
    eti__output_add_text(d->output, eti__buffer_text(&d->text));
    d->text.size = 0;
}

/* ---- families -------------------------------------------------------------------------------- */

/* Finds the factor and the name of the base unit of a column; "" if it has none. */
static double base_unit(const document *d, const eti_column *column, const char **unit) {
    static const double per_second[] = {
        [ETI_SCALE_NS] = 1e9, [ETI_SCALE_US] = 1e6, [ETI_SCALE_MS] = 1e3, [ETI_SCALE_S] = 1};
    *unit = column->kind == ETI_COLUMN_SHARE || column->kind == ETI_COLUMN_CHANGE ? "ratio"
            : column->kind == ETI_COLUMN_BYTES                                    ? "bytes"
                                                                                  : "";
    if (column->kind != ETI_COLUMN_TIME || !d->report->has_time_scale)
        return 1;
    bool is_cycles = d->report->time_scale == ETI_SCALE_CYCLES;
    *unit = is_cycles ? "cycles" : "seconds";
    return is_cycles ? 1 : per_second[d->report->time_scale];
}

static bool ends_with_word(eti_text name, const char *word) {
    size_t n = strlen(word);
    return name.size >= n && memcmp(name.data + name.size - n, word, n) == 0 &&
           (name.size == n || name.data[name.size - n - 1] == '_');
}

/* Makes a name that no other family has: "etinspect_layers_p50_seconds". False: out of memory. */
static bool make_family(document *d, eti_buffer *out, eti_text table, eti_text column,
                        const char *unit) {
    for (unsigned number = 1;; number++) {
        out->size = 0;
        eti__buffer_add_string(out, "etinspect_");
        add_name(out, table);
        eti__buffer_add_char(out, '_');
        add_name(out, column);
        if (number > 1)
            eti__buffer_printf(out, "_%u", number);
        if (*unit && (number > 1 || !ends_with_word(column, unit)))
            eti__buffer_printf(out, "_%s", unit);
        size_t n = d->families.count;
        uint32_t unused;
        if (out->failed ||
            !eti__text_table_add(&d->families, eti__buffer_text(out), &d->arena, &unused))
            return false;
        if (d->families.count > n)
            return true;
    }
}

static void add_header(document *d, eti_text family, const char *type, const char *unit,
                       const char *help) {
    eti__buffer_printf(&d->text, "# TYPE %.*s %s\n", ETI_TEXT_ARGS(family), type);
    if (*unit)
        eti__buffer_printf(&d->text, "# UNIT %.*s %s\n", ETI_TEXT_ARGS(family), unit);
    if (!help)
        return;
    eti__buffer_printf(&d->text, "# HELP %.*s ", ETI_TEXT_ARGS(family));
    add_escaped(&d->text, eti__text_of(help));
    eti__buffer_add_char(&d->text, '\n');
}

#define MOST_WHOLE 1e15

static void add_value(document *d, double value) {
    char number[ETI_DOUBLE_TEXT_MAX];
    eti__buffer_add_char(&d->text, ' ');
    if (isinf(value))
        eti__buffer_add_string(&d->text, value > 0 ? "+Inf" : "-Inf");
    else if (isnan(value))
        eti__buffer_add_string(&d->text, "NaN");
    else if (fabs(value) < MOST_WHOLE && value == floor(value))
        eti__buffer_printf(&d->text, "%.0f", value);
    else {
        size_t size = eti__double_repr(number, value);
        eti__buffer_add(&d->text, number, size);
    }
    eti__buffer_add_char(&d->text, '\n');
}

/* Adds a sample with the labels in `labels` and `given`, and the label `quantile` unless it is NULL. */
static void add_sample(document *d, eti_text family, const char *suffix, const char *quantile,
                       double value) {
    eti__buffer_add_text(&d->text, family);
    eti__buffer_add_string(&d->text, suffix);
    if (d->labels.size + d->given.size > 0 || quantile) {
        eti__buffer_add_char(&d->text, '{');
        eti__buffer_add_text(&d->text, eti__buffer_text(&d->labels));
        if (d->labels.size > 0 && d->given.size > 0)
            eti__buffer_add_char(&d->text, ',');
        eti__buffer_add_text(&d->text, eti__buffer_text(&d->given));
        if (quantile)
            eti__buffer_printf(&d->text, "%squantile=\"%s\"",
                               d->labels.size + d->given.size > 0 ? "," : "", quantile);
        eti__buffer_add_char(&d->text, '}');
    }
    add_value(d, value);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static bool is_number(const eti_column *column) {
    bool has_number = column->type == ETI_TYPE_INT32 || column->type == ETI_TYPE_INT64 ||
                      column->type == ETI_TYPE_UINT64 || column->type == ETI_TYPE_FLOAT64;
    return has_number && !eti__column_holds_lists(column->kind) && column->kind != ETI_COLUMN_MARK;
}

/* A table, and the table from which its rows and columns were chosen, which has the labels. */
typedef struct labelled {
    const eti_table *table, *whole;
    bool *is_label;   /* per column of `whole`: its texts are labels */
    bool *is_wanted;  /* per column of `whole`: it is read */
    bool *has_equals; /* per row of `whole`: another row has the same labels */
} labelled;

/* Returns whether the texts of a column are labels. `first` is the first column of numbers. */
static bool names_rows(const eti_table *table, size_t i, size_t first) {
    const eti_column *column = &table->columns[i];
    if (column->type != ETI_TYPE_UTF8 || column->is_finding || column->is_on_request)
        return false;
    return column->kind == ETI_COLUMN_UNIT || column->distinguishes ||
           (column->kind == ETI_COLUMN_TEXT && i < first && !column->is_cut_first);
}

static size_t first_number(const eti_table *table) {
    size_t i = 0;
    while (i < table->n_columns && !is_number(&table->columns[i]))
        i++;
    return i;
}

/* Adds the name of a label to the names in use in the table, and stores whether it is new. False: out of memory. */
static bool claim(document *d, eti_text_table *names, eti_text key, bool *is_new) {
    eti_buffer name = {0};
    size_t n = names->count;
    uint32_t unused;
    add_label_name(&name, key);
    bool done =
        !name.failed && eti__text_table_add(names, eti__buffer_text(&name), &d->arena, &unused);
    *is_new = names->count > n;
    eti__buffer_free(&name);
    return done;
}

/* Adds a label of the user. It is called label_NAME, and then label_NAME_2, if its name is in use, by the table or by an earlier label of
 * the user, or begins with "__", which Prometheus reserves. False: out of memory. */
static bool add_given(document *d, eti_text_table *names, const eti_label *label) {
    eti_buffer key = {0};
    bool is_new = false, done = true;
    eti__buffer_add_string(&key, label->key);
    for (unsigned number = 0;; number++) {
        if (number > 0 || strncmp(label->key, "__", 2) != 0)
            done = !key.failed && claim(d, names, eti__buffer_text(&key), &is_new);
        if (!done || is_new)
            break;
        key.size = 0;
        eti__buffer_printf(&key, "label_%s", label->key);
        if (number > 0)
            eti__buffer_printf(&key, "_%u", number + 1);
    }
    if (done)
        add_label(&d->given, eti__buffer_text(&key), eti__text_of(label->value));
    eti__buffer_free(&key);
    return done;
}

static bool is_replaced(const document *d, const eti_label *label) {
    for (size_t i = 0; i < d->options->n_labels; i++) {
        if (strcmp(d->options->labels[i].key, label->key) == 0)
            return true;
    }
    return false;
}

/* Makes the labels that all samples of a table have: the labels of the report and of the user. `of` is NULL for times of runs. False: out
 * of memory. */
static bool make_given(document *d, const labelled *of) {
    static const char *const own[] = {"quantile", "row", "method"};
    eti_text_table names = {0};
    bool is_new, done = true;
    d->given.size = 0;
    for (size_t i = 0; done && i < sizeof own / sizeof *own; i++)
        done = claim(d, &names, eti__text_of(own[i]), &is_new);
    for (size_t i = 0; done && of && i < of->whole->n_columns; i++) {
        if (of->is_label[i])
            done = claim(d, &names, of->whole->columns[i].name, &is_new);
    }
    for (size_t i = 0; done && i < d->report->n_labels; i++) {
        if (!is_replaced(d, &d->report->labels[i]))
            done = add_given(d, &names, &d->report->labels[i]);
    }
    for (size_t i = 0; done && i < d->options->n_labels; i++)
        done = add_given(d, &names, &d->options->labels[i]);
    eti__text_table_free(&names);
    return done;
}

/* ---- labels of rows -------------------------------------------------------------------------- */

/* Makes the labels of a row of `of->whole` from its texts. */
static void make_labels(document *d, const labelled *of, const eti_cell *cells) {
    eti_number_text number = {.size = 0};
    d->labels.size = 0;
    for (size_t i = 0; i < of->whole->n_columns; i++) {
        eti_text text = of->is_label[i] ? eti__cell_text(&cells[i], &number) : (eti_text){"", 0};
        if (text.size > 0)
            add_label(&d->labels, of->whole->columns[i].name, text);
    }
}

typedef struct first_row {
    uint64_t labels; /* hash; equal hashes of other labels would only give both rows a number */
    size_t row;
} first_row;

/* Finds the rows whose labels other rows have, too. False: out of memory. */
static bool find_equals(document *d, labelled *of) {
    static const eti_intern_kind kind = {.item_size = sizeof(first_row),
                                         .key_size = sizeof(uint64_t)};
    ETI_INTERN_OF(first_row) seen = {0};
    eti_row_reader rows;
    uint64_t seed = eti__hash_seed();
    if (!eti__row_reader_open(&rows, of->whole))
        return false;
    rows.row.wanted = of->is_wanted;
    bool done = true;
    for (size_t row = 0; done && row < of->whole->n_rows; row++) {
        uint32_t number;
        size_t n = seen.count;
        make_labels(d, of, eti__row_reader_read(&rows, row));
        first_row item = {eti__text_hash(eti__buffer_text(&d->labels), seed), row};
        done = !rows.failed && !d->labels.failed &&
               eti__intern_add(&seen.table, &kind, &item, &number);
        if (done && seen.count == n)
            of->has_equals[row] = of->has_equals[seen.items[number].row] = true;
    }
    eti__row_reader_close(&rows);
    eti__intern_free(&seen.table);
    return done;
}

static void free_labelled(labelled *of) {
    free(of->is_label);
    free(of->is_wanted);
    free(of->has_equals);
}

/* False: out of memory; free `out` in any case. */
static bool find_labels(document *d, const eti_table *table, labelled *out) {
    const eti_table *whole = table->whole ? table->whole : table;
    size_t first = first_number(whole);
    *out = (labelled){
        .table = table,
        .whole = whole,
        .is_label = calloc(whole->n_columns + 1, sizeof *out->is_label),
        .is_wanted = calloc(whole->n_columns + 1, sizeof *out->is_wanted),
        .has_equals = calloc(whole->n_rows + 1, sizeof *out->has_equals),
    };
    if (!out->is_label || !out->is_wanted || !out->has_equals)
        return false;
    for (size_t i = 0; i < whole->n_columns; i++)
        out->is_label[i] = out->is_wanted[i] = names_rows(whole, i, first);
    return find_equals(d, out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Adds the number of the row to the labels, because samples of a family must differ in their labels. */
static void add_row_number(document *d, size_t row) {
    char text[24];
    (void)snprintf(text, sizeof text, "%zu", row);
    add_label(&d->labels, eti__text_of("row"), eti__text_of(text));
}

/* Adds the family of a column, unless it has no value. `rows` reads the columns of labels and this one. */
static bool add_family(document *d, const eti_section *section, const labelled *of,
                       const eti_column *column, eti_row_reader *rows) {
    const char *unit;
    double divisor = base_unit(d, column, &unit);
    eti_buffer family = {0};
    bool done = true;
    for (size_t i = 0; done && i < of->table->n_rows && !eti__output_failed(d->output); i++) {
        size_t row = of->table->whole ? eti__table_row_number(of->table, i) : i;
        const eti_cell *cells = eti__row_reader_read(rows, row);
        double value = eti_cell_as_double(&cells[column->number]);
        if (isnan(value) || rows->failed)
            continue;
        if (family.size == 0) {
            done = make_family(d, &family, eti__text_of(section->name),
                               eti__column_bare_name(d->report, column), unit);
            add_header(d, eti__buffer_text(&family), "gauge", unit, column->help);
        }
        make_labels(d, of, cells);
        if (of->has_equals[row])
            add_row_number(d, row);
        if (done)
            add_sample(d, eti__buffer_text(&family), "", NULL, value / divisor);
        flush(d);
    }
    eti__buffer_free(&family);
    return done && !rows->failed;
}

/* Adds the families of a table. Reads the rows again for each, because a family is one piece of text. */
static bool add_table(document *d, const eti_section *section) {
    labelled of;
    bool done = find_labels(d, section->table, &of) && make_given(d, &of);
    for (size_t i = 0; done && i < of.table->n_columns; i++) {
        const eti_column *column = &of.table->columns[i];
        eti_row_reader rows;
        if (!is_number(column))
            continue;
        done = eti__row_reader_open(&rows, of.whole);
        if (!done)
            break;
        of.is_wanted[column->number] = true;
        rows.row.wanted = of.is_wanted;
        done = add_family(d, section, &of, column, &rows);
        eti__row_reader_close(&rows);
        of.is_wanted[column->number] = false;
    }
    free_labelled(&of);
    return done;
}

/* Adds the percentiles of the times of runs, for each method. */
static bool add_runs(document *d) {
    static const struct {
        const char *quantile;
        size_t at;
    } places[] = {{"0", offsetof(eti_summary, min)},
                  {"0.1", offsetof(eti_summary, p10)},
                  {"0.5", offsetof(eti_summary, p50)},
                  {"0.9", offsetof(eti_summary, p90)},
                  {"1", offsetof(eti_summary, max)}};
    const eti_column times = {.kind = ETI_COLUMN_TIME};
    const char *unit;
    double divisor = base_unit(d, &times, &unit);
    eti_buffer family = {0};
    uint32_t unused;
    eti__buffer_printf(&family, "etinspect_run_%s", unit);
    bool done = !family.failed && make_given(d, NULL) &&
                eti__text_table_add(&d->families, eti__buffer_text(&family), &d->arena, &unused);
    eti_text name = eti__buffer_text(&family);
    if (done)
        add_header(d, name, "summary", unit, "time of a run after the warm-up");
    for (size_t i = 0; done && i < d->report->n_methods; i++) {
        const eti_method_times *method = &d->report->methods[i];
        d->labels.size = 0;
        if (method->name.size > 0)
            add_label(&d->labels, eti__text_of("method"), method->name);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            double value;
            memcpy(&value, (const char *)&method->times + places[k].at, sizeof value);
            add_sample(d, name, "", places[k].quantile, value / divisor);
        }
        add_sample(d, name, "_count", NULL, (double)method->n_runs);
        add_sample(d, name, "_sum", NULL, method->times.avg * (double)method->n_runs / divisor);
    }
    flush(d);
    eti__buffer_free(&family);
    return done;
}

static eti_status write_openmetrics(const eti_report *report, const eti_write_options *options,
                                    eti_output *output, eti_error *err) {
    document d = {.report = report, .options = options, .output = output};
    bool done = report->n_methods == 0 || report->has_one_table || add_runs(&d);
    for (size_t i = 0; done && i < report->n_sections; i++)
        done = add_table(&d, &report->sections[i]);
    eti__buffer_add_string(&d.text, "# EOF\n");
    flush(&d);
    eti__buffer_free(&d.text);
    eti__buffer_free(&d.labels);
    eti__buffer_free(&d.given);
    eti__text_table_free(&d.families);
    eti__arena_free(&d.arena);
    return done && !d.failed ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_openmetrics = {
    .name = "openmetrics",
    .summary = "OpenMetrics text, for Prometheus",
    .suffixes = "prom,openmetrics",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_openmetrics,
    .is_for_programs = true,
};
