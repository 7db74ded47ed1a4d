#include "rollup/parts.h"
#include "rollup/rollup.h"

#include <math.h>
#include <stdlib.h>

/* ---- groups ---------------------------------------------------------------------------------- */

static const eti_intern_kind layer_kind = {.item_size = sizeof(eti_layer),
                                           .key_size = 3 * sizeof(uint32_t)};
static const eti_intern_kind line_kind = {.item_size = sizeof(eti_layer_line),
                                          .key_size = 2 * sizeof(uint32_t)};

/* Finds or adds the method of a block. Returns false if memory runs out. */
static bool find_method(eti_layers *layers, const eti_event_block *block, uint32_t *out) {
    eti_text name = eti__block_method(layers->inspector, block);
    eti_text key = block->method_name.size > 0 ? block->method_name : block->name;
    size_t i = 0;
    while (i < layers->n_methods && !eti__text_equal(layers->methods[i].key, key))
        i++;
    if (i == ETI_MOST_METHODS_APART)
        i--;
    *out = (uint32_t)i;
    if (i < layers->n_methods)
        return true;
    if (!ETI_GROW(layers->methods, layers->method_capacity, i + 1))
        return false;
    layers->methods[layers->n_methods++] = (eti_layer_method){
        .key = key, .name = name, .first_run = (double)NAN, .slowest = (double)NAN};
    return true;
}

/* Returns whether the place is a module inside the model. */
static bool is_in_module(const eti_places *places, const eti_place *place) {
    return place->module != ETI_PREFIX_ROOT &&
           eti__places_module(places, place->module)->path.size > 0;
}

static bool identify(eti_layers *layers, const eti_account *account, size_t event,
                     const eti_place *place, eti_layer *out) {
    eti_role role = eti__account_role(account, event);
    out->kind = ETI_LAYER_UNKNOWN;
    if (eti__role_is_framework(role)) {
        out->kind = ETI_LAYER_FRAMEWORK;
    } else if (eti__role_is_around(role)) {
        out->kind = role == ETI_ROLE_TRANSFER ? ETI_LAYER_TRANSFERS : ETI_LAYER_OVERHEAD;
    } else if (layers->are_kernels) {
        out->kind = ETI_LAYER_KERNEL;
        return eti__text_table_add(&layers->texts, eti__event_label(&account->block->events[event]),
                                   NULL, &out->number);
    } else if (is_in_module(&layers->places, place)) {
        out->kind = ETI_LAYER_MODULE;
        out->number = layers->places.modules.nodes[place->module].item;
    } else if (role == ETI_ROLE_DELEGATE_CALL || role == ETI_ROLE_DEVICE) {
        out->kind = ETI_LAYER_CALL;
    } else if (place->module != ETI_PREFIX_ROOT) {
        out->kind = ETI_LAYER_MODEL;
    }
    return true;
}

static eti_text backend_of(const eti_account *account, size_t event) {
    eti_role role = eti__account_role(account, event);
    if (role == ETI_ROLE_KERNEL)
        return eti__text_of("CPU");
    return eti__role_is_framework(role) ? (eti_text){NULL, 0}
                                        : eti__account_backend(account, event);
}

/* Adds an Event's time to its line of the layer, and gives the layer the place of the line that has the most so far. An
 * Event without a stack trace gives its place only if no Event has one. */
static bool add_line(eti_layers *layers, uint32_t layer, const eti_place *place, eti_wide weight) {
    eti_layer *of = &layers->items.items[layer];
    bool has_line = place->has_frames && place->frame != ETI_PREFIX_ROOT;
    eti_layer_line line = {.layer = layer,
                           .line = has_line ? layers->places.frames.nodes[place->frame].item
                                            : ETI_SEVERAL_LINES};
    uint32_t number;
    if (!of->event)
        of->place = *place;
    if (!place->has_frames)
        return true;
    if (!eti__intern_add(&layers->lines.table, &line_kind, &line, &number))
        return false;
    eti__wide_add(&layers->lines.items[number].weight, weight);
    if (!of->place.has_frames ||
        eti__wide_compare(layers->lines.items[number].weight, of->line_weight) > 0) {
        of->place = *place;
        of->line_weight = layers->lines.items[number].weight;
    }
    return true;
}

