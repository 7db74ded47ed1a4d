#include "table/table.h"

#include "table/columns.h"
#include "table/parts.h"
#include "table/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== table name ============================================================================== */
/* Turns a table's name, as a user types it, into the number of the table in a report. */

/* Returns the name that is most likely meant; NULL: no name is close. */
static const char *nearest(const eti_report *report, const char *name) {
    for (size_t i = 0; i < report->n_sections; i++) {
        if (eti__name_is_near(eti__text_of(report->sections[i].name), eti__text_of(name)))
            return report->sections[i].name;
    }
    return NULL;
}

static eti_status fail(const eti_report *report, const char *name, eti_error *err) {
    const char *near = nearest(report, name);
    eti_buffer names = {0};
    for (size_t i = 0; i < report->n_sections; i++) {
        eti__buffer_add_string(&names, i > 0 ? ", " : "");
        eti__buffer_add_string(&names, report->sections[i].name);
    }
    eti_status status =
        names.failed
            ? eti_fail_memory(err)
            : eti_fail(err, ETI_ERROR_USAGE,
                       "%stable: there is no table '%.200s': %s%s%sthere %s %.*s",
                       eti__option_prefix(), name, near ? "did you mean " : "", near ? near : "",
                       near ? "? " : "", report->n_sections == 1 ? "is only" : "are",
                       (int)names.size, names.data ? names.data : "");
    eti__buffer_free(&names);
    return status;
}

/* Finds the section called `name`. ETI_ERROR_USAGE: there is none; ETI_ERROR_MEMORY. */
static eti_status find_table_name(const eti_report *report, const char *name, size_t *out,
                                  eti_error *err) {
    for (size_t i = 0; i < report->n_sections; i++) {
        if (strcmp(report->sections[i].name, name) == 0) {
            *out = i;
            return ETI_OK;
        }
    }
    return fail(report, name, err);
}

/* ==== selection =============================================================================== */

/* ---- a table in another order ---------------------------------------------------------------- */

/* A selection of the rows and columns of `table`. */
typedef struct arrangement {
    const eti_table *table;
    eti_table *owned;    /* `table`, if this is its owner */
    size_t *rows;        /* per row: that of `table`; NULL: the same */
    size_t *row_numbers; /* per row: that in the index column; NULL: those of `rows` */
    size_t *columns;     /* per column: that of `table`; NULL: the first ones */
    bool *wanted;        /* per column of `table`: it is in `columns` */
    size_t *lists;       /* columns whose cells may be lists that become texts */
    size_t n_lists;
    bool *are_labels; /* per column: its texts are replaced by their labels; NULL: there is none */
} arrangement;

static void free_arrangement(void *context) {
    arrangement *a = context;
    eti_table_free(a->owned);
    free(a->rows);
    free(a->row_numbers);
    free(a->columns);
    free(a->wanted);
    free(a->lists);
    free(a->are_labels);
    free(a);
}

/* Finds the columns of a->table that the row needs; NULL: out of memory. */
static const bool *find_wanted(const arrangement *a, eti_row *row) {
    if (!row->wanted)
        return a->wanted;
    bool *wanted = eti__arena_alloc_zero(&row->texts, a->table->n_columns + 1, sizeof *wanted);
    for (size_t i = 0; wanted && i < row->n_wanted; i++)
        wanted[a->columns[i]] = wanted[a->columns[i]] || row->wanted[i];
    return wanted;
}

/* Makes a row with all columns of a->table, and copies the cells that are shown. */
static bool pick_columns(const arrangement *a, size_t number, eti_row *row) {
    const bool *wanted = find_wanted(a, row);
    eti_cell *cells = eti__arena_alloc_zero(&row->texts, a->table->row_size + 1, sizeof *cells);
    if (!wanted || !cells)
        return false;
    eti_row whole = {cells, a->table->n_columns, wanted, row->texts, row->scratch};
    bool made = eti__table_make_row(a->table, number, &whole);
    row->texts = whole.texts;
    row->scratch = whole.scratch;
    for (size_t i = 0; made && i < row->n_wanted; i++)
        row->cells[i] = whole.cells[a->columns[i]];
    return made;
}

