#include "view/allocations.h"

#include "account/blocks.h"
#include "base/array.h"
#include "base/pointer_table.h"
#include "base/text_table.h"
#include "table/columns.h"
#include "view/events.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct eti_allocated {
    uint64_t n, bytes, largest;
} eti_allocated;

typedef struct allocator {
    eti_allocated all;
    uint64_t peak; /* most bytes in one run */
    uint64_t n_runs;
    size_t row; /* of the run that was read last, plus 1; 0: none */
} allocator;

/* What one allocator gave out in one run. */
typedef struct run_row {
    uint32_t dump, run, allocator;
    eti_allocated in_run;
} run_row;

typedef struct collector {
    const eti_inspector *inspector;
    eti_arena texts;      /* names of allocators that have none */
    eti_text_table names; /* numbers of allocators */
    eti_pointer_table by_name;
    allocator *allocators;
    size_t capacity;
    run_row *rows;
    size_t n_rows, row_capacity;
    uint64_t n_bytes; /* of text in all rows */
} collector;

static void free_collector(collector *c) {
    eti_arena_free(&c->texts);
    eti_text_table_free(&c->names);
    eti_pointer_table_free(&c->by_name);
    free(c->allocators);
    free(c->rows);
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t add_up(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void add_allocation(eti_allocated *to, uint64_t bytes) {
    to->n++;
    to->bytes = add_up(to->bytes, bytes);
    if (bytes > to->largest)
        to->largest = bytes;
}

static bool number_name(collector *c, eti_text name, eti_arena *owner, uint32_t *out) {
    size_t known = c->names.count;
    if (!eti_text_table_add(&c->names, name, owner, out) ||
        !ETI_GROW(c->allocators, c->capacity, (size_t)*out + 1))
        return false;
    if (*out == known)
        c->allocators[known] = (allocator){.row = 0};
    return true;
}

/* One that the run does not name. */
static bool number_id(collector *c, int32_t id, uint32_t *out) {
    char name[32];
    int length = snprintf(name, sizeof name, "(allocator %d)", id);
    return number_name(c, (eti_text){name, (size_t)length}, &c->texts, out);
}

static bool find_allocator(collector *c, const eti_etdump *dump, const eti_etdump_run *run,
                           int32_t id, int32_t first_id, uint32_t *out) {
    int64_t number = (int64_t)id - first_id;
    if (number < 0 || number >= run->allocators.count)
        return number_id(c, id, out);
    eti_text name = eti_etdump_allocator_name(dump, run, (uint32_t)number);
    if (name.size == 0)
        return number_id(c, id, out);
    if (eti_pointer_table_find(&c->by_name, name.data, out))
        return true;
    return number_name(c, name, NULL, out) && eti_pointer_table_add(&c->by_name, name.data, *out);
}

/* The row of the allocator in the run, which is the one at hand. */
static run_row *find_row(collector *c, uint32_t dump, uint32_t run, eti_text block,
                         uint32_t number) {
    if (!c->allocators)
        return NULL;
    allocator *a = &c->allocators[number];
    if (a->row > 0 && c->rows[a->row - 1].dump == dump && c->rows[a->row - 1].run == run)
        return &c->rows[a->row - 1];
    if (!ETI_GROW(c->rows, c->row_capacity, c->n_rows + 1))
        return NULL;
    c->rows[c->n_rows] = (run_row){.dump = dump, .run = run, .allocator = number};
    c->n_bytes += c->names.texts[number].size + block.size;
    a->row = ++c->n_rows;
    a->n_runs++;
    return &c->rows[c->n_rows - 1];
}

static bool read_run(collector *c, uint32_t dump_number, uint32_t number, int32_t first_id) {
    const eti_etdump *dump = &c->inspector->dumps[dump_number];
    eti_etdump_run run = eti_etdump_read_run(dump, number);
    for (uint32_t i = 0; i < run.events.count; i++) {
        eti_etdump_allocation allocation;
        eti_position event = eti_etdump_event_position(dump, run.events, i);
        if (!eti_etdump_read_allocation(dump, event, &allocation))
            continue;
        uint32_t at;
        if (!find_allocator(c, dump, &run, allocation.allocator_id, first_id, &at))
            return false;
        run_row *row = find_row(c, dump_number, number, run.name, at);
        if (!row)
            return false;
        add_allocation(&row->in_run, allocation.size);
        add_allocation(&c->allocators[at].all, allocation.size);
        if (row->in_run.bytes > c->allocators[at].peak)
            c->allocators[at].peak = row->in_run.bytes;
    }
    return true;
}

static bool names_allocator_0(const eti_etdump *dump) {
    for (uint32_t number = 0; number < dump->runs.count; number++) {
        eti_etdump_run run = eti_etdump_read_run(dump, number);
        for (uint32_t i = 0; i < run.events.count; i++) {
            eti_etdump_allocation allocation;
            eti_position event = eti_etdump_event_position(dump, run.events, i);
            if (eti_etdump_read_allocation(dump, event, &allocation) &&
                allocation.allocator_id == 0)
                return true;
        }
    }
    return false;
}

/* Which runs of the dump --skip_first leaves out. */
static void find_skipped(const eti_inspector *inspector, const eti_etdump *dump, bool *skipped) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_skipped; i++) {
            const eti_block_run *run = block->runs - block->n_skipped + i;
            if (run->dump == dump)
                skipped[run->index] = true;
        }
    }
}

