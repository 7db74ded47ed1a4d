#include "program/calls.h"

#include "base/intern.h"
#include "base/sort.h"
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

/* ==== calls =================================================================================== */

eti_status eti__calls_make(eti_calls *out, eti_arena *arena, const eti_pte_plan *plan,
                           eti_error *err) {
    size_t n = 0;
    for (uint32_t c = 0; c < plan->n_chains; c++)
        n += plan->chains[c].n_instructions;
    if (n >= UINT32_MAX)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "method %.*s has %zu instructions; at most %u are supported",
                        ETI_TEXT_ARGS(plan->name), n, UINT32_MAX - 1);
    const eti_pte_instruction **items = eti__arena_alloc(arena, n, sizeof *items);
    uint32_t *first = eti__arena_alloc(arena, plan->n_chains, sizeof *first);
    if (!items || !first)
        return eti_fail_memory(err);
    *out = (eti_calls){plan, items, (uint32_t)n, first};
    for (uint32_t c = 0; c < plan->n_chains; c++) {
        first[c] = (uint32_t)(items - out->items);
        for (uint32_t i = 0; i < plan->chains[c].n_instructions; i++)
            *items++ = &plan->chains[c].instructions[i];
    }
    return ETI_OK;
}

const char *eti__value_kind_name(uint8_t kind) {
    static const char *const names[] = {
        [ETI_PTE_ABSENT] = "unknown",
        [ETI_PTE_NULL] = "none",
        [ETI_PTE_INT] = "int",
        [ETI_PTE_BOOL] = "bool",
        [ETI_PTE_DOUBLE] = "float",
        [ETI_PTE_TENSOR] = "tensor",
        [ETI_PTE_STRING] = "str",
        [ETI_PTE_INT_LIST] = "list of int",
        [ETI_PTE_DOUBLE_LIST] = "list of float",
        [ETI_PTE_BOOL_LIST] = "list of bool",
        [ETI_PTE_TENSOR_LIST] = "list of tensors",
        [ETI_PTE_OPTIONAL_TENSOR_LIST] = "list of tensors or none",
    };
    return names[kind];
}

void eti__operator_add_name(eti_buffer *out, const eti_pte_operator *op) {
    eti__buffer_add_text(out, op->name);
    if (op->overload.size > 0) {
        eti__buffer_add_char(out, '.');
        eti__buffer_add_text(out, op->overload);
    }
}

const char *eti__instruction_kind_name(uint8_t kind) {
    static const char *const names[] = {
        [ETI_PTE_NO_CALL] = "unknown",
        [ETI_PTE_KERNEL_CALL] = "kernel",
        [ETI_PTE_DELEGATE_CALL] = "delegate",
        [ETI_PTE_MOVE_CALL] = "move",
        [ETI_PTE_JUMP_FALSE_CALL] = "jump if false",
        [ETI_PTE_FREE_CALL] = "free",
    };
    return names[kind];
}

void eti__instruction_add_name(eti_buffer *out, const eti_pte_plan *plan,
                               const eti_pte_instruction *instruction) {
    if (instruction->kind == ETI_PTE_KERNEL_CALL)
        eti__operator_add_name(out, &plan->operators[instruction->index]);
    else if (instruction->kind == ETI_PTE_DELEGATE_CALL)
        eti__buffer_add_text(out, plan->delegates[instruction->index].id);
    else
        eti__buffer_add_string(out, eti__instruction_kind_name(instruction->kind));
}

eti_pte_indices eti__value_items(const eti_pte_plan *plan, const int32_t *value) {
    const eti_pte_value *of = &plan->values[*value];
    if (of->kind == ETI_PTE_TENSOR_LIST || of->kind == ETI_PTE_OPTIONAL_TENSOR_LIST)
        return of->of.as_list;
    return (eti_pte_indices){value, 1};
}