static bool group_event(eti_layers *layers, const eti_account *account, size_t event,
                        const eti_place *place, uint32_t method, uint32_t *out) {
    eti_layer layer = {.method = method};
    eti_time_sum time = eti__account_sum(account, event);
    if (!identify(layers, account, event, place, &layer) ||
        !eti__intern_add(&layers->items.table, &layer_kind, &layer, out) ||
        !add_line(layers, *out, place, time.weight))
        return false;
    eti_layer *found = &layers->items.items[*out];
    if (!found->event || eti__wide_compare(time.weight, found->weight) > 0) {
        found->event = &account->block->events[event];
        found->weight = time.weight;
        found->backend = backend_of(account, event);
    }
    return true;
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    eti_layers *layers = context;
    eti_place *places = eti__places_of_block(&layers->places, account);
    uint32_t method;
    bool done = places && find_method(layers, account->block, &method) &&
                eti__run_list_add(&layers->list, account);
    for (size_t i = 0; done && i < account->block->n_events; i++) {
        if (account->events[i].is_counted)
            done = group_event(layers, account, i, &places[i], method, &groups[i]);
    }
    if (done) {
        eti_time_sum all = eti__account_sum_all(account);
        all.methods = (uint64_t)1 << method;
        eti__time_sum_add(&layers->methods[method].whole, &all);
        layers->methods[method].n_runs += account->n_runs;
        if (account->block->has_candidates)
            layers->methods[method].may_be |= account->block->methods_that_fit;
        layers->methods[method].has_warm_up |= account->n_warm_up > 0;
    }
    free(places);
    return done;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Sets the median of the runs of a method that count, and of the first runs. `values` has room for all runs. */
static bool summarize_method(eti_layers *layers, uint32_t number, double *values) {
    eti_layer_method *method = &layers->methods[number];
    const eti_run_list *list = &layers->list;
    size_t n = 0;
    for (int first = 0; first < 2; first++) {
        n = 0;
        for (size_t i = 0; i < list->n_runs; i++) {
            const eti_run_times *run = &list->runs[i];
            uint32_t of;
            if (!find_method(layers, list->blocks[run->block].block, &of))
                return false;
            if (of == number && first && !run->is_first)
                method->slowest = fmax(method->slowest, run->elapsed); /* ignores NaN */
            if (of == number && (first ? run->is_first : !run->is_warm_up))
                values[n++] = run->elapsed;
        }
        if (n > 0)
            *(first ? &method->first_run : &method->median) = eti__median(values, n);
    }
    return true;
}

static bool summarize_methods(eti_layers *layers) {
    double *values = malloc((layers->list.n_runs + 1) * sizeof *values);
    bool done = values && eti__run_list_find_first(&layers->list, layers->inspector);
    for (uint32_t i = 0; done && i < layers->n_methods; i++)
        done = summarize_method(layers, i, values);
    free(values);
    return done;
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__layers_make(eti_layers *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    *out = (eti_layers){.inspector = inspector,
                        .are_kernels = !eti__uses_record(inspector),
                        .list = {.factor = 1, .leaves_out_roles = true}};
    if (!eti__places_init(&out->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&out->rollup, inspector, options, group_events, out, err));
    out->order = malloc((out->rollup.n_groups + 1) * sizeof *out->order);
    if (!out->order || !summarize_methods(out))
        return eti_fail_memory(err);
    out->n = eti__rollup_sort(&out->rollup, out->order);
    return ETI_OK;
}

void eti__layers_free(eti_layers *layers) {
    eti__intern_free(&layers->items.table);
    eti__intern_free(&layers->lines.table);
    eti__rollup_free(&layers->rollup);
    eti__places_free(&layers->places);
    eti__text_table_free(&layers->texts);
    eti__run_list_free(&layers->list);
    free(layers->order);
    free(layers->methods);
    *layers = (eti_layers){.n = 0};
}

/* ---- queries --------------------------------------------------------------------------------- */

eti_text eti__layer_name(const eti_layers *layers, const eti_layer *layer) {
    static const char *const names[] = {
        [ETI_LAYER_MODEL] = ETI_GROUP_MODEL,
        [ETI_LAYER_CALL] = ETI_GROUP_DELEGATE_CALL,
        [ETI_LAYER_OVERHEAD] = ETI_GROUP_DELEGATE_OVERHEAD,
        [ETI_LAYER_TRANSFERS] = ETI_GROUP_DELEGATE_TRANSFERS,
        [ETI_LAYER_FRAMEWORK] = ETI_GROUP_FRAMEWORK,
        [ETI_LAYER_UNKNOWN] = ETI_GROUP_UNKNOWN,
    };
    eti_text name = {NULL, 0};
    if (layer->kind == ETI_LAYER_MODULE)
        name = layers->places.module_names.items[layer->number].name;
    else if (layer->kind == ETI_LAYER_KERNEL)
        name = layers->texts.texts[layer->number];
    else
        name = eti__text_of(names[layer->kind]);
    return name.size > 0 ? name : eti__text_of(ETI_GROUP_NO_NAME);
}

/* Ratio of the median run to the typical time from which runs were interrupted. */
#define INTERRUPTED 1.1

bool eti__layers_were_interrupted(const eti_layers *layers, const eti_layer_method *method) {
    return method->n_runs > 1 &&
           method->median > INTERRUPTED * eti__rollup_typical(&layers->rollup, &method->whole);
}

/* Smallest number of runs for a sign test, and the largest p-value that it may have. */
#define LEAST_TESTED 6
#define MOST_P 0.05

static bool is_clear(const uint64_t *a, const uint64_t *b, const bool *counts, size_t n_runs) {
    uint64_t least = UINT64_MAX, most = 0;
    size_t n = 0, n_above = 0, n_below = 0;
    for (size_t i = 0; i < n_runs; i++) {
        if (!counts[i])
            continue;
        n++;
        n_above += a[i] > b[i];
        n_below += a[i] < b[i];
        least = a[i] < least ? a[i] : least;
        most = b[i] > most ? b[i] : most;
    }
    if (n < 2)
        return false;
    return n < LEAST_TESTED ? least > most
                            : n_above > n_below && eti__sign_test(n_above, n_below) <= MOST_P;
}

bool eti__layers_find_clear(const eti_layers *layers, uint32_t a, uint32_t b, bool *out) {
    const eti_rollup *rollup = &layers->rollup;
    size_t n = rollup->runs.n;
    uint64_t *ticks = calloc(2 * n + 1, sizeof *ticks);
    bool *counts = calloc(n + 1, sizeof *counts);
    if (ticks && counts) {
        uint32_t of_both[] = {a, b};
        for (size_t i = 0; i < 2; i++)
            eti__rollup_runs(rollup, of_both[i], ticks + i * n, counts);
        *out = is_clear(ticks, ticks + n, counts, n);
    }
    bool done = ticks && counts;
    free(ticks);
    free(counts);
    return done;
}
