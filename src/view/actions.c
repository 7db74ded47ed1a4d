#include "view/actions.h"

#include "backends/backends.h"
#include "base/names.h"
#include "base/numbers.h"
#include "base/sort.h"
#include "places/places.h"
#include "view_events/view_events.h"

#include <math.h>
#include <stdlib.h>

/* An action that saves less than this share of the typical time is not listed. */
#define LEAST_SHARE 0.03
/* Ratio of the first run to the median run from which it is slow. */
#define SLOW_FIRST_RUN 1.5
/* Share of a method's memory from which a tensor is large. */
#define LARGE_TENSOR 0.3
/* Number of actions that are listed, and of layers whose marks lead to one. */
#define MOST_ACTIONS 5
#define FIRST_LAYERS 5

typedef struct finder {
    eti_actions *out;
    const eti_layers *layers;
    const eti_view_options *options;
    eti_buffer text;    /* of the action that is being made */
    eti_buffer between; /* what runs between delegate calls and saves most; empty: nothing */
} finder;

static eti_time_scale scale_of(const finder *f) {
    return f->layers->inspector->options.target_time_scale;
}

static const eti_time_sum *whole_of(const finder *f) {
    return &f->layers->rollup.whole;
}

/* Adds an action whose text is in f->text, which becomes empty. Returns false if memory runs out. */
static bool add_action(finder *f, eti_action action) {
    eti_actions *out = f->out;
    bool done = !f->text.failed && ETI_GROW(out->items, out->capacity, out->n + 1) &&
                eti__arena_copy_text(&out->arena, eti__buffer_text(&f->text), &action.text);
    f->text.size = 0;
    if (done)
        out->items[out->n++] = action;
    return done;
}

/* Returns the time that a change saves at most: lanes that work at the same time save no more than the runs of their method
 * take. */
static double most_saved(const finder *f, eti_text method, const eti_time_sum *time) {
    const eti_layers *layers = f->layers;
    double most = eti__rollup_typical(&layers->rollup, time);
    if (layers->rollup.runs.n_overlapping == 0)
        return most;
    for (size_t i = 0; i < layers->n_methods; i++) {
        const eti_layer_method *of = &layers->methods[i];
        bool is_of = layers->n_methods == 1 || eti__text_equal(of->name, method);
        if (is_of && of->median < most)
            most = of->median;
    }
    return most;
}

/* Adds an action that could save the time of these Events, unless it is little. */
static bool add_saving(finder *f, const char *kind, eti_text method, const eti_time_sum *time) {
    const eti_rollup *rollup = &f->layers->rollup;
    eti_action action = {.kind = kind,
                         .method = method,
                         .bound = most_saved(f, method, time),
                         .share = eti__rollup_share(rollup, time),
                         .is_unsteady = eti__time_sum_is_unsteady(time, whole_of(f)),
                         .weight = eti__wide_as_double(time->weight)};
    if (!(action.share >= LEAST_SHARE)) {
        f->text.size = 0;
        return true;
    }
    eti__buffer_add_string(&f->text, " Saves at most ");
    eti__add_time(&f->text, action.bound, scale_of(f));
    eti__buffer_add_string(&f->text, ", ");
    eti__add_share(&f->text, action.share);
    eti__buffer_add_char(&f->text, '.');
    if (action.is_unsteady)
        eti__buffer_add_string(&f->text, " These times are unsteady (*): measure again first.");
    return add_action(f, action);
}

/* Begins the text with the method if there are several. */
static void begin_text(finder *f, eti_text method) {
    if (f->layers->n_methods < 2 || method.size == 0)
        return;
    eti__buffer_add_text(&f->text, method);
    eti__buffer_add_string(&f->text, ": ");
}

/* Begins the text with the method if there are several, then with a sentence, which has no capital after the method. */
static void begin_sentence(finder *f, eti_text method, const char *sentence) {
    begin_text(f, method);
    char first = sentence[0];
    if (f->text.size > 0)
        first = (char)(first | 0x20);
    eti__buffer_add_char(&f->text, first);
    eti__buffer_add_string(&f->text, sentence + 1);
}