const int32_t *eti__kernel_output(const eti_pte_plan *plan,
                                  const eti_pte_instruction *instruction) {
    const eti_pte_indices *args = &instruction->args;
    if (instruction->kind != ETI_PTE_KERNEL_CALL || args->n == 0)
        return NULL;
    bool is_copy =
        eti__text_is(plan->operators[instruction->index].name, "executorch_prim::et_copy_index");
    return &args->items[is_copy ? 0 : args->n - 1];
}

bool eti__is_view_call(const eti_pte_plan *plan, const eti_pte_instruction *instruction) {
    return instruction->kind == ETI_PTE_KERNEL_CALL && instruction->args.n > 1 &&
           eti__text_is(plan->operators[instruction->index].name, "executorch_prim::et_view");
}

/* ==== planned ================================================================================= */

const char *eti__planned_role_name(eti_planned_role role) {
    static const char *const names[] = {
        [ETI_PLANNED_INPUT] = "input",     [ETI_PLANNED_OUTPUT] = "output",
        [ETI_PLANNED_STATE] = "state",     [ETI_PLANNED_ACTIVATION] = "activation",
        [ETI_PLANNED_MOVED] = "moved",     [ETI_PLANNED_ALIAS] = "alias",
        [ETI_PLANNED_SCRATCH] = "scratch", [ETI_PLANNED_UNUSED] = "unused",
    };
    return names[role];
}

uint64_t eti__planned_bytes(const eti_planned *planned) {
    return planned->tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE ? 0 : planned->tensor->n_bytes;
}

uint64_t eti__planned_end(const eti_planned *planned) {
    uint64_t end;
    if (__builtin_add_overflow(planned->tensor->memory_offset, eti__planned_bytes(planned), &end))
        return UINT64_MAX;
    return end;
}

bool eti__planned_uses_memory(const eti_planned *planned) {
    return planned->role != ETI_PLANNED_UNUSED && planned->role != ETI_PLANNED_MOVED &&
           !planned->is_elsewhere && eti__planned_bytes(planned) > 0;
}

bool eti__planned_is_live(const eti_planned *planned, uint32_t instruction) {
    return eti__planned_uses_memory(planned) && planned->first <= instruction &&
           instruction <= planned->last;
}

/* ==== operators =============================================================================== */

/* Data collected from all programs. */
typedef struct collection {
    eti_arena *arena;
    const eti_pte *programs;
    size_t n_programs;
    eti_text_table names;
    eti_needed_operator *items; /* by number of the name */
    eti_operator_call **calls;  /* calls of each item */
    eti_text_table
        keys; /* keys of kernels: the four bytes of the operator's number, then the key */
    eti_buffer scratch;
} collection;

/* ---- names ----------------------------------------------------------------------------------- */

static bool number_operator(collection *c, const eti_pte_operator *op, uint32_t *out) {
    c->scratch.size = 0;
    eti__operator_add_name(&c->scratch, op);
    return !c->scratch.failed &&
           eti__text_table_add(&c->names, eti__buffer_text(&c->scratch), c->arena, out);
}

/* Numbers the operators of a method. NULL: out of memory. */
static uint32_t *number_operators(collection *c, const eti_pte_plan *plan) {
    uint32_t *numbers = eti__arena_alloc(c->arena, plan->n_operators, sizeof *numbers);
    for (uint32_t i = 0; numbers && i < plan->n_operators; i++) {
        if (!number_operator(c, &plan->operators[i], &numbers[i]))
            return NULL;
    }
    return numbers;
}

/* ---- calls ----------------------------------------------------------------------------------- */

#define MOST_DIMENSIONS 16  /* of a tensor that the runtime can load */
#define MOST_KEY_TENSORS 64 /* the runtime's own keys have room for 16 */

/* Returns the tensor that represents an argument in the key of a kernel; for a list, its first one. */
static const eti_pte_tensor *tensor_of(const eti_pte_plan *plan, const int32_t *value) {
    if (*value < 0)
        return NULL;
    eti_pte_indices items = eti__value_items(plan, value);
    for (uint32_t i = 0; i < items.n; i++) {
        if (items.items[i] >= 0)
            return eti__pte_tensor_at(plan, items.items[i]);
    }
    return NULL;
}

