#include "numerics/run_inputs.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

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

static int compare_places(const void *a, const void *b, void *unused) {
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
    eti__sort(runs, n, sizeof *runs, compare_places, NULL);
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
    eti__buffer_add_utf8(text, tensor->block->label);
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