static bool spell_list(eti_row *row, eti_cell *cell) {
    row->scratch.size = 0;
    eti__list_add(&row->scratch, cell);
    cell->items = NULL;
    return eti__row_take_cell(row, ETI_CELL_LIST, cell);
}

static bool spell_lists(const arrangement *a, eti_row *row) {
    for (size_t i = 0; i < a->n_lists && a->lists[i] < row->n_wanted; i++) {
        eti_cell *cell = &row->cells[a->lists[i]];
        if (eti__cell_is_list(cell) && !spell_list(row, cell))
            return false;
    }
    return true;
}

static void show_labels(const arrangement *a, eti_row *row) {
    for (size_t i = 0; a->are_labels && i < row->n_wanted; i++) {
        eti_cell *cell = &row->cells[i];
        if (a->are_labels[i] && cell->kind == ETI_CELL_TEXT && cell->n_items > 0)
            *cell = eti__text_cell((eti_text){cell->items, cell->n_items});
    }
}

/* Makes a row. If the columns are the first ones of a->table, its cells are made in place and nothing is copied. */
static bool make_arranged(const void *context, size_t number, eti_row *row) {
    const arrangement *a = context;
    if (a->rows)
        number = a->rows[number];
    bool made =
        a->columns ? pick_columns(a, number, row) : eti__table_make_row(a->table, number, row);
    if (made)
        show_labels(a, row);
    return made && spell_lists(a, row);
}

static size_t count_alike(const void *context, size_t number) {
    return eti__table_count_alike(((const arrangement *)context)->table, number);
}

static bool are_first(const size_t *columns, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (columns[i] != i)
            return false;
    }
    return true;
}

/* Keeps the numbers of columns, unless they are the first columns in order; owns `columns` in any case. */
static bool set_columns(arrangement *a, size_t *columns, size_t n) {
    if (are_first(columns, n)) {
        free(columns);
        return true;
    }
    a->columns = columns;
    a->wanted = calloc(a->table->n_columns + 1, sizeof *a->wanted);
    for (size_t i = 0; a->wanted && i < n; i++)
        a->wanted[columns[i]] = true;
    return a->wanted != NULL;
}

/* Finds the columns of lists, and makes them columns of texts. False: out of memory. */
static bool find_lists(arrangement *a, eti_column *columns, size_t n) {
    a->lists = malloc((n + 1) * sizeof *a->lists);
    for (size_t i = 0; a->lists && i < n; i++) {
        if (!eti__column_holds_lists(columns[i].kind))
            continue;
        columns[i].type = ETI_TYPE_UTF8;
        a->lists[a->n_lists++] = i;
    }
    return a->lists != NULL;
}

/* Sets the row numbers of the chosen rows, if the table has row numbers of its own. */
static bool set_row_numbers(arrangement *a, size_t n_rows) {
    if (!a->rows || !a->table->row_numbers)
        return true;
    a->row_numbers = malloc((n_rows + 1) * sizeof *a->row_numbers);
    for (size_t i = 0; a->row_numbers && i < n_rows; i++)
        a->row_numbers[i] = a->table->row_numbers[a->rows[i]];
    return a->row_numbers != NULL;
}

/* Selected part of a table. The first two arrays are allocated by malloc() and passed to the arrangement. */
typedef struct choice {
    size_t *rows; /* NULL: the first `n_rows` */
    size_t n_rows;
    size_t *columns;
    size_t n_columns;
    eti_compared *compared; /* allocated by malloc() */
    size_t n_compared;
} choice;

bool eti__table_distinguishes(const eti_table *table) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (table->columns[i].is_distinguished)
            return true;
    }
    return false;
}

/* Returns, per column, whether its texts have labels. NULL: out of memory. */
static bool *list_labels(const eti_column *columns, size_t n) {
    bool *are_labels = calloc(n + 1, sizeof *are_labels);
    for (size_t i = 0; are_labels && i < n; i++)
        are_labels[i] = columns[i].is_distinguished;
    return are_labels;
}