static void add_key_part(eti_buffer *key, const eti_pte_tensor *tensor, bool is_first) {
    eti__buffer_add_string(key, is_first ? "/" : "|");
    eti__buffer_add_i64(key, tensor->scalar_type);
    eti__buffer_add_char(key, ';');
    for (uint32_t i = 0; tensor->dim_order && i < tensor->n_dims && i < MOST_DIMENSIONS; i++) {
        eti__buffer_add_string(key, i > 0 ? "," : "");
        eti__buffer_add_u64(key, tensor->dim_order[i]);
    }
}

static bool add_types(collection *c, const eti_pte_plan *plan,
                      const eti_pte_instruction *instruction, uint32_t number) {
    eti_buffer *key = &c->scratch;
    uint32_t n_tensors = 0, ignored;
    key->size = 0;
    eti__buffer_add(key, &number, sizeof number);
    eti__buffer_add_string(key, "v1"); /* the whole key if there are no tensors */
    for (uint32_t i = 0; i < instruction->args.n; i++) {
        const eti_pte_tensor *tensor = tensor_of(plan, &instruction->args.items[i]);
        if (!tensor)
            continue;
        if (tensor->scalar_type >= 0 && tensor->scalar_type < 64)
            c->items[number].dtypes |= (uint64_t)1 << tensor->scalar_type;
        if (n_tensors < MOST_KEY_TENSORS)
            add_key_part(key, tensor, n_tensors == 0);
        n_tensors++;
    }
    bool has_key = n_tensors <= MOST_KEY_TENSORS;
    return !key->failed &&
           (!has_key || eti__text_table_add(&c->keys, eti__buffer_text(key), c->arena, &ignored));
}

/* Handles a call. Calls are counted first and then stored. */
typedef bool visit_call(collection *c, const eti_operator_call *call, const eti_pte_plan *plan,
                        const eti_pte_instruction *instruction, uint32_t number);

static bool count_call(collection *c, const eti_operator_call *call, const eti_pte_plan *plan,
                       const eti_pte_instruction *instruction, uint32_t number) {
    (void)call;
    c->items[number].n_calls++;
    return add_types(c, plan, instruction, number);
}

static bool store_call(collection *c, const eti_operator_call *call, const eti_pte_plan *plan,
                       const eti_pte_instruction *instruction, uint32_t number) {
    eti_needed_operator *item = &c->items[number];
    (void)plan;
    (void)instruction;
    c->calls[number][item->n_calls++] = *call;
    return true;
}

static bool visit_plan(collection *c, eti_operator_call call, const uint32_t *numbers,
                       visit_call *visit) {
    const eti_pte_plan *plan = &c->programs[call.program].plans[call.plan];
    for (uint32_t chain = 0; chain < plan->n_chains; chain++) {
        for (uint32_t i = 0; i < plan->chains[chain].n_instructions; i++, call.instruction++) {
            const eti_pte_instruction *instruction = &plan->chains[chain].instructions[i];
            if (instruction->kind == ETI_PTE_KERNEL_CALL &&
                !visit(c, &call, plan, instruction, numbers[instruction->index]))
                return false;
        }
    }
    return true;
}

/* Visits all calls. `numbers` has the numbers of the operators of each method, one method after the other. */
static bool visit_all(collection *c, uint32_t *const *numbers, visit_call *visit) {
    size_t at = 0;
    for (uint32_t p = 0; p < c->n_programs; p++) {
        for (uint32_t i = 0; i < c->programs[p].n_plans; i++) {
            if (!visit_plan(c, (eti_operator_call){p, i, 0}, numbers[at++], visit))
                return false;
        }
    }
    return true;
}

