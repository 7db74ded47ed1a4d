#include "etrecord/program_reader.h"

#include <string.h>

eti_program_keys eti__program_read_members(eti_program_reader *in,
                                           const eti_program_member *members, size_t n) {
    eti_program_keys found = 0;
    eti_text key;
    if (!eti__json_enter_object(in->json))
        return found;
    while (eti__json_next_key(in->json, &key)) {
        size_t i = 0;
        while (i < n && !eti__text_equal(key, members[i].key))
            i++;
        found |= 1u << i;
        if (i == n)
            eti__json_skip(in->json);
        else if (!eti__json_take_null(in->json))
            members[i].read(in);
    }
    return found;
}

void eti__program_read_some_member(eti_program_reader *in, const eti_program_member *members,
                                   size_t n) {
    if (eti__program_read_members(in, members, n) == 0)
        eti__json_fail(in->json, ETI_ERROR_MALFORMED,
                       "expected a key in the object that ends here, found none");
}

bool eti__program_count_item(eti_program_reader *in) {
    if (in->n_items++ < ETI_MOST_ITEMS)
        return true;
    eti__json_fail(in->json, ETI_ERROR_LIMIT,
                   "more than %zu nodes, inputs, outputs and distinct texts in them",
                   ETI_MOST_ITEMS);
    return false;
}

bool eti__program_copy_name(eti_program_reader *in, eti_text name, eti_text *out) {
    char *copy = eti__arena_alloc(in->arena, name.size + 1, 1);
    if (!copy) {
        eti__json_fail_memory(in->json);
        return false;
    }
    if (name.size > 0)
        memcpy(copy, name.data, name.size);
    copy[name.size] = '_';
    *out = (eti_text){copy, name.size};
    return true;
}
