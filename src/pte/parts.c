#include "pte/parts.h"

#include <inttypes.h>
#include <stdio.h>

const eti_table_schema *const eti__program_schema = &program_schema;

static const char *path_of(const eti_pte_place *place, const char *field, char out[160]) {
    char plan[40] = "", list[64] = "";
    if (place->plan != ETI_PTE_NO_PLAN)
        snprintf(plan, sizeof plan, "execution_plan[%" PRIu32 "].", place->plan);
    if (place->is_instruction)
        snprintf(list, sizeof list, "chains[%" PRIu32 "].instructions[%" PRIu32 "].", place->chain,
                 place->number);
    else if (place->list && place->number == ETI_PTE_NO_NUMBER)
        snprintf(list, sizeof list, "%s.", place->list);
    else if (place->list)
        snprintf(list, sizeof list, "%s[%" PRIu32 "].", place->list, place->number);
    snprintf(out, 160, "%s%s%s", plan, list, field);
    return out;
}

eti_status eti__pte_fail(const eti_pte_reader *in, eti_position at, const char *field,
                         const char *wrong) {
    char path[160];
    return eti_fail(in->err, ETI_ERROR_MALFORMED, "byte %zu: %s: %s", in->buffer.file_offset + at,
                    path_of(&in->place, field, path), wrong);
}

eti_status eti__pte_fail_index(const eti_pte_reader *in, eti_position at, const char *field,
                               const char *what, int64_t index, uint64_t n) {
    char wrong[96];
    snprintf(wrong, sizeof wrong, "there is no %s %" PRId64 "; there are %" PRIu64, what, index, n);
    return eti__pte_fail(in, at, field, wrong);
}

eti_status eti__pte_read_indices(const eti_pte_reader *in, eti_vector vector, bool are_64_bits,
                                 bool may_be_absent, uint32_t n_values, const char *field,
                                 eti_pte_indices *out) {
    int32_t *items = eti__arena_alloc(in->arena, vector.count, sizeof *items);
    if (!items)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        int64_t item = are_64_bits ? eti__flatbuf_vector_i64(&in->buffer, vector, i)
                                   : eti__flatbuf_vector_i32(&in->buffer, vector, i);
        if (item < 0 && may_be_absent)
            item = -1;
        else if (item < 0 || item >= n_values) {
            char path[96];
            snprintf(path, sizeof path, "%s[%" PRIu32 "]", field, i);
            return eti__pte_fail_index(in, vector.first + i * (are_64_bits ? 8 : 4), path, "value",
                                       item, n_values);
        }
        items[i] = (int32_t)item;
    }
    *out = (eti_pte_indices){items, vector.count};
    return ETI_OK;
}