/* Makes the arranged table, which owns the choice, even if this fails. */
static eti_status arrange(eti_table **out, const eti_table *table, choice chosen,
                          eti_projection projection, eti_error *err) {
    arrangement *a = calloc(1, sizeof *a);
    eti_column *columns = calloc(chosen.n_columns + 1, sizeof *columns);
    *out = NULL;
    if (!a || !columns) {
        free(a);
        free(columns);
        free(chosen.rows);
        free(chosen.columns);
        return eti_fail_memory(err);
    }
    for (size_t i = 0; i < chosen.n_columns; i++)
        columns[i] = table->columns[chosen.columns[i]];
    for (size_t i = 0; projection.is_for_people && i < chosen.n_columns; i++)
        columns[i].is_extra = columns[i].is_extra && !columns[i].distinguishes;
    *a = (arrangement){.table = table, .rows = chosen.rows};
    eti_status status = ETI_OK;
    bool has_labels = projection.is_for_people && eti__table_distinguishes(table);
    bool done =
        set_columns(a, chosen.columns, chosen.n_columns) && set_row_numbers(a, chosen.n_rows);
    if (done && has_labels)
        done = (a->are_labels = list_labels(columns, chosen.n_columns)) != NULL;
    if (done && projection.spells_lists)
        done = find_lists(a, columns, chosen.n_columns);
    if (!done) {
        free_arrangement(a);
        status = eti_fail_memory(err);
    } else {
        eti_row_source source = {make_arranged, free_arrangement, a};
        status = eti__table_new_over(out, table, columns, chosen.n_columns, source, err);
    }
    free(columns);
    if (status == ETI_OK) {
        (*out)->n_rows = chosen.n_rows;
        if (!a->rows && table->count_alike)
            (*out)->count_alike = count_alike;
        if (a->rows)
            (*out)->row_numbers = a->row_numbers ? a->row_numbers : a->rows;
    }
    return status;
}

/* Makes an arranged table the owner of the table it reads. */
static void own_table(eti_table *arranged, eti_table *table) {
    ((arrangement *)arranged->source.context)->owned = table;
}

eti_status eti__table_project(eti_table **out, const eti_table *table, eti_projection projection,
                              eti_error *err) {
    *out = NULL;
    choice all = {.columns = calloc(table->n_columns + 1, sizeof *all.columns),
                  .n_rows = table->n_rows};
    if (!all.columns)
        return eti_fail_memory(err);
    bool moves = projection.is_for_people && eti__table_distinguishes(table);
    for (size_t i = 0; i < table->n_columns; i++) {
        const eti_column *column = &table->columns[i];
        if (!(projection.leaves_out_extra && column->is_extra) &&
            !(projection.is_for_programs && column->is_on_request) &&
            !(moves && column->distinguishes))
            all.columns[all.n_columns++] = i;
        for (size_t k = 0; moves && column->is_distinguished && k < table->n_columns; k++) {
            if (table->columns[k].distinguishes)
                all.columns[all.n_columns++] = k;
        }
    }
    return arrange(out, table, all, projection, err);
}

