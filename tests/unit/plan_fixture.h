/*
 * plan_fixture.h - builds methods of a few instructions, and finds the lives of their tensors.
 *
 * Tensors are of bytes unless a test says otherwise. Values are numbered in the order in which they are added.
 */
#ifndef ETI_TESTS_PLAN_FIXTURE_H
#define ETI_TESTS_PLAN_FIXTURE_H

#include "support.h"

#include "base/arena.h"
#include "base/text.h"
#include "program/program.h"
#include "pte/pte.h"

#define MOST_VALUES 400
#define MOST_INSTRUCTIONS 200
#define MOST_ITEMS 2000

typedef struct plan_fixture {
    eti_pte_plan plan;
    eti_pte_chain chain;
    eti_pte_value values[MOST_VALUES];
    eti_pte_tensor tensors[MOST_VALUES];
    int32_t sizes[MOST_VALUES];
    eti_pte_instruction instructions[MOST_INSTRUCTIONS];
    eti_pte_operator operators[4];
    eti_pte_delegate delegates[1];
    int32_t items[MOST_ITEMS];
    uint32_t n_items;
    int32_t inputs[8], outputs[8];
    uint64_t arena_sizes[4];
    uint32_t n_outputs[MOST_INSTRUCTIONS]; /* of delegates */
    bool has_n_outputs;
    eti_arena arena;
    eti_liveness liveness;
    eti_planned_arenas arenas;
} plan_fixture;

enum { ADD, COPY_INDEX, VIEW };

static inline void start_plan(plan_fixture *f) {
    memset(f, 0, sizeof *f);
    f->operators[ADD] = (eti_pte_operator){eti__text_of("aten::add"), eti__text_of("out")};
    f->operators[COPY_INDEX] =
        (eti_pte_operator){eti__text_of("executorch_prim::et_copy_index"), eti__text_of("tensor")};
    f->operators[VIEW] =
        (eti_pte_operator){eti__text_of("executorch_prim::et_view"), eti__text_of("")};
    f->delegates[0].id = eti__text_of("XnnpackBackend");
    f->arena_sizes[1] = f->arena_sizes[2] = 1000;
    f->plan = (eti_pte_plan){.name = eti__text_of("forward"),
                             .values = f->values,
                             .inputs = {f->inputs, 0},
                             .outputs = {f->outputs, 0},
                             .chains = &f->chain,
                             .n_chains = 1,
                             .operators = f->operators,
                             .n_operators = COUNT_OF(f->operators),
                             .delegates = f->delegates,
                             .n_delegates = 1,
                             .arena_sizes = f->arena_sizes,
                             .n_arenas = 3};
    f->chain.instructions = f->instructions;
    memset(f->n_outputs, 0xff, sizeof f->n_outputs);
}

/* Adds a tensor of bytes with a place in arena `memory_id`; 0: without one. */
static inline int32_t add_tensor_in(plan_fixture *f, uint32_t memory_id, uint64_t offset,
                                    int32_t bytes) {
    uint32_t v = f->plan.n_values++;
    assert_true(v < MOST_VALUES);
    f->sizes[v] = bytes;
    f->tensors[v] = (eti_pte_tensor){.sizes = &f->sizes[v],
                                     .n_dims = 1,
                                     .is_planned = memory_id > 0,
                                     .memory_id = memory_id,
                                     .memory_offset = offset,
                                     .n_bytes = (uint64_t)bytes};
    f->values[v] = (eti_pte_value){.kind = ETI_PTE_TENSOR, .of.as_tensor = &f->tensors[v]};
    return (int32_t)v;
}

static inline int32_t add_tensor(plan_fixture *f, uint64_t offset, int32_t bytes) {
    return add_tensor_in(f, 1, offset, bytes);
}

static inline int32_t add_number(plan_fixture *f, int64_t number) {
    uint32_t v = f->plan.n_values++;
    f->values[v] = (eti_pte_value){.kind = ETI_PTE_INT, .of.as_int = number};
    return (int32_t)v;
}

static inline eti_pte_indices add_items(plan_fixture *f, const int32_t *items, size_t n) {
    eti_pte_indices all = {f->items + f->n_items, (uint32_t)n};
    assert_true(f->n_items + n <= MOST_ITEMS);
    if (n > 0)
        memcpy(f->items + f->n_items, items, n * sizeof *items);
    f->n_items += (uint32_t)n;
    return all;
}

