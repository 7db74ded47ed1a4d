#include "view/op_kernels.h"

#include "base/sort.h"
#include "view/attributed.h"
#include "view/method_rows.h"
#include "view_events/view_events.h"

#include <stdlib.h>

typedef struct op_kernel {
    uint32_t op;     /* see rollup/rollup.h */
    uint32_t kernel; /* number in kernels->names; 0: the framework has none */
} op_kernel;

typedef struct kernels {
    eti_method_part part; /* first: see method_rows.h */
    eti_shared_texts names;
    ETI_INTERN_OF(op_kernel) keys; /* per group of the rollup */
    eti_ticks *op_totals;          /* per operator */
    uint32_t *order;               /* of rows: groups */
} kernels;

static bool find_group(kernels *k, const eti_account *account, size_t event, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(op_kernel),
                                         .key_size = sizeof(op_kernel)};
    eti_op_type op = eti__op_type_of(account, event);
    op_kernel key = {0};
    return eti__op_type_number(&k->names, &op, &key.op) &&
           eti__shared_texts_add(&k->names, eti__kernel_name(account, event, &op), &key.kernel) &&
           eti__intern_add(&k->keys.table, &kind, &key, out);
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (account->events[i].is_counted && !find_group(context, account, i, &groups[i]))
            return false;
    }
    return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool sum_operators(kernels *k) {
    k->op_totals = calloc(ETI_OP_TYPE_NAMED + k->names.texts.count, sizeof *k->op_totals);
    for (size_t i = 0; k->op_totals && i < k->part.rollup.n_groups; i++)
        eti__wide_add(&k->op_totals[k->keys.items[i].op], k->part.rollup.groups[i].total);
    return k->op_totals != NULL;
}

/* Compares rows by the time of the operator, then by operator, then as eti__rollup_sort() does. */
static int compare_kernels(const void *a, const void *b, void *context) {
    const kernels *k = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t op_x = k->keys.items[x].op, op_y = k->keys.items[y].op;
    int order = eti__wide_compare(k->op_totals[op_y], k->op_totals[op_x]);
    if (order == 0)
        order = (op_x > op_y) - (op_x < op_y);
    if (order == 0)
        order = eti__wide_compare(k->part.rollup.groups[y].total, k->part.rollup.groups[x].total);
    return order ? order : (x > y) - (x < y);
}

static bool sort_rows(kernels *k) {
    k->order = malloc((k->part.rollup.n_groups + 1) * sizeof *k->order);
    if (!k->order || !sum_operators(k))
        return false;
    k->part.n_rows = eti__rollup_sort(&k->part.rollup, k->order);
    eti__sort(k->order, k->part.n_rows, sizeof *k->order, compare_kernels, k);
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct kernel_row {
    eti_group_row times;
    eti_text op, kernel;
} kernel_row;

ETI_CELL_SETTER(kernel_row, op, eti__text_cell(row->op))
ETI_CELL_SETTER(kernel_row, kernel, eti__text_or_none(row->kernel))

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"op", ETI_TEXTS, false, "operator, or name of the events", set_op},
    {"kernel", ETI_TEXTS, false, "kernel that ran it, as named in its events", set_kernel},
    {"p50", ETI_TIMES, false, "median time per run", eti__set_group_p50},
    {"share", ETI_SHARES, false, "share of the total time", eti__set_group_share},
    {"events", ETI_COUNTS, false, "events of this operator run by this kernel",
     eti__set_group_events},
    {"calls", ETI_COUNTS, false, "calls of events, after the warm-up", eti__set_group_calls},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", eti__set_group_total},
};

static bool make_row(const eti_method_part *part, size_t number, const eti_column_spec *specs,
                     size_t n_specs, eti_row *out) {
    const kernels *k = (const kernels *)part;
    const op_kernel *key = &k->keys.items[k->order[number]];
    kernel_row row = {.times = eti__group_row_of(
                          &part->rollup, &part->rollup.groups[k->order[number]], &out->texts),
                      .op = eti__op_type_name(&k->names, key->op),
                      .kernel = k->names.texts.texts[key->kernel]};
    row.times.method = part->method;
    return eti__columns_set(specs, n_specs, &row, out);
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_kernels(eti_method_part *part) {
    kernels *k = (kernels *)part;
    eti__shared_texts_free(&k->names);
    eti__intern_free(&k->keys.table);
    free(k->op_totals);
    free(k->order);
}

static eti_status check_text(const kernels *k, const eti_inspector *inspector, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < k->keys.count; i++)
        n_bytes += eti__op_type_name(&k->names, k->keys.items[i].op).size +
                   k->names.texts.texts[k->keys.items[i].kernel].size;
    return eti__view_check_text(inspector, n_bytes, err);
}

static eti_status take_kernels(eti_method_part *part, const eti_inspector *inspector,
                               const eti_view_options *options, void *context, eti_error *err) {
    kernels *k = (kernels *)part;
    uint32_t none;
    (void)context;
    if (!eti__shared_texts_add(&k->names, eti__text_of(""), &none))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&part->rollup, inspector, options, NULL, group_events, k, err));
    return sort_rows(k) ? check_text(k, inspector, err) : eti_fail_memory(err);
}

eti_status eti__view_op_kernels(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    static const eti_method_view view = {sizeof(kernels), take_kernels, free_kernels, make_row};
    const eti_method_rows *rows;
    eti_table *table;
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, columns, ETI_N_COLUMNS(columns), inspector,
                                  options, NULL, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "kernels", NULL, table, err));
    ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    ETI_TRY(eti__view_note_warm_up(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_slow_runs(report, &rows->counts, err));
    ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    ETI_TRY(eti__view_note_rounding(report, &rows->counts.rounding, err));
    return eti__view_note_uncounted(report, rows->counts.n_uncounted, err);
}