static bool collect_calls(collection *c, uint32_t *const *numbers) {
    c->items = eti__arena_alloc_zero(c->arena, c->names.count, sizeof *c->items);
    c->calls = eti__arena_alloc(c->arena, c->names.count, sizeof *c->calls);
    if (!c->items || !c->calls || !visit_all(c, numbers, count_call))
        return false;
    for (size_t i = 0; i < c->names.count; i++) {
        eti_needed_operator *item = &c->items[i];
        item->name = c->names.texts[i];
        c->calls[i] = eti__arena_alloc(c->arena, item->n_calls, sizeof *item->calls);
        if (!c->calls[i])
            return false;
        item->calls = c->calls[i];
        item->n_calls = 0;
    }
    return visit_all(c, numbers, store_call);
}

/* ---- sorting --------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b, void *context) {
    (void)context;
    return eti__text_compare(*(const eti_text *)a, *(const eti_text *)b);
}

static int compare_operators(const void *a, const void *b, void *context) {
    (void)context;
    return eti__text_compare(((const eti_needed_operator *)a)->name,
                             ((const eti_needed_operator *)b)->name);
}

/* Stores the sorted keys of each operator. */
static bool share_keys(collection *c) {
    eti_text *sorted = eti__arena_alloc(c->arena, c->keys.count, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < c->keys.count; i++)
        sorted[i] = c->keys.texts[i];
    eti__sort(sorted, c->keys.count, sizeof *sorted, compare_keys, NULL);
    for (size_t i = 0; i < c->keys.count; i++) {
        uint32_t number;
        memcpy(&number, sorted[i].data, sizeof number);
        sorted[i] = eti__text_from(sorted[i], sizeof number);
        if (c->items[number].n_kernel_keys++ == 0)
            c->items[number].kernel_keys = &sorted[i];
    }
    return true;
}

/* ---- all operators --------------------------------------------------------------------------- */

static bool make(collection *c) {
    size_t n_plans = 0, at = 0;
    for (size_t p = 0; p < c->n_programs; p++)
        n_plans += c->programs[p].n_plans;
    uint32_t **numbers = eti__arena_alloc(c->arena, n_plans, sizeof *numbers);
    if (!numbers)
        return false;
    for (size_t p = 0; p < c->n_programs; p++) {
        for (uint32_t i = 0; i < c->programs[p].n_plans; i++) {
            numbers[at] = number_operators(c, &c->programs[p].plans[i]);
            if (!numbers[at++])
                return false;
        }
    }
    return collect_calls(c, numbers) && share_keys(c);
}

