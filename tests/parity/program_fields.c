/*
 * program_fields - prints everything that the reader of programs knows about a .pte, .bpte or .ptd as one JSON document, in
 * the layout of programs.py.
 *
 *     program_fields FILE
 *
 * Bytes are printed as their number and their CRC-32.
 */
#include <inttypes.h>
#include <stdio.h>

#include "program/program.h"

#include "../program_bytes.h"

static void print_text(eti_text text) {
    if (!text.data) {
        printf("null");
        return;
    }
    putchar('"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_bytes(eti_text bytes) {
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < bytes.size; i++) {
        crc ^= (unsigned char)bytes.data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    printf("[%zu, %" PRIu32 "]", bytes.size, ~crc);
}

/* Writes the separator between two items of a list. */
static void print_comma(uint32_t i) {
    if (i)
        putchar(',');
}

static void print_indices(eti_pte_indices indices) {
    putchar('[');
    for (uint32_t i = 0; i < indices.n; i++) {
        print_comma(i);
        printf("%" PRId32, indices.items[i]);
    }
    putchar(']');
}

static void print_offsets(const uint64_t *values, uint32_t n) {
    putchar('[');
    for (uint32_t i = 0; i < n; i++) {
        print_comma(i);
        printf("%" PRIu64, values[i]);
    }
    putchar(']');
}

static void print_slots(const eti_pte_slots *slots) {
    printf("[%" PRIu32 ", ", slots->segment);
    print_offsets(slots->offsets, slots->n_offsets);
    putchar(']');
}

/* ---- values ------------------------------------------------------------------------------------ */

static void print_dimensions(const eti_pte_tensor *tensor) {
    printf("\"sizes\": [");
    for (uint32_t i = 0; i < tensor->n_dims; i++) {
        print_comma(i);
        printf("%" PRId32, tensor->sizes[i]);
    }
    printf("], \"dim_order\": ");
    if (!tensor->dim_order) {
        printf("null");
        return;
    }
    putchar('[');
    for (uint32_t i = 0; i < tensor->n_dims; i++) {
        print_comma(i);
        printf("%d", tensor->dim_order[i]);
    }
    putchar(']');
}

static void print_data(eti_text data) {
    if (data.data)
        print_bytes(data);
    else
        printf("null");
}

static void print_tensor(const eti_pte *pte, const eti_pte_tensor *tensor) {
    print_dimensions(tensor);
    printf(", \"scalar_type\": %d, \"layout\": %d, \"dynamism\": %d, \"requires_grad\": %d",
           tensor->scalar_type, tensor->layout, tensor->dynamism, tensor->requires_grad);
    printf(", \"storage_offset\": %" PRId32 ", \"data_buffer_idx\": %" PRIu32 ", \"planned\": ",
           tensor->storage_offset, tensor->data_buffer_idx);
    if (tensor->is_planned)
        printf("[%" PRIu32 ", %" PRIu64 "]", tensor->memory_id, tensor->memory_offset);
    else
        printf("null");
    printf(", \"external\": %d, \"initial\": ", tensor->is_external);
    if (tensor->has_initial_data)
        printf("%" PRIu64, tensor->mutable_data);
    else
        printf("null");
    printf(", \"device\": [%d, %d], \"name\": ", tensor->device_type, tensor->device_index);
    print_text(tensor->name);
    printf(", \"bytes\": ");
    if (tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE)
        printf("null");
    else
        printf("%" PRIu64, tensor->n_bytes);
    printf(", \"constant\": ");
    print_data(constant_bytes(pte, tensor));
    printf(", \"initial_bytes\": ");
    print_data(initial_bytes(pte, tensor));
}

static void print_numbers(eti_pte_numbers numbers, bool are_doubles) {
    putchar('[');
    for (uint32_t i = 0; i < numbers.n; i++) {
        double number;
        print_comma(i);
        if (!are_doubles) {
            printf("%d", numbers.bytes[i] != 0);
            continue;
        }
        memcpy(&number, numbers.bytes + 8 * (size_t)i, sizeof number);
        printf("\"%a\"", number);
    }
    putchar(']');
}

static void print_value(const eti_pte *pte, const eti_pte_value *value) {
    static const char *const kinds[] = {
        "",       "Null",    "Int",        "Bool",     "Double",     "Tensor",
        "String", "IntList", "DoubleList", "BoolList", "TensorList", "OptionalTensorList"};

    printf("{\"kind\": \"%s\"",
           value->kind < sizeof kinds / sizeof *kinds ? kinds[value->kind] : "?");
    if (value->kind > ETI_PTE_NULL)
        printf(value->kind == ETI_PTE_TENSOR ? ", " : ", \"value\": ");
    switch (value->kind) {
    case ETI_PTE_INT:
        printf("%" PRId64, value->of.as_int);
        break;
    case ETI_PTE_BOOL:
        printf("%d", value->of.as_bool);
        break;
    case ETI_PTE_DOUBLE:
        printf("\"%a\"", value->of.as_double);
        break;
    case ETI_PTE_TENSOR:
        print_tensor(pte, value->of.as_tensor);
        break;
    case ETI_PTE_STRING:
        print_text(value->of.as_string);
        break;
    case ETI_PTE_INT_LIST:
    case ETI_PTE_TENSOR_LIST:
    case ETI_PTE_OPTIONAL_TENSOR_LIST:
        print_indices(value->of.as_list);
        break;
    case ETI_PTE_DOUBLE_LIST:
    case ETI_PTE_BOOL_LIST:
        print_numbers(value->of.as_numbers, value->kind == ETI_PTE_DOUBLE_LIST);
        break;
    default:
        break;
    }
    putchar('}');
}

/* ---- methods ----------------------------------------------------------------------------------- */

static void print_instruction(const eti_pte_instruction *instruction) {
    static const char *const kinds[] = {"",         "KernelCall",    "DelegateCall",
                                        "MoveCall", "JumpFalseCall", "FreeCall"};

    printf("[\"%s\", %" PRId32, kinds[instruction->kind], instruction->index);
    switch (instruction->kind) {
    case ETI_PTE_KERNEL_CALL:
    case ETI_PTE_DELEGATE_CALL:
        printf(", ");
        print_indices(instruction->args);
        break;
    case ETI_PTE_MOVE_CALL:
    case ETI_PTE_JUMP_FALSE_CALL:
        printf(", %" PRId32, instruction->target);
        break;
    default:
        break;
    }
    putchar(']');
}

static void print_chains(const eti_pte_plan *plan) {
    printf("\"chains\": [");
    for (uint32_t i = 0; i < plan->n_chains; i++) {
        print_comma(i);
        putchar('[');
        for (uint32_t j = 0; j < plan->chains[i].n_instructions; j++) {
            print_comma(j);
            print_instruction(&plan->chains[i].instructions[j]);
        }
        putchar(']');
    }
    putchar(']');
}

static void print_delegates(const eti_pte_plan *plan) {
    printf("\"delegates\": [");
    for (uint32_t i = 0; i < plan->n_delegates; i++) {
        const eti_pte_delegate *delegate = &plan->delegates[i];

        print_comma(i);
        printf("{\"id\": ");
        print_text(delegate->id);
        printf(", \"processed\": [%d, %" PRIu32 "], \"payload\": ", delegate->is_segment,
               delegate->index);
        print_bytes(delegate->payload);
        printf(", \"specs\": [");
        for (uint32_t j = 0; j < delegate->n_specs; j++) {
            print_comma(j);
            putchar('[');
            print_text(delegate->specs[j].key);
            printf(", ");
            print_bytes(delegate->specs[j].value);
            putchar(']');
        }
        printf("]}");
    }
    putchar(']');
}

static void print_plan(const eti_pte *pte, const eti_pte_plan *plan) {
    printf("{\"name\": ");
    print_text(plan->name);
    printf(", \"inputs\": ");
    print_indices(plan->inputs);
    printf(", \"outputs\": ");
    print_indices(plan->outputs);
    printf(", \"nesting\": [");
    print_text(plan->encoded_inputs);
    printf(", ");
    print_text(plan->encoded_outputs);
    printf("], \"devices\": [");
    for (uint32_t i = 0; i < plan->n_devices; i++) {
        print_comma(i);
        printf("[%" PRId32 ", %d, %d]", plan->devices[i].arena, plan->devices[i].type,
               plan->devices[i].index);
    }
    printf("], \"arena_sizes\": ");
    print_offsets(plan->arena_sizes, plan->n_arenas);
    printf(", \"operators\": [");
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        print_comma(i);
        putchar('[');
        print_text(plan->operators[i].name);
        printf(", ");
        print_text(plan->operators[i].overload);
        putchar(']');
    }
    printf("], ");
    print_delegates(plan);
    printf(", ");
    print_chains(plan);
    printf(", \"values\": [");
    for (uint32_t i = 0; i < plan->n_values; i++) {
        print_comma(i);
        print_value(pte, &plan->values[i]);
    }
    printf("]}");
}