/* ---- delegates ------------------------------------------------------------------------------- */

/* Splits with the same slowest operator and the same number of operators. */
typedef struct alike_splits {
    const eti_split *first;
    size_t n;
    eti_time_sum time;   /* of the operators and of the copies beside them */
    eti_time_sum copies; /* of these copies */
} alike_splits;

static const eti_step *longest_of(const eti_delegation *d, const eti_split *split) {
    return &d->steps.all.items[d->steps.order[split->longest]];
}

static bool are_alike(const eti_delegation *d, const eti_split *a, const eti_split *b) {
    return a->end - a->first == b->end - b->first &&
           longest_of(d, a)->key.name == longest_of(d, b)->key.name;
}

/* Joins splits that are alike. Returns their number; the caller frees `*out`. SIZE_MAX: out of memory. */
static size_t join_splits(const eti_delegation *d, alike_splits **out) {
    size_t n = 0;
    alike_splits *joined = *out = calloc(d->n_splits + 1, sizeof *joined);
    if (!joined)
        return SIZE_MAX;
    for (size_t i = 0; i < d->n_splits; i++) {
        const eti_split *split = &d->splits[i];
        size_t k = 0;
        while (k < n && k < MOST_ACTIONS && !are_alike(d, joined[k].first, split))
            k++;
        if (k == n)
            joined[n++] = (alike_splits){.first = split};
        if (k == MOST_ACTIONS)
            continue; /* splits are ordered by time: this one would not be listed */
        joined[k].n++;
        eti__time_sum_add(&joined[k].time, &split->saving.bound);
        eti__time_sum_add(&joined[k].copies, &split->saving.copies.time);
    }
    return n < MOST_ACTIONS ? n : MOST_ACTIONS;
}

/* Appends the name of the slowest operator of splits, and the number of the others in each. */
static void name_operators(eti_buffer *out, const eti_delegation *d, const eti_split *split) {
    size_t n_others = split->end - split->first - 1;
    eti__buffer_add_text(out, d->steps.names.texts.texts[longest_of(d, split)->key.name]);
    if (n_others > 0)
        eti__buffer_printf(out, " and %zu more", n_others);
}

/* Appends the line of this operator in parentheses, if it is known. */
static void add_line(const finder *f, eti_buffer *out, const eti_delegation *d,
                     const alike_splits *of) {
    const eti_step *step = longest_of(d, of->first);
    if (!eti__place_has_line(&step->place) || f->options->hides_source)
        return;
    const eti_stack_frame *frame = &eti__places_frame(&d->steps.places, step->place.frame)->frame;
    eti__buffer_add_string(out, of->n > 1 ? " (first: " : " (");
    eti__add_source_line(out, eti__file_of_path(frame->file), frame->line);
    eti__buffer_add_char(out, ')');
}

static void describe_splits(finder *f, const eti_delegation *d, const alike_splits *of) {
    size_t n_others = of->first->end - of->first->first - 1;
    name_operators(&f->text, d, of->first);
    eti__buffer_printf(&f->text, " run%s on the CPU between %sdelegate calls",
                       n_others > 0 ? "" : "s", of->n > 1 ? "" : "two ");
    if (of->n > 1)
        eti__buffer_printf(&f->text, " in %zu places", of->n);
    add_line(f, &f->text, d, of);
    eti__buffer_printf(&f->text, ": delegate %s.", n_others > 0 || of->n > 1 ? "them" : "it");
}

static bool has_little(const finder *f, const eti_time_sum *time) {
    return eti__rollup_share(&f->layers->rollup, time) < LEAST_SHARE;
}

