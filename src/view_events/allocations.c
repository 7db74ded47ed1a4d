#include "view_events/view_events.h"

/* A row of either table: the bytes that an allocator gave out, in all runs or in one. */
typedef struct allocated_row {
    eti_table *table;
    eti_text name;
    const eti_allocated *allocated;
    const eti_allocator *allocator;
    const eti_run_allocations *of;
    const eti_etdump *dump;
    eti_text file; /* owned by the table, because rows of a file share it */
} allocated_row;

/* Keeps a text in the table, as UTF-8: it may be owned by the view, and dumps may have any bytes. */
static bool own_text(const allocated_row *row, eti_text text, eti_cell *cell) {
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->table, text, &cell->as_text);
}

static bool set_name(void *context, eti_cell *cell) {
    const allocated_row *row = context;
    return own_text(row, row->name, cell);
}

static bool set_block(void *context, eti_cell *cell) {
    const allocated_row *row = context;
    return own_text(row, eti__etdump_read_run(row->dump, row->of->run).name, cell);
}

ETI_CELL_SETTER(allocated_row, allocations, eti__count_cell(row->allocated->n))
ETI_CELL_SETTER(allocated_row, bytes, eti__count_cell(row->allocated->bytes))
ETI_CELL_SETTER(allocated_row, largest, eti__count_cell(row->allocated->largest))
ETI_CELL_SETTER(allocated_row, peak, eti__count_cell(row->allocator->peak))
ETI_CELL_SETTER(allocated_row, runs, eti__count_cell(row->allocator->n_runs))
ETI_CELL_SETTER(allocated_row, run, eti__count_cell(row->of->run))
ETI_CELL_SETTER(allocated_row, dump, eti__text_cell(row->file))

static const eti_column_spec allocator_columns[] = {
    {"allocator", ETI_TEXTS, false, "name of the allocator", set_name},
    {"allocations", ETI_COUNTS, false, "number of allocations in all runs", set_allocations},
    {"total_bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "bytes allocated in all runs",
     set_bytes},
    {"largest_bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "largest single allocation",
     set_largest},
    {"peak_bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "most bytes in one run", set_peak},
    {"runs", ETI_COUNTS, false, "runs that allocated from it", set_runs},
};

static const eti_column_spec run_columns[] = {
    {"block", ETI_TEXTS, false, "name of the run", set_block},
    {"dump_run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the run in its file",
     set_run},
    {"allocator", ETI_TEXTS, false, "name of the allocator", set_name},
    {"allocations", ETI_COUNTS, false, "number of allocations in the run", set_allocations},
    {"bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "bytes allocated in the run", set_bytes},
    {"largest_bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "largest single allocation",
     set_largest},
    {"dump", ETI_TEXTS, true, "file of the run", set_dump},
};

static eti_status fill_allocators(eti_table *table, const eti_allocations *all, eti_error *err) {
    for (uint32_t i = 0; i < all->allocators.count; i++) {
        const eti_allocator *allocator = &all->allocators.items[i];
        allocated_row row = {.table = table,
                             .name = allocator->shown,
                             .allocated = &allocator->all,
                             .allocator = allocator};
        ETI_TRY(eti__columns_add_row(table, allocator_columns, ETI_N_COLUMNS(allocator_columns),
                                     &row, err));
    }
    return ETI_OK;
}

static eti_status fill_runs(eti_table *table, const eti_allocations *all, eti_error *err) {
    allocated_row row = {.table = table};
    for (size_t i = 0; i < all->n_runs; i++) {
        const eti_run_allocations *of = &all->runs[i];
        const eti_etdump *dump = &all->inspector->dumps[of->dump];
        bool is_next_file = i == 0 || of->dump != all->runs[i - 1].dump;
        if (is_next_file && !eti__table_own_text(table, eti__text_of(dump->file_name), &row.file))
            return eti_fail_memory(err);
        row.name = all->allocators.items[of->allocator].shown;
        row.allocated = &of->in_run;
        row.of = of;
        row.dump = dump;
        ETI_TRY(eti__columns_add_row(table, run_columns, ETI_N_COLUMNS(run_columns), &row, err));
    }
    return ETI_OK;
}

static eti_status add_allocators(eti_report *report, const eti_allocations *all, eti_error *err) {
    eti_table *table;
    ETI_TRY(
        eti__columns_make(&table, allocator_columns, ETI_N_COLUMNS(allocator_columns), NULL, err));
    ETI_TRY(eti__report_add(report, "allocators", "Allocators", table, err));
    return fill_allocators(table, all, err);
}

static eti_status add_runs(eti_report *report, const eti_allocations *all, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_make(&table, run_columns, ETI_N_COLUMNS(run_columns), NULL, err));
    ETI_TRY(eti__report_add(report, "runs", "Runs", table, err));
    return fill_runs(table, all, err);
}

static eti_status add_tables(eti_report *report, const eti_allocations *all, eti_error *err) {
    ETI_TRY(eti__view_check_text(all->inspector, all->n_bytes, err));
    ETI_TRY(add_allocators(report, all, err));
    if (all->n_runs == 0)
        return eti__report_note(report, err,
                                "no allocation was recorded: the runtime records allocations only "
                                "if it is built to track its allocators");
    ETI_TRY(eti__report_note(
        report, err,
        "peak: the sum of all allocations of a run, because dumps do not record freed memory"));
    return add_runs(report, all, err);
}

eti_status eti__view_allocations(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    eti_allocations all;
    eti_status status = eti__allocations_make(&all, inspector, options, err);
    if (status == ETI_OK)
        status = add_tables(report, &all, err);
    eti__allocations_free(&all);
    return status;
}