/* ---- lives ------------------------------------------------------------------------------------ */

static void print_number(uint32_t number, uint32_t absent) {
    if (number == absent)
        printf("null");
    else
        printf("%" PRIu32, number);
}

static void print_planned(const eti_liveness *liveness, const eti_planned *planned) {
    bool is_used = planned->role != ETI_PLANNED_UNUSED && planned->role != ETI_PLANNED_MOVED;

    printf("[%" PRIu32 ", \"%s\", ", planned->value, eti__planned_role_name(planned->role));
    print_number(is_used ? planned->first : ETI_NO_INSTRUCTION, ETI_NO_INSTRUCTION);
    printf(", ");
    print_number(is_used ? planned->last : ETI_NO_INSTRUCTION, ETI_NO_INSTRUCTION);
    printf(", ");
    bool is_alias = planned->alias_of != ETI_NO_PLANNED;
    print_number(is_alias ? liveness->tensors[planned->alias_of].value : UINT32_MAX, UINT32_MAX);
    putchar(']');
}

static void print_arena(const eti_liveness *liveness, const eti_planned_arena *arena) {
    bool is_first = true;

    printf("[%" PRIu32 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu32 ", [", arena->memory_id,
           arena->size, arena->highest, arena->peak, arena->peak_at);
    for (uint32_t i = 0; i < arena->n_tensors; i++) {
        const eti_planned *planned = &liveness->tensors[arena->tensors[i]];
        if (!eti__planned_is_live(planned, arena->peak_at))
            continue;
        printf(is_first ? "%" PRIu32 : ",%" PRIu32, planned->value);
        is_first = false;
    }
    printf("]]");
}