eti_status eti__table_project_owned(eti_table **out, eti_table *table, eti_projection projection,
                                    eti_error *err) {
    eti_status status = eti__table_project(out, table, projection, err);
    if (status == ETI_OK)
        own_table(*out, table);
    else
        eti_table_free(table);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Lists the rows of the table, in order. False: out of memory. */
static bool list_rows(choice *chosen) {
    chosen->rows = malloc((chosen->n_rows + 1) * sizeof *chosen->rows);
    for (size_t i = 0; chosen->rows && i < chosen->n_rows; i++)
        chosen->rows[i] = i;
    return chosen->rows != NULL;
}

/* Lists the columns that the filter compares with numbers without units. False: out of memory. */
static bool list_compared(choice *chosen, const eti_table *table, const eti_filter *filter) {
    chosen->compared = calloc(table->n_columns + 1, sizeof *chosen->compared);
    for (size_t i = 0; chosen->compared && i < table->n_columns; i++) {
        eti_compared *compared = &chosen->compared[chosen->n_compared];
        if (!eti__filter_bare_number(filter, i, &compared->number))
            continue;
        compared->name = eti__column_short_name(table->columns[i].name);
        compared->kind = table->columns[i].kind;
        compared->column = i;
        chosen->n_compared++;
    }
    return chosen->compared != NULL;
}

static void look_at_compared(choice *chosen, const eti_cell *cells) {
    for (size_t i = 0; i < chosen->n_compared; i++) {
        eti_compared *compared = &chosen->compared[i];
        double number;
        compared->has_large |= compared->kind == ETI_COLUMN_BYTES &&
                               eti__cell_read_double(&cells[compared->column], &number) &&
                               fabs(number) >= 1024;
    }
}

/* Keeps the rows for which the filter is true. */
static eti_status filter_rows(choice *chosen, const eti_table *table, eti_filter *filter,
                              eti_error *err) {
    eti_row_reader reader;
    if (!eti__row_reader_open(&reader, table))
        return eti_fail_memory(err);
    reader.row.wanted = eti__filter_wanted(filter);
    size_t n = 0;
    eti_status status = ETI_OK;
    for (size_t i = 0; status == ETI_OK && i < chosen->n_rows; i++) {
        bool is_true = false;
        const eti_cell *cells = eti__row_reader_read(&reader, i);
        look_at_compared(chosen, cells);
        status =
            reader.failed ? eti_fail_memory(err) : eti__filter_test(filter, cells, &is_true, err);
        if (is_true)
            chosen->rows[n++] = i;
    }
    chosen->n_rows = n;
    eti__row_reader_close(&reader);
    return status;
}

static eti_status apply_filter(choice *chosen, const eti_table *table, eti_time_scale scale,
                               const char *expression, eti_error *err) {
    eti_filter *filter;
    ETI_TRY(eti__filter_new(&filter, expression, table, scale, err));
    eti_status status = list_compared(chosen, table, filter)
                            ? filter_rows(chosen, table, filter, err)
                            : eti_fail_memory(err);
    eti__filter_free(filter);
    return status;
}

static eti_status apply_sort(choice *chosen, const eti_table *table, const char *sort,
                             eti_error *err) {
    eti_sort_key *keys;
    size_t n_keys;
    ETI_TRY(eti__sort_parse(&keys, &n_keys, table, sort, err));
    eti_status status = eti__sort_rows(chosen->rows, chosen->n_rows, table, keys, n_keys, err);
    free(keys);
    return status;
}

static eti_status choose_rows(choice *chosen, const eti_table *table, eti_time_scale scale,
                              const eti_selection *selection, eti_error *err) {
    chosen->n_rows = table->n_rows;
    if ((selection->filter || selection->sort) && !list_rows(chosen))
        return eti_fail_memory(err);
    if (selection->filter)
        ETI_TRY(apply_filter(chosen, table, scale, selection->filter, err));
    if (selection->sort)
        ETI_TRY(apply_sort(chosen, table, selection->sort, err));
    if (selection->top > 0 && selection->top < chosen->n_rows)
        chosen->n_rows = selection->top;
    return ETI_OK;
}

/* ---- columns --------------------------------------------------------------------------------- */

static bool is_chosen(const choice *chosen, size_t column) {
    for (size_t i = 0; i < chosen->n_columns; i++) {
        if (chosen->columns[i] == column)
            return true;
    }
    return false;
}

static eti_status choose_column(choice *chosen, const eti_table *table, eti_text name,
                                eti_error *err) {
    size_t column;
    if (!eti__column_find(table, name, &column))
        return eti__column_fail(table, "columns", name, err);
    if (is_chosen(chosen, column))
        return eti_fail(err, ETI_ERROR_USAGE, "%scolumns: %.*s is given twice: give it once",
                        eti__option_prefix(), ETI_TEXT_ARGS(name));
    chosen->columns[chosen->n_columns++] = column;
    return ETI_OK;
}

/* Chooses the columns; "all" stands for those that are not named before it. */
static eti_status choose_columns(choice *chosen, const eti_table *table, const char *names,
                                 eti_error *err) {
    chosen->columns = calloc(table->n_columns + 1, sizeof *chosen->columns);
    if (!chosen->columns)
        return eti_fail_memory(err);
    eti_text rest = eti__text_of(names ? names : "all"), name;
    while (eti__column_next_part(&rest, &name)) {
        if (!eti__text_is(name, "all")) {
            ETI_TRY(choose_column(chosen, table, name, err));
            continue;
        }
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!is_chosen(chosen, i))
                chosen->columns[chosen->n_columns++] = i;
        }
    }
    return ETI_OK;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Leaves out all other tables, which are kept until the report is freed. Shows the chosen table in full, and drops the
 * queries, which may refer to other tables. */
