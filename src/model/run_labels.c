#include "model/parts.h"

#include "base/numbers.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the list -------------------------------------------------------------------------------- */

#define THE_REST UINT64_MAX

/* Neighbouring runs with one label. */
typedef struct label {
    size_t method; /* index in inspector->methods */
    uint64_t n;    /* number of runs, or THE_REST */
} label;

typedef struct label_list {
    const eti_inspector *inspector;
    label *items;
    size_t n, capacity;
    bool repeats; /* begins again after the last label */
    eti_error *err;
} label_list;

/* Fails with a message about the list: "run_methods: ..." or "labels.txt: ...". */
#define FAIL(list, format, ...)                                                                    \
    eti_fail((list)->err, ETI_ERROR_USAGE, "%s%s: " format,                                        \
             (list)->inspector->run_methods_file ? "" : eti__option_prefix(),                      \
             (list)->inspector->run_methods_file ? (list)->inspector->run_methods_file             \
                                                 : "run_methods",                                  \
             __VA_ARGS__)

static eti_status fail_name(const label_list *list, eti_text name) {
    eti_buffer names = {0};
    eti__methods_add_names(&names, list->inspector, UINT64_MAX);
    eti_text all = eti__buffer_text(&names);
    eti_status status = names.failed ? eti_fail_memory(list->err)
                                     : FAIL(list, "there is no method %.*s: there are %.*s",
                                            ETI_TEXT_ARGS(name), ETI_TEXT_ARGS(all));
    eti__buffer_free(&names);
    return status;
}

/* Takes "prefill", "decode*36", "decode*", or "*". */
static eti_status take_label(label_list *list, eti_text item) {
    label taken = {.n = 1};
    const char *star = memchr(item.data, '*', item.size);
    eti_text name = item;
    if (list->repeats || (list->n > 0 && list->items[list->n - 1].n == THE_REST))
        return FAIL(list, "%s all remaining runs, so that '%.*s' after it has none",
                    list->repeats ? "* repeats the list for" : "NAME* labels", ETI_TEXT_ARGS(item));
    if (item.size == 1 && star && list->n > 0) {
        list->repeats = true;
        return ETI_OK;
    }
    if (star) {
        eti_text count = {star + 1, item.size - (size_t)(star + 1 - item.data)};
        name.size = (size_t)(star - item.data);
        if (count.size == 0)
            taken.n = THE_REST;
        else if (!eti__read_u64(count, UINT32_MAX, &taken.n) || taken.n == 0)
            return FAIL(list, "'%.*s' is not NAME, NAME*N with N of at least 1, or NAME*",
                        ETI_TEXT_ARGS(item));
    }
    taken.method = eti__method_number(list->inspector, name);
    if (name.size == 0)
        return FAIL(list, "'%.*s' has no name of a method before it", ETI_TEXT_ARGS(item));
    if (taken.method == ETI_NO_METHOD)
        return fail_name(list, name);
    if (!ETI_GROW(list->items, list->capacity, list->n + 1))
        return eti_fail_memory(list->err);
    list->items[list->n++] = taken;
    return ETI_OK;
}

/* Reads labels that commas or ends of lines separate. Empty lines are skipped. */
static eti_status read_list(label_list *list) {
    eti_text left = eti__text_skip_mark(list->inspector->run_methods);
    bool is_file = list->inspector->run_methods_file != NULL;
    const char *at = left.data, *end = left.data + left.size;
    while (at <= end) {
        const char *stop = at;
        while (stop < end && *stop != ',' && *stop != '\n')
            stop++;
        eti_text item = eti__text_trim((eti_text){at, (size_t)(stop - at)});
        at = stop + 1;
        if (item.size > 0)
            ETI_TRY(take_label(list, item));
        else if (!is_file)
            return FAIL(list, "%s", "a label is empty: expected a list such as prefill,decode*");
    }
    return list->n > 0 ? ETI_OK : FAIL(list, "%s", "has no labels");
}

/* Returns the number of runs that the list can label; THE_REST: any. */
static uint64_t count_labels(const label_list *list) {
    uint64_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (list->repeats || list->items[i].n == THE_REST)
            return THE_REST;
        n += list->items[i].n;
    }
    return n;
}

/* ---- the runs -------------------------------------------------------------------------------- */

/* A run of a block for which several methods fit. */
typedef struct open_run {
    size_t dump, block;
    uint32_t index;
    eti_block_run run;
    size_t method; /* its label */
} open_run;