/* Prints the lives of tensors and the arenas; for outputs of delegates only the program is used. */
static eti_status print_lives(eti_arena *arena, const eti_pte_plan *plan, eti_error *err) {
    eti_liveness liveness;
    eti_planned_arenas arenas;

    eti_status status = eti__liveness_make(&liveness, arena, plan, NULL, err);
    if (status == ETI_OK)
        status = eti__arenas_make(&arenas, arena, &liveness, err);
    if (status != ETI_OK)
        return status;
    printf("{\"tensors\": [");
    for (uint32_t i = 0; i < liveness.n_tensors; i++) {
        print_comma(i);
        print_planned(&liveness, &liveness.tensors[i]);
    }
    printf("], \"arenas\": [");
    for (uint32_t i = 0; i < arenas.n_arenas; i++) {
        print_comma(i);
        print_arena(&liveness, &arenas.arenas[i]);
    }
    printf("]}");
    return ETI_OK;
}

/* ---- the file ---------------------------------------------------------------------------------- */

static void print_container(const eti_pte *pte) {
    printf("\"version\": %" PRIu32 ", \"identifier\": \"%s\", \"header_length\": %" PRIu32,
           pte->version, pte->identifier, pte->header_length);
    printf(", \"program_size\": %" PRIu64 ", \"segment_base\": %" PRIu64
           ", \"segment_data_size\": %" PRIu64,
           pte->program_size, pte->segment_base, pte->segment_data_size);
    printf(", \"bundled\": %d, \"segments\": [", pte->is_bundled);
    for (uint32_t i = 0; i < pte->n_segments; i++) {
        print_comma(i);
        printf("[%" PRIu64 ", ", pte->segments[i].offset);
        print_bytes(eti__pte_segment_bytes(pte, i));
        putchar(']');
    }
    printf("], \"inline_constants\": [");
    for (uint32_t i = 0; i < pte->n_inline_constants; i++) {
        print_comma(i);
        print_bytes(pte->inline_constants[i]);
    }
    printf("], \"inline_delegates\": [");
    for (uint32_t i = 0; i < pte->n_inline_delegates; i++) {
        print_comma(i);
        print_bytes(pte->inline_delegates[i]);
    }
    printf("], \"constants\": ");
    if (pte->has_constant_segment)
        print_slots(&pte->constants);
    else
        printf("null");
}