static void leave_only(eti_report *report, size_t number) {
    eti_section chosen = report->sections[number];
    report->sections[number] = report->sections[0];
    chosen.is_told_above = false;
    chosen.is_in_notes = false;
    chosen.is_detail = false;
    report->sections[0] = chosen;
    report->n_left_out += report->n_sections - 1;
    report->n_sections = 1;
    report->selected = 0;
    report->has_one_table = true;
    report->n_queries = 0;
}

/* ---- numbers without units ------------------------------------------------------------------- */

/* Copies the list into the table. */
static bool keep_compared(eti_table *table, const choice *chosen) {
    if (chosen->n_compared == 0)
        return true;
    size_t size = chosen->n_compared * sizeof *chosen->compared;
    eti_compared *copy =
        eti__arena_alloc(&table->arena, chosen->n_compared, sizeof *chosen->compared);
    if (!copy)
        return false;
    memcpy(copy, chosen->compared, size);
    table->compared = copy;
    table->n_compared = chosen->n_compared;
    return true;
}

/* Finds the column with this name, or else the first of its kind, among those that text shows. */
static bool find_shown(const eti_section *section, const eti_compared *compared, size_t *out) {
    const eti_table *table = section->table;
    bool found = false;
    for (size_t i = 0; i < table->n_columns; i++) {
        const eti_column *column = &table->columns[i];
        bool is_it = eti__text_equal(eti__column_short_name(column->name), compared->name);
        if (column->kind != compared->kind || !eti__section_shows(section, column) ||
            (found && !is_it))
            continue;
        *out = i;
        found = true;
        if (is_it)
            break;
    }
    return found;
}

/* Appends "p50 is compared in ms; 100 µs is written 100us". */
static void explain(eti_buffer *out, eti_text name, const char *unit, double number,
                    const char *shown, const char *written) {
    char digits[ETI_DOUBLE_TEXT_MAX];
    int size = (int)eti__double_general(digits, number);
    eti__buffer_add_string(out, out->size > 0 ? "; " : "");
    eti__buffer_add_text(out, name);
    eti__buffer_printf(out, " is compared in %s; %.*s %s is written %.*s%s", unit, size, digits,
                       shown, size, digits, written);
}

/* Explains a number; `form` is that of the column that text shows. */
static void explain_number(eti_buffer *out, const eti_compared *compared, const eti_time_form *form,
                           eti_time_scale scale, bool has_utf8) {
    double number = compared->number, magnitude = fabs(number);
    if (compared->kind == ETI_COLUMN_TIME && form->has_unit && form->scale != scale) {
        explain(out, compared->name, eti__time_unit(scale, has_utf8), number,
                eti__time_unit(form->scale, has_utf8), eti_time_scale_name(form->scale));
    } else if (compared->kind == ETI_COLUMN_SHARE || compared->kind == ETI_COLUMN_CHANGE) {
        explain(out, compared->name, "parts of 1", magnitude <= 1 ? 100 * number : number, "%",
                "%");
    } else if (compared->kind == ETI_COLUMN_BYTES && compared->has_large) {
        const char *unit = magnitude < 1024 ? "KiB" : eti__fit_bytes(&magnitude);
        explain(out, compared->name, "B", number < 0 ? -magnitude : magnitude, unit, unit);
    }
}