/* Adds actions on the splits of a method, and one on the copies that no such action has. */
static bool add_delegation(finder *f, const eti_delegation *d, eti_text method) {
    alike_splits *joined;
    size_t n = join_splits(d, &joined);
    bool done = n != SIZE_MAX;
    eti_time_sum copies = d->other_copies.time;
    const alike_splits *most = joined;
    for (size_t i = 1; done && i < n; i++)
        most = eti__time_sum_compare(&joined[i].time, &most->time) > 0 ? &joined[i] : most;
    if (done && n > 0 && f->between.size == 0) {
        name_operators(&f->between, d, most->first);
        eti__buffer_add_string(&f->between, " between them");
        add_line(f, &f->between, d, most);
    }
    for (size_t i = 0; done && i < n; i++) {
        if (has_little(f, &joined[i].time)) {
            eti__time_sum_add(&copies, &joined[i].copies);
            continue;
        }
        begin_text(f, method);
        describe_splits(f, d, &joined[i]);
        done = add_saving(f, "delegate", method, &joined[i].time);
    }
    free(joined);
    if (!done)
        return false;
    begin_sentence(f, method,
                   "Delegates copy tensors to another layout or type at their "
                   "borders: keep one layout, or delegate what is between them.");
    return add_saving(f, "copies", method, &copies);
}

/* Adds an action on a model without delegates: at most the time of all its operators is saved. */
static bool add_first_delegate(finder *f) {
    const eti_text none = {NULL, 0};
    const eti_layers *layers = f->layers;
    eti_time_sum work = {.methods = 0};
    for (size_t i = 0; i < layers->n; i++) {
        if (layers->items.items[layers->order[i]].kind != ETI_LAYER_FRAMEWORK)
            eti__time_sum_add(&work, &layers->rollup.groups[layers->order[i]].time);
    }
    eti__buffer_add_string(&f->text, "No operator is delegated: lower the model for a backend of "
                                     "your device, such as XNNPACK.");
    return add_saving(f, "delegate", none, &work);
}

static eti_status find_in_delegates(finder *f, eti_error *err) {
    const eti_inspector *inspector = f->layers->inspector;
    eti_summed_methods methods;
    if (eti__wide_as_double(f->layers->rollup.attributed.in_delegates) == 0)
        return add_first_delegate(f) ? ETI_OK : eti_fail_memory(err);
    eti_status status = eti__summed_methods_find(&methods, inspector, f->options, err);
    for (size_t i = 0; status == ETI_OK && i < methods.n; i++) {
        eti_delegation delegation;
        status =
            eti__delegation_make(&delegation, inspector, &methods.items[i].options, false, err);
        if (status == ETI_OK && !add_delegation(f, &delegation, methods.items[i].name))
            status = eti_fail_memory(err);
        eti__delegation_free(&delegation);
    }
    eti__summed_methods_free(&methods);
    return status;
}

/* ---- parts of the time ----------------------------------------------------------------------- */

/* Adds up the layers of a kind. */
static eti_time_sum sum_kind(const finder *f, eti_layer_kind kind) {
    const eti_layers *layers = f->layers;
    eti_time_sum sum = {.methods = 0};
    for (size_t i = 0; i < layers->n; i++) {
        if (layers->items.items[layers->order[i]].kind == (uint32_t)kind)
            eti__time_sum_add(&sum, &layers->rollup.groups[layers->order[i]].time);
    }
    return sum;
}

/* Subtracts the part of the overhead of delegates that may come from rounding the times of their operators. */
static void subtract_rounding(const eti_rounding *rounding, eti_time_sum *time) {
    if (rounding->is_known)
        time->weight = eti__wide_minus(time->weight, rounding->most);
}

/* Returns the largest number of delegate calls that a block makes. */
static size_t count_delegate_calls(const eti_inspector *inspector) {
    size_t most = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        size_t n = 0;
        for (size_t i = 0; i < block->n_events; i++)
            n += eti__text_is(block->events[i].name, "DELEGATE_CALL");
        most = n > most ? n : most;
    }
    return most;
}