static eti_status print_program(const eti_pte *pte, eti_arena *arena, eti_error *err) {
    putchar('{');
    print_container(pte);
    printf(", \"mutable_data\": [");
    for (uint32_t i = 0; i < pte->n_mutable_data; i++) {
        print_comma(i);
        print_slots(&pte->mutable_data[i]);
    }
    printf("], \"named_data\": [");
    for (uint32_t i = 0; i < pte->n_named_data; i++) {
        print_comma(i);
        putchar('[');
        print_text(pte->named_data[i].key);
        printf(", %" PRIu32 "]", pte->named_data[i].segment);
    }
    printf("], \"plans\": [");
    for (uint32_t i = 0; i < pte->n_plans; i++) {
        print_comma(i);
        print_plan(pte, &pte->plans[i]);
    }
    printf("], \"lives\": [");
    for (uint32_t i = 0; i < pte->n_plans; i++) {
        print_comma(i);
        eti_status status = print_lives(arena, &pte->plans[i], err);
        if (status != ETI_OK)
            return status;
    }
    printf("]}\n");
    return ETI_OK;
}

static void print_data_file(const eti_ptd *ptd) {
    printf("{\"version\": %" PRIu32 ", \"header_length\": %" PRIu32 ", \"metadata_size\": %" PRIu64,
           ptd->version, ptd->header_length, ptd->metadata_size);
    printf(", \"segment_base\": %" PRIu64 ", \"segment_data_size\": %" PRIu64 ", \"segments\": [",
           ptd->segment_base, ptd->segment_data_size);
    for (uint32_t i = 0; i < ptd->n_segments; i++) {
        print_comma(i);
        printf("[%" PRIu64 ", %" PRIu64 "]", ptd->segments[i].offset, ptd->segments[i].size);
    }
    printf("], \"entries\": [");
    for (uint32_t i = 0; i < ptd->n_entries; i++) {
        const eti_ptd_entry *entry = &ptd->entries[i];

        print_comma(i);
        putchar('[');
        print_text(entry->key);
        printf(", %" PRIu32 ", ", entry->segment);
        if (entry->tensor) {
            printf("{\"scalar_type\": %d, \"bytes\": %" PRIu64 ", ", entry->tensor->scalar_type,
                   entry->tensor->n_bytes);
            print_dimensions(entry->tensor);
            putchar('}');
        } else {
            printf("null");
        }
        printf(", ");
        print_bytes(entry_bytes(ptd, entry));
        putchar(']');
    }
    printf("]}\n");
}

static eti_status print_file(const struct eti_file *file, eti_arena *arena, eti_error *err) {
    bool is_data_file = file->kind == ETI_FILE_DATA;
    eti_pte pte;
    eti_ptd ptd;

    if (!is_data_file)
        ETI_TRY(eti__input_expect(file, ETI_FILE_PROGRAM, err));
    eti_status status = is_data_file ? eti__ptd_open(&ptd, arena, file, err)
                                     : eti__pte_open(&pte, arena, file, err);
    if (status != ETI_OK)
        return status;
    if (!is_data_file)
        return print_program(&pte, arena, err);
    print_data_file(&ptd);
    return ETI_OK;
}

int main(int argc, char **argv) {
    struct eti_file file = {0};
    eti_arena arena = {0};
    eti_error err = {.struct_size = sizeof err};

    if (argc != 2) {
        fprintf(stderr, "usage: program_fields FILE\n");
        return 2;
    }
    eti_source source = {.path = argv[1]};
    eti_status status = eti__input_open_unchanged(&file, &source, &err);
    if (status == ETI_OK)
        status = print_file(&file, &arena, &err);
    if (status != ETI_OK)
        fprintf(stderr, "program_fields: %s\n", err.message);
    eti__arena_free(&arena);
    eti__file_release(&file);
    return status == ETI_OK ? 0 : 3;
}