eti_status eti__section_explain_filter(eti_buffer *out, const eti_section *section,
                                       eti_time_scale scale, bool keeps_unit, bool has_utf8,
                                       eti_error *err) {
    const eti_table *table = section->table;
    eti_time_form *forms = calloc(table->n_columns + 1, sizeof *forms);
    bool *wanted = calloc(table->n_columns + 1, sizeof *wanted);
    for (size_t i = 0; wanted && i < table->n_columns; i++)
        wanted[i] = eti__section_shows(section, &table->columns[i]);
    bool done = forms && wanted && eti__time_forms_find(forms, table, wanted, keeps_unit);
    for (size_t i = 0; done && i < table->n_compared; i++) {
        size_t shown = 0;
        if (find_shown(section, &table->compared[i], &shown))
            explain_number(out, &table->compared[i], &forms[shown], scale, has_utf8);
    }
    free(forms);
    free(wanted);
    return done && !out->failed ? ETI_OK : eti_fail_memory(err);
}

/* ---- the smallest ---------------------------------------------------------------------------- */

static bool is_number_kind(eti_column_kind kind) {
    return kind == ETI_COLUMN_COUNT || kind == ETI_COLUMN_TIME || kind == ETI_COLUMN_SHARE ||
           kind == ETI_COLUMN_NUMBER || kind == ETI_COLUMN_BYTES || kind == ETI_COLUMN_CHANGE;
}

void eti__table_explain_sort(eti_buffer *out, const eti_table *table,
                             const eti_selection *selection, size_t n_before) {
    const eti_table *whole = table->whole ? table->whole : table;
    size_t column;
    bool is_cut = selection->top > 0 && table->n_rows == selection->top && n_before > table->n_rows;
    if (!selection->sort || !is_cut || strpbrk(selection->sort, ":,") ||
        !eti__column_find(whole, eti__text_of(selection->sort), &column) ||
        !is_number_kind(whole->columns[column].kind))
        return;
    if (table->n_rows > 1)
        eti__buffer_printf(out, "the %zu smallest", table->n_rows);
    else
        eti__buffer_add_string(out, "the smallest");
    eti__buffer_printf(out, "; the largest: %ssort=-%s", eti__option_prefix(), selection->sort);
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__table_select(eti_table **out, eti_table *table, eti_time_scale scale,
                             const eti_selection *selection, eti_error *err) {
    choice chosen = {0};
    *out = NULL;
    eti_status status = choose_columns(&chosen, table, selection->columns, err);
    if (status == ETI_OK)
        status = choose_rows(&chosen, table, scale, selection, err);
    if (status != ETI_OK) {
        free(chosen.rows);
        free(chosen.columns);
    } else {
        status = arrange(out, table, chosen, (eti_projection){.spells_lists = false}, err);
    }
    if (status == ETI_OK && !keep_compared(*out, &chosen)) {
        eti_table_free(*out);
        *out = NULL;
        status = eti_fail_memory(err);
    }
    free(chosen.compared);
    if (status == ETI_OK)
        own_table(*out, table);
    return status;
}

eti_status eti__report_select(eti_report *report, const eti_selection *selection, eti_error *err) {
    size_t number = report->selected;
    if (selection->table)
        ETI_TRY(find_table_name(report, selection->table, &number, err));
    eti_section *section = &report->sections[number];
    eti_table *selected;
    if (section->parts.open)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "this report reads its rows while they are written: select them in the "
                        "request for the rows");
    ETI_TRY(eti__table_select(&selected, section->table, report->time_scale, selection, err));
    section->table = selected;
    selected->report = report;
    if (selection->columns)
        section->has_chosen_columns = true;
    if (selection->filter || selection->sort || selection->top > 0) {
        section->n_kept_back = 0;
        section->n_folded = 0;
        section->is_told_above = false;
    }
    if (selection->table)
        leave_only(report, number);
    return ETI_OK;
}
