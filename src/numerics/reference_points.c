#include "numerics/numerics.h"

#include "base/sort.h"
#include "numerics/points.h"

#include <stdlib.h>
#include <string.h>

/* ==== reference points ======================================================================== */

/* Parts of the name of a tensor. */
typedef struct named {
    eti_text stem; /* without the number of the output */
    uint64_t output;
    /* 0 for the first with this stem and output, 2 for the second, and so on */
    uint64_t repetition;
    size_t number; /* index of the tensor in the file */
    size_t first;  /* index of the first tensor with this stem and repetition */
} named;

static size_t find_last(eti_text text, char byte) {
    size_t at = text.size;
    while (at > 0 && text.data[at - 1] != byte)
        at--;
    return at > 0 ? at - 1 : text.size;
}

static named read_name(eti_text name, size_t number) {
    named out = {name, 0, 0, number, number};
    size_t hash = find_last(name, '#'), tilde = find_last(name, '~');
    uint64_t output, repetition = 0;
    bool is_repeated = hash < tilde && tilde < name.size;
    size_t end = is_repeated ? tilde : name.size;
    if (hash == name.size ||
        !eti__read_u64((eti_text){name.data + hash + 1, end - hash - 1}, UINT32_MAX, &output))
        return out;
    if (is_repeated && !eti__read_u64(eti__text_from(name, tilde + 1), UINT32_MAX, &repetition))
        return out;
    out.stem.size = hash;
    out.output = output;
    out.repetition = repetition;
    return out;
}

/* Parses "7:conv2d,relu". */
static void read_handle(eti_reference_points *out, eti_text text, eti_point *point) {
    size_t colon = 0;
    uint64_t number;
    while (colon < text.size && text.data[colon] != ':')
        colon++;
    if (colon == text.size || !eti__read_u64((eti_text){text.data, colon}, INT64_MAX, &number))
        return;
    point->handle = (int64_t)number;
    point->handles = &point->handle;
    point->has_handle = true;
    point->source_node = eti__text_from(text, colon + 1);
    point->name = point->source_node;
    out->has_handles = true;
}

/* Parses "7:conv2d,relu", "Execute.0/handle:7:conv2d", "Execute.0/3:add.out" or "Execute.0/output"; sets `run` to the
 * part before the slash, if the rest identifies the tensor. */
static void read_stem(eti_reference_points *out, eti_text stem, eti_point *point, eti_text *run) {
    size_t colon = 0, slash;
    uint64_t number;
    while (colon < stem.size && stem.data[colon] != ':')
        colon++;
    eti_text front = {stem.data, colon};
    slash = find_last(front, '/');
    point->name = stem;
    if (colon == stem.size) {
        eti_text last = {front.data + slash + 1, slash < front.size ? front.size - slash - 1 : 0};
        if (slash < front.size && eti__text_is(last, "output")) {
            point->name = (eti_text){NULL, 0};
            *run = (eti_text){front.data, slash};
        }
        return;
    }
    eti_text rest = eti__text_from(stem, colon + 1);
    if (slash == front.size) {
        read_handle(out, stem, point);
        return;
    }
    const eti_text before = {front.data, slash};
    front = eti__text_from(front, slash + 1);
    if (eti__text_is(front, ETI_SAVED_HANDLE_MARK)) {
        read_handle(out, rest, point);
        if (point->has_handle)
            *run = before;
    } else if (eti__read_u64(front, INT32_MAX, &number)) {
        point->instruction = (int32_t)number;
        point->name = rest;
        *run = before;
        out->has_instructions = true;
    }
}

