#include "places/shared_handles.h"

#include "places/handle_nodes.h"

#include <stdlib.h>

/* A debug handle in the list of an instruction. */
typedef struct listed_handle {
    int64_t handle;
    size_t instruction;
} listed_handle;

static int compare_listed(const void *a, const void *b) {
    const listed_handle *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

static eti_debug_handles handles_of(const eti_etrecord *record, size_t method, size_t instruction) {
    const eti_delegate_call *call;
    return eti__etrecord_instruction_handles(record, method, instruction, &call);
}

bool eti__shared_handles_list(eti_shared_handles *shared, const eti_etrecord *record,
                              size_t method) {
    size_t n = 0, n_instructions;
    if (shared->handles)
        return true;
    n_instructions = eti__etrecord_method_instruction_count(record, method);
    for (size_t i = 0; i < n_instructions; i++)
        n += handles_of(record, method, i).n;
    listed_handle *listed = malloc((n + 1) * sizeof *listed);
    shared->handles = malloc((n + 1) * sizeof *shared->handles);
    if (!listed || !shared->handles) {
        free(listed);
        return false;
    }
    n = 0;
    for (size_t i = 0; i < n_instructions; i++) {
        const eti_debug_handles handles = handles_of(record, method, i);
        for (size_t k = 0; k < handles.n; k++)
            listed[n++] = (listed_handle){handles.handles[k], i};
    }
    qsort(listed, n, sizeof *listed, compare_listed);
    for (size_t i = 1; i < n; i++) {
        bool is_shared = listed[i].handle == listed[i - 1].handle &&
                         listed[i].instruction != listed[i - 1].instruction;
        if (is_shared)
            shared->handles[shared->n++] = listed[i].handle;
    }
    free(listed);
    return true;
}

bool eti__shared_handles_have(const eti_shared_handles *shared, int64_t handle) {
    return shared->n > 0 &&
           bsearch(&handle, shared->handles, shared->n, sizeof handle, eti__compare_handles);
}

void eti__shared_handles_free(eti_shared_handles *shared) {
    free(shared->handles);
    *shared = (eti_shared_handles){0};
}