static bool find_overhead(finder *f) {
    const eti_text none = {NULL, 0};
    eti_time_sum overhead = sum_kind(f, ETI_LAYER_OVERHEAD);
    eti_time_sum framework = sum_kind(f, ETI_LAYER_FRAMEWORK);
    subtract_rounding(&f->layers->rollup.rounding, &overhead);
    size_t n_calls = count_delegate_calls(f->layers->inspector);
    if (n_calls > 1) {
        eti__buffer_printf(
            &f->text,
            "The %zu delegate calls of a run take time outside of the operators that "
            "they logged: make fewer calls, with more operators each",
            n_calls);
        eti__buffer_add_string(&f->text, f->between.size > 0 ? ", by delegating " : "");
        eti__buffer_add_text(&f->text, eti__buffer_text(&f->between));
        eti__buffer_add_char(&f->text, '.');
    } else {
        eti__buffer_add_string(
            &f->text, "The delegate call takes time outside of the operators that it logged, such "
                      "as waiting: give each call more work, such as a larger batch.");
    }
    f->text.failed |= f->between.failed;
    if (!add_saving(f, "delegate overhead", none, &overhead))
        return false;
    eti__buffer_add_string(&f->text, "The runtime takes time around and between operators: run "
                                     "fewer operators, or delegate them.");
    return add_saving(f, "framework", none, &framework);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Returns a time of a method as a share of its typical time. */
static double share_of(const finder *f, const eti_layer_method *method, double time) {
    double typical = eti__rollup_typical(&f->layers->rollup, &method->whole);
    return typical > 0 ? time / typical : 0;
}

/* Appends a factor such as "1.9" or "3,685". */
static void add_factor(eti_buffer *out, double factor) {
    char digits[32], *end = digits + sizeof digits;
    bool is_large = factor >= 100;
    double scaled = fmin(is_large ? factor : 10 * factor, 1e15) + 0.5;
    const char *at = eti__write_fixed(end, (uint64_t)scaled, is_large ? 0 : 1, true);
    eti__buffer_add(out, at, (size_t)(end - at));
}

static bool find_first_run(finder *f, const eti_layer_method *method) {
    double saved = method->first_run - method->median;
    bool is_slow = method->has_warm_up || method->first_run >= SLOW_FIRST_RUN * method->slowest;
    if (!is_slow || !(method->first_run >= SLOW_FIRST_RUN * method->median) ||
        !(share_of(f, method, saved) >= LEAST_SHARE))
        return true;
    begin_sentence(f, method->name, "The first run takes ");
    eti__add_time(&f->text, method->first_run, scale_of(f));
    eti__buffer_add_string(&f->text, ", ");
    add_factor(&f->text, method->first_run / method->median);
    eti__buffer_add_string(&f->text, " times the median: run once before serving. Saves at most ");
    eti__add_time(&f->text, saved, scale_of(f));
    eti__buffer_add_string(&f->text, ", in the first run only.");
    return add_action(f, (eti_action){.kind = "first run",
                                      .method = method->name,
                                      .bound = saved,
                                      .share = (double)NAN,
                                      .is_once = true,
                                      .weight = saved});
}

/* Returns whether one of the first layers of a method is unsteady. */
static bool has_marks(const finder *f, size_t method) {
    const eti_layers *layers = f->layers;
    for (size_t i = 0; i < layers->n && i < FIRST_LAYERS; i++) {
        const eti_time_sum *time = &layers->rollup.groups[layers->order[i]].time;
        if (layers->items.items[layers->order[i]].method == method &&
            eti__time_sum_is_unsteady(time, whole_of(f)))
            return true;
    }
    return false;
}

static bool find_interruptions(finder *f, size_t number) {
    const eti_layer_method *method = &f->layers->methods[number];
    double typical = eti__rollup_typical(&f->layers->rollup, &method->whole);
    double lost = method->median - typical;
    if ((!eti__layers_were_interrupted(f->layers, method) && !has_marks(f, number)) ||
        !(share_of(f, method, lost) >= LEAST_SHARE))
        return true;
    begin_sentence(f, method->name, "The median run takes ");
    eti__add_time(&f->text, lost, scale_of(f));
    eti__buffer_add_string(&f->text, " more than its parts do: runs were interrupted, or have two "
                                     "speeds. Pin the process to a core, or measure again on an "
                                     "idle machine.");
    return add_action(
        f, (eti_action){.kind = "interruptions",
                        .method = method->name,
                        .bound = lost,
                        .share = (double)NAN,
                        .weight = 2 * lost * f->layers->rollup.factor * (double)method->n_runs});
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Returns the largest tensor in use at the peak of an arena of the method, or NULL. */
static const eti_planned *largest_at_peak(const eti_planned_method *method) {
    const eti_planned *largest = NULL;
    for (uint32_t i = 0; i < method->arenas.n_arenas; i++) {
        const eti_planned_arena *arena = &method->arenas.arenas[i];
        for (uint32_t k = 0; k < arena->n_tensors; k++) {
            const eti_planned *tensor = &method->liveness.tensors[arena->tensors[k]];
            if (eti__planned_is_live(tensor, arena->peak_at) &&
                (!largest || eti__planned_bytes(tensor) > eti__planned_bytes(largest)))
                largest = tensor;
        }
    }
    return largest;
}

static bool add_tensor(finder *f, const eti_planned_method *method) {
    const eti_planned *tensor = largest_at_peak(method);
    uint64_t all = method->arenas.total_size;
    double share = tensor && all > 0 ? (double)eti__planned_bytes(tensor) / (double)all : 0;
    if (!tensor || share < LARGE_TENSOR)
        return true;
    const eti_calls *calls = &method->liveness.calls;
    eti__buffer_add_string(&f->text, "One tensor");
    if (tensor->writer != ETI_NO_INSTRUCTION && tensor->writer < calls->n) {
        eti__buffer_add_string(&f->text, ", written by ");
        const eti_pte_instruction *writer = calls->items[tensor->writer];
        if (writer->kind == ETI_PTE_DELEGATE_CALL)
            eti__buffer_add_text(&f->text,
                                 eti__backend_label(calls->plan->delegates[writer->index].id));
        else
            eti__instruction_add_name(&f->text, calls->plan, writer);
        eti__buffer_printf(&f->text, " (instruction %u),", (unsigned)tensor->writer);
    }
    eti__buffer_add_string(&f->text, " takes ");
    eti__add_share(&f->text, share);
    eti__buffer_add_string(&f->text, " of the memory planned for ");
    eti__buffer_add_text(&f->text, method->plan->name);
    eti__buffer_add_string(
        &f->text, ": a smaller type, or parts of it one after the other, lower the peak. Saves at "
                  "most ");
    eti__add_bytes(&f->text, eti__planned_bytes(tensor));
    eti__buffer_add_char(&f->text, '.');
    return add_action(f, (eti_action){.kind = "memory",
                                      .method = method->plan->name,
                                      .bound = (double)NAN,
                                      .share = share,
                                      .bytes = eti__planned_bytes(tensor),
                                      .weight = share});
}

/* Looks only at methods that ran: a program of another export says nothing about memory. Plans that cannot be read, and
 * methods that are not in the program, have a message of their own in other views. */
static eti_status find_large_tensors(finder *f, eti_error *err) {
    const eti_inspector *inspector = f->layers->inspector;
    eti_planned_methods methods;
    if (inspector->n_programs == 0)
        return ETI_OK;
    eti_status status = eti__planned_methods_make(&methods, &f->out->arena, inspector, err);
    if (status == ETI_ERROR_MEMORY)
        return status;
    for (uint32_t i = 0; status == ETI_OK && i < methods.n; i++) {
        if (eti__blocks_ran(inspector, f->options, methods.methods[i].plan) &&
            !add_tensor(f, &methods.methods[i]))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Orders actions on each run before those on the first run, and these before those on memory. */
static int compare_actions(const void *a, const void *b, void *context) {
    const eti_action *x = a, *y = b;
    (void)context;
    if ((x->bytes > 0) != (y->bytes > 0))
        return x->bytes > 0 ? 1 : -1;
    if (x->is_once != y->is_once)
        return x->is_once ? 1 : -1;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

static eti_status find_all(finder *f, eti_error *err) {
    ETI_TRY(find_in_delegates(f, err));
    bool done = find_overhead(f);
    for (size_t i = 0; done && i < f->layers->n_methods; i++)
        done = find_first_run(f, &f->layers->methods[i]) && find_interruptions(f, i);
    return done ? find_large_tensors(f, err) : eti_fail_memory(err);
}

eti_status eti__actions_find(eti_actions *out, const eti_layers *layers,
                             const eti_view_options *options, eti_error *err) {
    finder f = {.out = out, .layers = layers, .options = options};
    *out = (eti_actions){.inspector = layers->inspector};
    eti_status status = find_all(&f, err);
    eti__buffer_free(&f.text);
    eti__buffer_free(&f.between);
    if (out->n > 1)
        eti__sort(out->items, out->n, sizeof *out->items, compare_actions, NULL);
    if (out->n > MOST_ACTIONS)
        out->n = MOST_ACTIONS;
    return status;
}

void eti__actions_free(eti_actions *actions) {
    free(actions->items);
    eti__arena_free(&actions->arena);
    *actions = (eti_actions){.n = 0};
}

/* ---- section --------------------------------------------------------------------------------- */

ETI_CELL_SETTER(eti_action, action, eti__string_cell(row->kind))
ETI_CELL_SETTER(eti_action, method, eti__text_or_none(row->method))
ETI_CELL_SETTER(eti_action, text, eti__text_cell(row->text))
ETI_CELL_SETTER(eti_action, bound, eti__number_or_none(row->bound))
ETI_CELL_SETTER(eti_action, share, eti__number_or_none(row->share))
ETI_CELL_SETTER_IF(eti_action, bytes, row->bytes > 0, eti__count_cell(row->bytes))
ETI_CELL_SETTER(eti_action, once, eti__bool_cell(row->is_once))
ETI_CELL_SETTER(eti_action, unsteady, eti__bool_cell(row->is_unsteady))

static const eti_column_spec columns[] = {
    {"action", ETI_TEXTS, false, "kind of the change", set_action},
    {"method", ETI_TEXTS, false, "method that it concerns", set_method},
    {"text", ETI_TEXTS, false, "what to do, in words", set_text},
    {"saves_at_most", ETI_TIMES, false, "upper bound of the time that it saves per run", set_bound},
    {"share", ETI_SHARES, false, "the same as a share of the typical time, or of memory",
     set_share},
    {"bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "upper bound of the memory that it saves",
     set_bytes},
    {"once", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, "true if it saves time in the first run only",
     set_once},
    {"unsteady", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false,
     "true if the mean and the typical time of its events differ by more than half", set_unsteady},
};

eti_status eti__actions_add(eti_report *report, const eti_actions *actions,
                            const eti_view_options *options, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, "actions", "What to do", columns,
                                     ETI_N_COLUMNS(columns),
                                     eti__view_unit(actions->inspector, options), err));
    eti__table_mark_findings(table, "text");
    report->sections[report->n_sections - 1].is_in_notes = true;
    ETI_TRY(eti__report_note(report, err, "What to do"));
    if (actions->n == 0)
        return eti__report_note(report, err,
                                "No single change is known to save %.0f %% of the time or more.",
                                100 * LEAST_SHARE);
    for (size_t i = 0; i < actions->n; i++) {
        eti_action row = actions->items[i];
        eti_buffer note = {0};
        if (!eti__table_own_text(table, row.text, &row.text) ||
            (row.method.data && !eti__table_own_text(table, row.method, &row.method)))
            return eti_fail_memory(err);
        ETI_TRY(eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), &row, err));
        eti__buffer_printf(&note, "%zu. ", i + 1);
        eti__buffer_add_text(&note, row.text);
        ETI_TRY(eti__report_take_note(report, &note, err));
    }
    return ETI_OK;
}