typedef struct open_runs {
    open_run *items;
    size_t n;
} open_runs;

static bool is_open(uint64_t methods) {
    return (methods & (methods - 1)) != 0;
}

static int compare_recorded(const void *a, const void *b) {
    const open_run *x = a, *y = b;
    if (x->dump != y->dump)
        return x->dump < y->dump ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Lists the runs in the order of recording. False: out of memory. */
static bool list_runs(open_runs *runs, const eti_inspector *inspector, const uint64_t *fits) {
    const eti_blocks *blocks = &inspector->blocks;
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += is_open(fits[b]) ? blocks->blocks[b].n_runs : 0;
    runs->items = calloc(n + 1, sizeof *runs->items);
    for (size_t b = 0; runs->items && b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        for (size_t i = 0; is_open(fits[b]) && i < block->n_runs; i++)
            runs->items[runs->n++] =
                (open_run){.dump = (size_t)(block->runs[i].dump - inspector->dumps),
                           .block = b,
                           .index = block->runs[i].index,
                           .run = block->runs[i]};
    }
    if (runs->items)
        qsort(runs->items, runs->n, sizeof *runs->items, compare_recorded);
    return runs->items != NULL;
}

static eti_status fail_fit(const label_list *list, const open_run *run, uint64_t methods) {
    eti_text name = list->inspector->methods[run->method].name;
    eti_buffer names = {0};
    eti__methods_add_names(&names, list->inspector, methods);
    eti_text all = eti__buffer_text(&names);
    eti_status status = names.failed ? eti_fail_memory(list->err)
                                     : FAIL(list,
                                            "%.*s is the label of run %" PRIu32
                                            " of %s, whose instructions are those of: %.*s",
                                            ETI_TEXT_ARGS(name), run->index,
                                            run->run.dump->file_name, ETI_TEXT_ARGS(all));
    eti__buffer_free(&names);
    return status;
}

/* Labels the n runs of an ETDump. */
static eti_status label_dump(const label_list *list, open_run *runs, size_t n,
                             const uint64_t *fits) {
    uint64_t n_labels = count_labels(list);
    size_t item = 0;
    uint64_t used = 0;
    if (n > n_labels)
        return FAIL(list,
                    "there are labels for %" PRIu64 " run%s, but %s has %zu runs whose method "
                    "is unknown: add labels, or end the list with NAME* or with *",
                    n_labels, n_labels == 1 ? "" : "s", runs[0].run.dump->file_name, n);
    for (size_t i = 0; i < n; i++) {
        if (used == list->items[item].n) {
            item = (item + 1) % list->n;
            used = 0;
        }
        used++;
        runs[i].method = list->items[item].method;
        if (!(fits[runs[i].block] >> runs[i].method & 1))
            return fail_fit(list, &runs[i], fits[runs[i].block]);
    }
    return ETI_OK;
}

static eti_status note_unused(eti_inspector *inspector, const label_list *list, uint64_t n_most,
                              eti_error *err) {
    uint64_t n_labels = count_labels(list);
    eti_buffer text = {0};
    if (n_most == 0)
        eti__buffer_printf(&text, "%srun_methods is not used: the method of every run is known",
                           eti__option_prefix());
    else if (n_labels != THE_REST && n_labels > n_most)
        eti__buffer_printf(&text,
                           "%srun_methods: there are labels for %" PRIu64
                           " runs, but no ETDump has more than %" PRIu64
                           " runs whose method is unknown: the last labels are not used",
                           eti__option_prefix(), n_labels, n_most);
    return eti__notes_add(inspector, ETI_NOTE_HINT, &text, err);
}

static eti_status label_runs(eti_inspector *inspector, const label_list *list, open_runs *runs,
                             const uint64_t *fits, eti_error *err) {
    uint64_t n_most = 0;
    for (size_t first = 0, end; first < runs->n; first = end) {
        for (end = first; end < runs->n && runs->items[end].dump == runs->items[first].dump;)
            end++;
        ETI_TRY(label_dump(list, &runs->items[first], end - first, fits));
        n_most = end - first > n_most ? end - first : n_most;
    }
    return note_unused(inspector, list, n_most, err);
}

/* ---- the parts ------------------------------------------------------------------------------- */

static int compare_blocks(const void *a, const void *b) {
    const open_run *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return compare_recorded(a, b);
}

typedef struct splitting {
    eti_inspector *inspector;
    eti_event_block *blocks; /* after the split */
    eti_labelled_block *origins;
    size_t n_blocks;
} splitting;

static void keep_block(splitting *s, size_t from) {
    s->origins[s->n_blocks] = (eti_labelled_block){from, ETI_NO_METHOD};
    s->blocks[s->n_blocks++] = s->inspector->blocks.blocks[from];
}

/* Adds the part of a block with the label of the first of n runs: those of the runs that have this label, and copies of
 * the block's Events. False: out of memory. */
static bool add_part(splitting *s, const open_run *runs, size_t n) {
    eti_arena *arena = &s->inspector->arena;
    eti_event_block *part = &s->blocks[s->n_blocks];
    s->origins[s->n_blocks++] = (eti_labelled_block){runs->block, runs->method};
    *part = s->inspector->blocks.blocks[runs->block];
    const eti_event *events = part->events;
    size_t n_runs = 0;
    for (size_t i = 0; i < n; i++)
        n_runs += runs[i].method == runs->method;
    part->is_labelled = true;
    part->n_runs = 0;
    part->runs = eti__arena_alloc(arena, n_runs, sizeof *part->runs);
    part->events = eti__arena_alloc(arena, part->n_events, sizeof *part->events);
    if (!part->runs || !part->events)
        return false;
    if (part->n_events > 0)
        memcpy(part->events, events, part->n_events * sizeof *part->events);
    for (size_t i = 0; i < n; i++) {
        if (runs[i].method == runs->method)
            part->runs[part->n_runs++] = runs[i].run;
    }
    return true;
}

/* Adds the parts of a block, in the order of their first runs. */
static bool add_parts(splitting *s, const open_run *runs, size_t n) {
    uint64_t added = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(added >> runs[i].method & 1) && !add_part(s, &runs[i], n - i))
            return false;
        added |= UINT64_C(1) << runs[i].method;
    }
    return true;
}