/* Compares names with the same stem. */
static int compare_numbers(const named *x, const named *y) {
    if (x->repetition != y->repetition)
        return x->repetition < y->repetition ? -1 : 1;
    if (x->output != y->output)
        return x->output < y->output ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int compare_stems(const void *a, const void *b, void *unused) {
    const named *x = a, *y = b;
    size_t least = x->stem.size < y->stem.size ? x->stem.size : y->stem.size;
    int order = least > 0 ? memcmp(x->stem.data, y->stem.data, least) : 0;
    (void)unused;
    if (order != 0 || x->stem.size != y->stem.size)
        return order != 0 ? order : (x->stem.size > y->stem.size) - (x->stem.size < y->stem.size);
    return compare_numbers(x, y);
}

static int compare_places(const void *a, const void *b, void *unused) {
    const named *x = a, *y = b;
    (void)unused;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return compare_numbers(x, y);
}

static bool are_of_one(const named *a, const named *b) {
    return a->repetition == b->repetition && eti__text_equal(a->stem, b->stem);
}

/* Puts outputs with the same stem and repetition next to each other, at the position of the first of them in the
 * file. */
static void sort_names(named *names, size_t n) {
    eti__sort(names, n, sizeof *names, compare_stems, NULL);
    for (size_t i = 0, end; i < n; i = end) {
        size_t first = names[i].number;
        for (end = i + 1; end < n && are_of_one(&names[i], &names[end]); end++)
            first = names[end].number < first ? names[end].number : first;
        if (i > 0 && eti__text_equal(names[i].stem, names[i - 1].stem) &&
            names[i - 1].first > first)
            first = names[i - 1].first; /* in a folder, ~10 comes before ~2 */
        for (size_t k = i; k < end; k++)
            names[k].first = first;
    }
    eti__sort(names, n, sizeof *names, compare_places, NULL);
}

static void list_tensors(eti_reference_points *out, const named *names) {
    for (size_t i = 0; i < out->tensors.n_tensors; i++) {
        eti_recorded_tensor *tensor = &out->recorded[i];
        tensor->values = out->tensors.tensors[names[i].number];
        out->numbers[i] = names[i].number;
        if (!eti__elements_are_readable(tensor->values.scalar_type))
            tensor->fault = ETI_RECORDED_TYPE;
    }
}

eti_status eti__reference_points_load(void *context, const eti_recorded_tensor *tensor,
                                      eti_arena *arena, eti_tensor_values *out, eti_error *err) {
    eti_reference_points *reference = context;
    return eti__tensor_file_load(out, &reference->tensors,
                                 reference->numbers[tensor - reference->recorded], arena, err);
}

/* Records which outputs a point has, unless they are all outputs from 0 on. If two have the same number, none is
 * known. */
static bool add_ports(eti_reference_points *out, const named *names, eti_point *point) {
    size_t n = point->n;
    if (names[n - 1].output == n - 1)
        return true;
    for (size_t i = 1; i < n; i++) {
        if (names[i].output <= names[i - 1].output)
            return true;
    }
    uint32_t *ports = eti__arena_alloc(&out->arena, n, sizeof *ports);
    for (size_t i = 0; ports && i < n; i++)
        ports[i] = (uint32_t)names[i].output;
    point->ports = ports;
    return ports != NULL;
}

static eti_status add_points(eti_reference_points *out, const named *names, eti_error *err) {
    eti_points *points = &out->points;
    size_t n = out->tensors.n_tensors;
    for (size_t i = 0, end; i < n; i = end) {
        eti_point point = {.tensors = &out->recorded[i], .instruction = -1};
        for (end = i + 1; end < n && are_of_one(&names[i], &names[end]);)
            end++;
        point.n = point.n_outputs = (uint32_t)(end - i);
        eti_text run = {NULL, 0};
        if (!ETI_GROW(points->points, points->capacity, points->n + 1) ||
            !add_ports(out, &names[i], &point))
            return eti_fail_memory(err);
        read_stem(out, names[i].stem, &point, &run);
        uint32_t *of = &out->run_of[points->n];
        if (run.size > 0 && !eti__text_table_add(&out->runs, run, NULL, of))
            return eti_fail_memory(err);
        *of += run.size > 0;
        points->points[points->n++] = point;
    }
    for (size_t i = 0; i < points->n; i++) { /* points do not move from here on */
        eti_point *point = &points->points[i];
        point->handles = point->has_handle ? &point->handle : NULL;
        point->n_handles = point->has_handle;
    }
    return ETI_OK;
}

eti_status eti__reference_points_read(eti_reference_points *out, const eti_source *source,
                                      eti_error *err) {
    *out = (eti_reference_points){.has_handles = false};
    ETI_TRY(eti__tensor_source_open(&out->tensors, &out->arena, &out->file, source, err));
    size_t n = out->tensors.n_tensors;
    named *names = malloc((n + 1) * sizeof *names);
    out->recorded = calloc(n + 1, sizeof *out->recorded);
    out->numbers = calloc(n + 1, sizeof *out->numbers);
    out->run_of = calloc(n + 1, sizeof *out->run_of);
    if (!names || !out->recorded || !out->numbers || !out->run_of) {
        free(names);
        return eti_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        names[i] = read_name(out->tensors.tensors[i].name, i);
    sort_names(names, n);
    list_tensors(out, names);
    eti_status status = add_points(out, names, err);
    free(names);
    return status;
}

eti_status eti__reference_points_choose(eti_points *out, const eti_reference_points *reference,
                                        const bool *is_chosen, eti_error *err) {
    const eti_points *all = &reference->points;
    *out = (eti_points){.points = malloc((all->n + 1) * sizeof *out->points)};
    if (!out->points)
        return eti_fail_memory(err);
    for (size_t i = 0; i < all->n; i++) {
        uint32_t run = reference->run_of[i];
        if (run == 0 || !is_chosen || is_chosen[run - 1])
            out->points[out->n++] = all->points[i];
    }
    return ETI_OK;
}

void eti__reference_points_free(eti_reference_points *reference) {
    eti__points_free(&reference->points);
    eti__tensor_file_close(&reference->tensors);
    eti__arena_free(&reference->arena);
    eti__file_release(&reference->file);
    free(reference->recorded);
    free(reference->numbers);
    free(reference->run_of);
    eti__text_table_free(&reference->runs);
    *reference = (eti_reference_points){.has_handles = false};
}

/* ==== run inputs ============================================================================== */

/* A run that recorded tensors. */
typedef struct listed_run {
    const eti_block_run *of;
    size_t number; /* number in the order in which the tensors are listed */
    size_t first, end;
    size_t input;
} listed_run;

/* A method, and the number of its runs so far. */
typedef struct met_method {
    uint64_t key;
    size_t n;
} met_method;

static const eti_intern_kind method_kind = {sizeof(met_method), sizeof(uint64_t), NULL, NULL};

/* Returns a key that blocks of one method share: the name of the method or, if that is unknown, their events. */
static uint64_t key_of(const eti_event_block *block) {
    uint64_t hash = eti__hash_seed();
    if (block->method_name.size > 0)
        return eti__intern_hash_text(&block->method_name, hash);
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        hash = eti__hash_mix(eti__intern_hash_text(&event->name, hash),
                             (uint64_t)event->instruction_id);
    }
    return hash;
}

static int compare_input_places(const void *a, const void *b, void *unused) {
    const listed_run *x = a, *y = b;
    (void)unused;
    if (x->of->dump != y->of->dump)
        return x->of->dump < y->of->dump ? -1 : 1;
    if (x->of->index != y->of->index)
        return x->of->index < y->of->index ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int compare_inputs(const void *a, const void *b, void *unused) {
    const listed_run *x = a, *y = b;
    (void)unused;
    if (x->input != y->input)
        return x->input < y->input ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static size_t list_runs(const eti_recorded *recorded, listed_run *runs) {
    const eti_recorded_tensor *tensors = recorded->tensors;
    size_t n = 0;
    for (size_t i = 0; i < recorded->n; i++) {
        if (i > 0 && eti__recorded_together(&tensors[i - 1], &tensors[i])) {
            runs[n - 1].end = i + 1;
            continue;
        }
        runs[n] = (listed_run){&tensors[i].block->runs[tensors[i].run], n, i, i + 1, 0};
        n++;
    }
    return n;
}

/* Numbers the inputs of each method. Returns false if memory runs out. */
static bool number_inputs(const eti_recorded *recorded, listed_run *runs, size_t n) {
    ETI_INTERN_OF(met_method) methods = {{0}};
    const eti_event_block *block = NULL;
    met_method item = {0, 0};
    bool done = true;
    eti__sort(runs, n, sizeof *runs, compare_input_places, NULL);
    for (size_t i = 0; done && i < n; i++) {
        uint32_t number;
        if (recorded->tensors[runs[i].first].block != block) {
            block = recorded->tensors[runs[i].first].block;
            item.key = key_of(block);
        }
        done = eti__intern_add(&methods.table, &method_kind, &item, &number);
        if (done)
            runs[i].input = methods.items[number].n++;
    }
    eti__intern_free(&methods.table);
    eti__sort(runs, n, sizeof *runs, compare_inputs, NULL);
    return done;
}

static bool name_run(eti_run_inputs *out, const eti_recorded_tensor *tensor, size_t input,
                     eti_buffer *text) {
    uint32_t number;
    text->size = 0;
    eti__buffer_add_text(text, tensor->block->label);
    eti__buffer_printf(text, ".%zu", tensor->run);
    size_t n_before = out->names.count;
    if (text->failed ||
        !eti__text_table_add(&out->names, eti__buffer_text(text), &out->arena, &number))
        return false;
    if (number == n_before)
        out->input_of[number] = input;
    return true;
}

/* Moves the tensors of the runs to the positions of their inputs. */
static bool move_tensors(eti_run_inputs *out, eti_recorded *recorded, const listed_run *runs,
                         size_t n) {
    eti_recorded_tensor *moved = malloc((recorded->n + 1) * sizeof *moved);
    eti_buffer text = {0};
    bool done = moved != NULL;
    for (size_t i = 0, at = 0; done && i < n; i++) {
        size_t count = runs[i].end - runs[i].first;
        if (runs[i].input == out->n)
            out->inputs[out->n++].first = at;
        memcpy(moved + at, recorded->tensors + runs[i].first, count * sizeof *moved);
        at += count;
        out->inputs[out->n - 1].end = at;
        done = name_run(out, &recorded->tensors[runs[i].first], out->n - 1, &text);
    }
    eti__buffer_free(&text);
    if (done && recorded->n > 0)
        memcpy(recorded->tensors, moved, recorded->n * sizeof *moved);
    free(moved);
    return done;
}

eti_status eti__run_inputs_arrange(eti_run_inputs *out, eti_recorded *recorded, eti_error *err) {
    listed_run *runs = malloc((recorded->n + 1) * sizeof *runs);
    size_t n = runs ? list_runs(recorded, runs) : 0;
    *out = (eti_run_inputs){
        .inputs = calloc(n + 1, sizeof *out->inputs),
        .input_of = calloc(n + 1, sizeof *out->input_of),
    };
    bool done = runs && out->inputs && out->input_of && number_inputs(recorded, runs, n) &&
                move_tensors(out, recorded, runs, n);
    free(runs);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__run_inputs_free(eti_run_inputs *inputs) {
    free(inputs->inputs);
    free(inputs->input_of);
    eti__text_table_free(&inputs->names);
    eti__arena_free(&inputs->arena);
    *inputs = (eti_run_inputs){.n = 0};
}