static bool read_dump(collector *c, uint32_t number, const eti_view_options *options) {
    const eti_etdump *dump = &c->inspector->dumps[number];
    int32_t first_id = names_allocator_0(dump) ? 0 : 1;
    bool *skipped = calloc((size_t)dump->runs.count + 1, sizeof *skipped);
    bool done = skipped != NULL;
    if (done)
        find_skipped(c->inspector, dump, skipped);
    for (uint32_t run = 0; done && run < dump->runs.count; run++) {
        eti_text name = eti_etdump_read_run(dump, run).name;
        if (!skipped[run] && eti_block_is_wanted(options->block, name))
            done = read_run(c, number, run, first_id);
    }
    free(skipped);
    return done;
}

static bool read_dumps(collector *c, const eti_view_options *options) {
    bool done = true;
    for (uint32_t d = 0; done && d < c->inspector->n_dumps; d++)
        done = read_dump(c, d, options);
    return done;
}

uint64_t eti_run_allocated(const eti_block_run *run) {
    uint64_t bytes = 0;
    eti_etdump_allocation allocation;
    for (uint32_t i = 0; run->layout->n_allocations > 0 && i < run->events.count; i++) {
        if (eti_etdump_read_allocation(run->dump, eti_block_run_position(run, i), &allocation))
            bytes = add_up(bytes, allocation.size);
    }
    return bytes;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Texts are the table's own: what is collected here does not live as long. */
static bool set_text(eti_table *table, eti_text text, eti_cell *cell) {
    *cell = eti_text_cell(text);
    return eti_table_own_text(table, text, &cell->as_text);
}

static bool set_name(const collector *c, eti_table *table, uint32_t number, eti_cell *cell) {
    return set_text(table, c->names.texts[number], cell);
}

static eti_status add_allocators(const collector *c, eti_report *report,
                                 const eti_view_options *options, eti_error *err) {
    enum { NAME, COUNT, TOTAL, LARGEST, PEAK, RUNS, N };
    static const eti_column_spec columns[N] = {
        [NAME] = {"allocator", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name"},
        [COUNT] = {"allocations", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "in all runs"},
        [TOTAL] = {"total_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, false, "in all runs"},
        [LARGEST] = {"largest_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, false, "of one allocation"},
        [PEAK] = {"peak_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, false, "most in one run"},
        [RUNS] = {"runs", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "that allocated from it"},
    };
    eti_table *table;
    ETI_TRY(eti_columns_make(&table, columns, N, eti_view_unit(c->inspector, options), err));
    for (uint32_t i = 0; i < c->names.count; i++) {
        const allocator *a = &c->allocators[i];
        eti_cell *cells = eti_table_add_row(table);
        if (!cells || !set_name(c, table, i, &cells[NAME])) {
            eti_table_free(table);
            return eti_fail_memory(err);
        }
        cells[COUNT] = eti_count_cell(a->all.n);
        cells[TOTAL] = eti_count_cell(a->all.bytes);
        cells[LARGEST] = eti_count_cell(a->all.largest);
        cells[PEAK] = eti_count_cell(a->peak);
        cells[RUNS] = eti_count_cell(a->n_runs);
    }
    return eti_report_add(report, "allocators", "Allocators", table, err);
}

static eti_status add_runs(const collector *c, eti_report *report, const eti_view_options *options,
                           eti_error *err) {
    enum { BLOCK, RUN, NAME, COUNT, BYTES, LARGEST, DUMP, N };
    static const eti_column_spec columns[N] = {
        [BLOCK] = {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name of the run"},
        [RUN] = {"dump_run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
                 "number of the run in its file"},
        [NAME] = {"allocator", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name"},
        [COUNT] = {"allocations", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "in the run"},
        [BYTES] = {"bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, false, "in the run"},
        [LARGEST] = {"largest_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, false, "of one allocation"},
        [DUMP] = {"dump", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "file"},
    };
    eti_table *table;
    ETI_TRY(eti_columns_make(&table, columns, N, eti_view_unit(c->inspector, options), err));
    eti_text file = {NULL, 0};
    for (size_t i = 0; i < c->n_rows; i++) {
        const run_row *row = &c->rows[i];
        const eti_etdump *dump = &c->inspector->dumps[row->dump];
        bool is_same_file = i > 0 && row->dump == row[-1].dump;
        eti_cell *cells = eti_table_add_row(table);
        if (!cells || !set_name(c, table, row->allocator, &cells[NAME]) ||
            !set_text(table, eti_etdump_read_run(dump, row->run).name, &cells[BLOCK]) ||
            (!is_same_file && !eti_table_own_text(table, eti_text_of(dump->file_name), &file))) {
            eti_table_free(table);
            return eti_fail_memory(err);
        }
        cells[RUN] = eti_count_cell(row->run);
        cells[COUNT] = eti_count_cell(row->in_run.n);
        cells[BYTES] = eti_count_cell(row->in_run.bytes);
        cells[LARGEST] = eti_count_cell(row->in_run.largest);
        cells[DUMP] = eti_text_cell(file);
    }
    return eti_report_add(report, "runs", "Runs", table, err);
}

static eti_status show(const collector *c, eti_report *report, const eti_view_options *options,
                       eti_error *err) {
    ETI_TRY(eti_view_check_text(c->inspector, c->n_bytes, err));
    ETI_TRY(add_allocators(c, report, options, err));
    if (c->n_rows == 0)
        return eti_report_note(report, err,
                               "no allocation was recorded: the runtime records them only where "
                               "it is built to track its allocators");
    ETI_TRY(eti_report_note(report, err,
                            "peak: all that a run allocated, for dumps do not record what is "
                            "given back"));
    return add_runs(c, report, options, err);
}

eti_status eti_view_allocations(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    collector c = {.inspector = inspector};
    eti_status status =
        read_dumps(&c, options) ? show(&c, report, options, err) : eti_fail_memory(err);
    free_collector(&c);
    return status;
}