/* Returns the most blocks that there can be after the split. */
static size_t most_parts(const eti_inspector *inspector, const open_runs *runs) {
    size_t n = inspector->blocks.n_blocks, n_of_block = 0;
    for (size_t i = 0; i < runs->n; i++) {
        bool is_first = i == 0 || runs->items[i].block != runs->items[i - 1].block;
        n_of_block = is_first ? 1 : n_of_block + 1;
        n += n_of_block <= inspector->n_methods;
    }
    return n;
}

static bool split_blocks(eti_inspector *inspector, open_runs *runs, eti_labelled_block **out) {
    eti_blocks *blocks = &inspector->blocks;
    qsort(runs->items, runs->n, sizeof *runs->items, compare_blocks);
    size_t most = most_parts(inspector, runs);
    splitting s = {.inspector = inspector,
                   .blocks = eti__arena_alloc(&inspector->arena, most, sizeof *s.blocks),
                   .origins = calloc(most + 1, sizeof *s.origins)};
    *out = s.origins;
    bool done = s.blocks && s.origins;
    for (size_t b = 0, first = 0, end; b < blocks->n_blocks && done; b++, first = end) {
        for (end = first; end < runs->n && runs->items[end].block == b;)
            end++;
        if (end == first)
            keep_block(&s, b);
        else
            done = add_parts(&s, &runs->items[first], end - first);
    }
    if (!done)
        return false;
    blocks->blocks = s.blocks;
    blocks->n_blocks = s.n_blocks;
    for (size_t b = 0; b < s.n_blocks; b++) {
        s.blocks[b].number = b;
        for (size_t i = 0; i < s.blocks[b].n_events; i++)
            s.blocks[b].events[i].block = &s.blocks[b];
    }
    return true;
}

eti_status eti__run_labels_split(eti_inspector *inspector, const uint64_t *fits,
                                 eti_labelled_block **out, eti_error *err) {
    label_list list = {.inspector = inspector, .err = err};
    open_runs runs = {0};
    *out = NULL;
    eti_status status = read_list(&list);
    if (status == ETI_OK && !list_runs(&runs, inspector, fits))
        status = eti_fail_memory(err);
    if (status == ETI_OK)
        status = label_runs(inspector, &list, &runs, fits, err);
    if (status == ETI_OK && !split_blocks(inspector, &runs, out))
        status = eti_fail_memory(err);
    free(list.items);
    free(runs.items);
    return status;
}