static inline int32_t add_list_of(plan_fixture *f, const int32_t *items, size_t n) {
    uint32_t v = f->plan.n_values++;
    f->values[v] =
        (eti_pte_value){.kind = ETI_PTE_OPTIONAL_TENSOR_LIST, .of.as_list = add_items(f, items, n)};
    return (int32_t)v;
}

static inline eti_pte_instruction *add_plan_instruction(plan_fixture *f, uint8_t kind,
                                                        int32_t index) {
    eti_pte_instruction *instruction = &f->instructions[f->chain.n_instructions++];
    assert_true(f->chain.n_instructions <= MOST_INSTRUCTIONS);
    instruction->kind = kind;
    instruction->index = index;
    return instruction;
}

static inline void add_plan_call(plan_fixture *f, uint8_t kind, int32_t index, const int32_t *args,
                                 size_t n) {
    add_plan_instruction(f, kind, index)->args = add_items(f, args, n);
}

#define ITEMS(...) (int32_t[]){__VA_ARGS__}, COUNT_OF(((int32_t[]){__VA_ARGS__}))
#define add_list(f, ...) add_list_of((f), ITEMS(__VA_ARGS__))
#define add_kernel(f, op, ...) add_plan_call((f), ETI_PTE_KERNEL_CALL, (op), ITEMS(__VA_ARGS__))
#define add_plan_delegate(f, ...) add_plan_call((f), ETI_PTE_DELEGATE_CALL, 0, ITEMS(__VA_ARGS__))

static inline void add_move(plan_fixture *f, int32_t from, int32_t to) {
    add_plan_instruction(f, ETI_PTE_MOVE_CALL, from)->target = to;
}

static inline void add_jump(plan_fixture *f, int32_t condition, int32_t target) {
    add_plan_instruction(f, ETI_PTE_JUMP_FALSE_CALL, condition)->target = target;
}

static inline void add_input(plan_fixture *f, int32_t value) {
    f->inputs[f->plan.inputs.n++] = value;
}

static inline void add_output(plan_fixture *f, int32_t value) {
    f->outputs[f->plan.outputs.n++] = value;
}

static inline void find_lives(plan_fixture *f) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__liveness_make(&f->liveness, &f->arena, &f->plan,
                                 f->has_n_outputs ? f->n_outputs : NULL, &err));
    assert_ok(eti__arenas_make(&f->arenas, &f->arena, &f->liveness, &err));
}

static inline void end_plan(plan_fixture *f) {
    eti__arena_free(&f->arena);
}

static inline const eti_planned *life_of(const plan_fixture *f, int32_t value) {
    for (uint32_t i = 0; i < f->liveness.n_tensors; i++) {
        if (f->liveness.tensors[i].value == (uint32_t)value)
            return &f->liveness.tensors[i];
    }
    fail_msg("value %d is not planned", (int)value);
    return NULL;
}

/* Checks that a tensor's life is as described: "alias of 2 [0, 4]", "activation [1, 3]". */
#define assert_life(f, value, expected) assert_life_at((f), (value), (expected), __FILE__, __LINE__)

static inline void assert_life_at(const plan_fixture *f, int32_t value, const char *expected,
                                  const char *file, int line) {
    const eti_planned *life = life_of(f, value);
    char found[100], of[30] = "";
    if (life->alias_of != ETI_NO_PLANNED)
        snprintf(of, sizeof of, " of %u", f->liveness.tensors[life->alias_of].value);
    if (life->role == ETI_PLANNED_UNUSED)
        snprintf(found, sizeof found, "%s", eti__planned_role_name(life->role));
    else
        snprintf(found, sizeof found, "%s%s [%u, %u]", eti__planned_role_name(life->role), of,
                 life->first, life->last);
    if (strcmp(found, expected) == 0)
        return;
    print_error("%s:%d: value %d: expected \"%s\", found \"%s\"\n", file, line, (int)value,
                expected, found);
    _fail(file, line);
}

/* Returns numbers that look random, the same in each run. */
static inline uint32_t draw(uint64_t *seed, uint32_t n) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

#endif