eti_status eti__operators_make(eti_needed_operators *out, eti_arena *arena, const eti_pte *programs,
                               size_t n, eti_error *err) {
    collection c = {.arena = arena, .programs = programs, .n_programs = n};
    bool done = make(&c);
    *out = (eti_needed_operators){c.items, (uint32_t)c.names.count};
    if (done)
        eti__sort(out->items, out->n, sizeof *out->items, compare_operators, NULL);
    eti__text_table_free(&c.names);
    eti__text_table_free(&c.keys);
    eti__buffer_free(&c.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

const char *eti__needed_dtype_name(int8_t scalar_type) {
    return eti__scalar_type(scalar_type)->name;
}

/* ---- a build's operators --------------------------------------------------------------------- */

#define MOST_LIST_BYTES ((size_t)16 << 20)

/* State of reading a list line by line. */
typedef struct build_list {
    eti_text_table names; /* point into the file */
    bool is_yaml;
    bool is_below_operators; /* in YAML: the current lines belong to "operators:" */
    size_t indent;           /* of the names there; 0: no name was found yet */
} build_list;

/* Removes the quotes that names may have in YAML. */
static eti_text unquote(eti_text name) {
    bool is_quoted = name.size >= 2 && (*name.data == '"' || *name.data == '\'') &&
                     name.data[name.size - 1] == *name.data;
    return is_quoted ? (eti_text){name.data + 1, name.size - 2} : name;
}

/* Adds a name; a name without a namespace, such as "add.out", is ignored, because no operator has it. */
static bool add_name(build_list *list, eti_text name) {
    uint32_t ignored;
    return !eti__text_contains(name, eti__text_of("::")) ||
           eti__text_table_add(&list->names, name, NULL, &ignored);
}

/* Takes a line of YAML: a key below "operators:" with the same indentation as the first one. */
static bool take_yaml_line(build_list *list, eti_text line, size_t indent) {
    if (indent == 0) {
        list->is_below_operators = eti__text_is(line, "operators:");
        return true;
    }
    size_t n = 0;
    while (n < line.size &&
           !(line.data[n] == ':' && (n + 1 == line.size || eti__is_blank(line.data[n + 1]))))
        n++;
    if (!list->is_below_operators || n == line.size)
        return true;
    if (list->indent == 0)
        list->indent = indent;
    return list->indent != indent || add_name(list, unquote((eti_text){line.data, n}));
}

/* Takes the first word of a line. */
static bool take_plain_line(build_list *list, eti_text line) {
    size_t n = 0;
    while (n < line.size && !eti__is_blank(line.data[n]) && line.data[n] != ',')
        n++;
    return add_name(list, (eti_text){line.data, n});
}

static bool take_line(build_list *list, eti_text whole) {
    eti_text line = eti__text_trim(whole);
    if (line.size == 0 || *line.data == '#')
        return true;
    return list->is_yaml ? take_yaml_line(list, line, (size_t)(line.data - whole.data))
                         : take_plain_line(list, line);
}

/* Returns the line at `*at` without its end, and advances `*at`. */
static eti_text next_line(eti_text text, size_t *at) {
    const char *line = text.data + *at;
    const char *end = memchr(line, '\n', text.size - *at);
    size_t size = end ? (size_t)(end - line) : text.size - *at;
    *at += size + (end != NULL);
    return (eti_text){line, size};
}

static bool read_list(build_list *list, eti_text text) {
    for (size_t at = 0; at < text.size && !list->is_yaml;)
        list->is_yaml = eti__text_is(eti__text_trim(next_line(text, &at)), "operators:");
    for (size_t at = 0; at < text.size;) {
        if (!take_line(list, next_line(text, &at)))
            return false;
    }
    return true;
}

static eti_status mark_missing(eti_needed_operators *operators, const struct eti_file *file,
                               uint32_t *n_missing, eti_error *err) {
    build_list list = {.is_yaml = false};
    const eti_text text = {(const char *)file->data, file->size};
    bool done = read_list(&list, text);
    size_t n_names = list.names.count;
    *n_missing = 0;
    for (uint32_t i = 0; i < operators->n && done; i++) {
        uint32_t ignored;
        eti_needed_operator *item = &operators->items[i];
        item->is_missing =
            item->n_calls > 0 && !eti__text_table_find(&list.names, item->name, &ignored);
        *n_missing += item->is_missing;
    }
    eti__text_table_free(&list.names);
    if (!done)
        return eti_fail_memory(err);
    return n_names > 0 ? ETI_OK
                       : eti_fail(err, ETI_ERROR_MALFORMED,
                                  "%s: contains no operator names: expected one name per line, "
                                  "such as aten::add.out, or the YAML file of a selective build",
                                  file->name);
}

eti_status eti__operators_find_missing(eti_needed_operators *operators, const eti_source *list,
                                       uint32_t *n_missing, eti_error *err) {
    struct eti_file file;
    ETI_TRY(eti__file_open_small(&file, list, MOST_LIST_BYTES, err));
    eti_status status =
        file.size > MOST_LIST_BYTES
            ? eti_fail(err, ETI_ERROR_LIMIT, "%s: more than %zu bytes", file.name, MOST_LIST_BYTES)
            : mark_missing(operators, &file, n_missing, err);
    eti__file_release(&file);
    return status;
}
