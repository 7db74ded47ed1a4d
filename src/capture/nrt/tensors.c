/*
 * tensors.c - tensors and sets of tensors, in the memory of the process.
 */
#include "capture/nrt/nrt.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* of the bytes of tensors: a cache line */

typedef struct set_entry {
    struct set_entry *next;
    nrt_tensor_t *tensor;
    char name[];
} set_entry;

struct nrt_set {
    nrt_set *next, *before;
    set_entry *entries;
};

/* Returns NRT_SUCCESS if the runtime is open and `pointer` is not NULL. */
static NRT_STATUS check(const void *pointer) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    return etc__nrt_leave(pointer ? NRT_SUCCESS : NRT_INVALID);
}

/* Returns NRT_SUCCESS if these bytes are inside a tensor. */
static NRT_STATUS check_bytes(const nrt_tensor_t *tensor, uint64_t offset, uint64_t size) {
    NRT_STATUS status = check(tensor);
    if (status)
        return status;
    bool is_inside = offset <= tensor->size && size <= tensor->size - offset;
    return is_inside && (tensor->bytes || !size) ? NRT_SUCCESS : NRT_INVALID;
}

/* ---- making and freeing ---------------------------------------------------------------------- */

static void release(nrt_storage *storage) {
    if (storage && --storage->n_users == 0)
        free(storage);
}

/* Returns memory for `size` bytes, which are 0, and one user. They begin at *bytes. */
static nrt_storage *make_storage(size_t size, uint8_t **bytes) {
    if (size > SIZE_MAX - sizeof(nrt_storage) - ALIGNMENT)
        return NULL;
    nrt_storage *storage = calloc(1, sizeof *storage + ALIGNMENT + size);
    if (!storage)
        return NULL;
    storage->n_users = 1;
    uintptr_t begin = (uintptr_t)(storage + 1);
    *bytes = (uint8_t *)(storage + 1) + (-begin & (ALIGNMENT - 1));
    return storage;
}

/* Makes a tensor without memory. Called with the mutex locked. */
static NRT_STATUS make_tensor(nrt_tensor_t **out, const char *name, uint32_t core) {
    nrt_tensor_t *tensor = calloc(1, sizeof *tensor);
    if (!tensor)
        return NRT_RESOURCE;
    if (name && name[0] && etc__nrt_set_text(&tensor->name, name)) {
        free(tensor);
        return NRT_RESOURCE;
    }
    tensor->core = core;
    tensor->next = etc__nrt.tensors;
    if (tensor->next)
        tensor->next->before = tensor;
    etc__nrt.tensors = tensor;
    *out = tensor;
    return NRT_SUCCESS;
}

/* Called with the mutex locked. */
static void free_tensor(nrt_tensor_t *tensor) {
    if (tensor->next)
        tensor->next->before = tensor->before;
    if (tensor->before)
        tensor->before->next = tensor->next;
    else
        etc__nrt.tensors = tensor->next;
    release(tensor->storage);
    free(tensor->name);
    free(tensor);
}

NRT_STATUS nrt_tensor_allocate(nrt_tensor_placement_t tensor_placement, int vnc, size_t size,
                               const char *name, nrt_tensor_t **tensor) {
    uint64_t start = etc_nrt_now();
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    uint32_t core = vnc == -1 ? 0 : (uint32_t)vnc;
    if ((unsigned)tensor_placement > NRT_TENSOR_PLACEMENT_VIRTUAL ||
        core >= etc__nrt.engine.n_cores || !tensor)
        return etc__nrt_leave(NRT_INVALID);
    uint8_t *bytes = NULL;
    nrt_storage *storage = make_storage(size, &bytes);
    status = storage ? make_tensor(tensor, name, core) : NRT_RESOURCE;
    if (status) {
        free(storage);
        return etc__nrt_leave(status);
    }
    (*tensor)->storage = storage;
    (*tensor)->bytes = bytes;
    (*tensor)->size = size;
    etc__nrt_leave(NRT_SUCCESS);
    etc__nrt_note_call(core, NRT_EVENT_nrt_tensor_allocate, start);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_tensor_allocate_empty(const char *name, nrt_tensor_t **tensor) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    return etc__nrt_leave(tensor ? make_tensor(tensor, name, 0) : NRT_INVALID);
}

NRT_STATUS nrt_tensor_allocate_slice(const nrt_tensor_t *tensor_source, size_t offset, size_t size,
                                     const char *name, nrt_tensor_t **tensor_slice) {
    NRT_STATUS status = check_bytes(tensor_source, offset, size);
    if (status || !tensor_slice)
        return status ? status : NRT_INVALID;
    status = etc__nrt_enter();
    if (!status)
        status = etc__nrt_leave(make_tensor(tensor_slice, name, tensor_source->core));
    if (status)
        return status;
    nrt_tensor_t *slice = *tensor_slice;
    slice->size = size;
    slice->bytes = tensor_source->bytes ? tensor_source->bytes + offset : NULL;
    slice->storage = tensor_source->storage;
    if (slice->storage)
        slice->storage->n_users++;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_tensor_attach_buffer(nrt_tensor_t *tensor, void *buffer, size_t size) {
    NRT_STATUS status = check(tensor && buffer ? tensor : NULL);
    if (status)
        return status;
    release(tensor->storage);
    tensor->storage = NULL;
    tensor->bytes = buffer;
    tensor->size = size;
    return NRT_SUCCESS;
}

void nrt_tensor_free(nrt_tensor_t **tensor) {
    uint64_t start = etc_nrt_now();
    if (!tensor || !*tensor)
        return;
    nrt_tensor_t *freed = *tensor;
    *tensor = NULL;
    if (etc__nrt_enter()) /* nrt_close() freed it */
        return;
    uint32_t core = freed->core;
    free_tensor(freed);
    etc__nrt_leave(NRT_SUCCESS);
    etc__nrt_note_call(core, NRT_EVENT_nrt_tensor_free, start);
}

/* ---- contents -------------------------------------------------------------------------------- */

NRT_STATUS nrt_tensor_read(const nrt_tensor_t *tensor, void *buf, size_t offset, size_t size) {
    uint64_t start = etc_nrt_now();
    NRT_STATUS status = check_bytes(tensor, offset, size);
    if (status || !buf)
        return status ? status : NRT_INVALID;
    if (size)
        memcpy(buf, tensor->bytes + offset, size);
    etc__nrt_note_call(tensor->core, NRT_EVENT_nrt_tensor_read, start);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_tensor_write(nrt_tensor_t *tensor, const void *buf, size_t offset, size_t size) {
    uint64_t start = etc_nrt_now();
    NRT_STATUS status = check_bytes(tensor, offset, size);
    if (status || !buf)
        return status ? status : NRT_INVALID;
    if (size)
        memcpy(tensor->bytes + offset, buf, size);
    etc__nrt_note_call(tensor->core, NRT_EVENT_nrt_tensor_write, start);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_tensor_copy(const nrt_tensor_t *src, size_t src_offset, nrt_tensor_t *dst,
                           size_t dst_offset, size_t size) {
    NRT_STATUS status = check_bytes(src, src_offset, size);
    if (!status)
        status = check_bytes(dst, dst_offset, size);
    if (!status && size)
        memmove(dst->bytes + dst_offset, src->bytes + src_offset, size);
    return status;
}

NRT_STATUS nrt_tensor_memset(nrt_tensor_t *tensor, uint64_t offset, int value, size_t size) {
    NRT_STATUS status = check_bytes(tensor, offset, size);
    if (!status && size)
        memset(tensor->bytes + offset, value, size);
    return status;
}

size_t nrt_tensor_get_size(const nrt_tensor_t *tensor) {
    return check(tensor) ? 0 : tensor->size;
}

void *nrt_tensor_get_va(const nrt_tensor_t *tensor) {
    return check(tensor) ? NULL : tensor->bytes;
}

NRT_STATUS nrt_tensor_read_batch(const nrt_tensor_batch_t *batches, uint64_t num_batches,
                                 bool unsafe) {
    NRT_STATUS status = check(batches);
    (void)unsafe;
    for (uint64_t i = 0; !status && i < num_batches; i++) {
        for (uint32_t k = 0; !status && k < batches[i].num_ops; k++) {
            const nrt_tensor_batch_op_t *op = &batches[i].ops[k];
            status = nrt_tensor_read(batches[i].tensor, op->buffer, op->offset, op->size);
        }
    }
    return status;
}

NRT_STATUS nrt_tensor_write_batch(const nrt_tensor_batch_t *batches, uint64_t num_batches,
                                  bool unsafe) {
    NRT_STATUS status = check(batches);
    (void)unsafe;
    for (uint64_t i = 0; !status && i < num_batches; i++) {
        for (uint32_t k = 0; !status && k < batches[i].num_ops; k++) {
            const nrt_tensor_batch_op_t *op = &batches[i].ops[k];
            /* The vendor's type says const, but the tensor is written. */
            status = nrt_tensor_write((nrt_tensor_t *)batches[i].tensor, op->buffer, op->offset,
                                      op->size);
        }
    }
    return status;
}

/* ---- sets ------------------------------------------------------------------------------------ */

static set_entry *find_entry(const nrt_set *set, const char *name) {
    set_entry *entry = set->entries;
    while (entry && strcmp(entry->name, name) != 0)
        entry = entry->next;
    return entry;
}

nrt_tensor_t *etc__nrt_find_tensor(const nrt_tensor_set_t *set, const char *name) {
    const set_entry *entry = find_entry(set, name);
    return entry ? entry->tensor : NULL;
}

NRT_STATUS nrt_allocate_tensor_set(nrt_tensor_set_t **result) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!result)
        return etc__nrt_leave(NRT_INVALID);
    nrt_set *set = calloc(1, sizeof *set);
    if (!set)
        return etc__nrt_leave(NRT_RESOURCE);
    set->next = etc__nrt.sets;
    if (set->next)
        set->next->before = set;
    etc__nrt.sets = set;
    *result = set;
    return etc__nrt_leave(NRT_SUCCESS);
}

/* Called with the mutex locked. */
static void free_set(nrt_set *set) {
    if (set->next)
        set->next->before = set->before;
    if (set->before)
        set->before->next = set->next;
    else
        etc__nrt.sets = set->next;
    for (set_entry *entry = set->entries, *next; entry; entry = next) {
        next = entry->next;
        free(entry);
    }
    free(set);
}

void nrt_destroy_tensor_set(nrt_tensor_set_t **tensor_set) {
    if (!tensor_set || !*tensor_set)
        return;
    nrt_set *set = *tensor_set;
    *tensor_set = NULL;
    if (etc__nrt_enter()) /* nrt_close() freed it */
        return;
    free_set(set);
    etc__nrt_leave(NRT_SUCCESS);
}

NRT_STATUS nrt_add_tensor_to_tensor_set(nrt_tensor_set_t *tensor_set, const char *tensor_name,
                                        nrt_tensor_t *tensor) {
    NRT_STATUS status = check(tensor_name && tensor ? tensor_set : NULL);
    if (status)
        return status;
    nrt_set *set = tensor_set;
    set_entry *entry = find_entry(set, tensor_name);
    if (!entry) {
        size_t size = strlen(tensor_name) + 1;
        entry = malloc(sizeof *entry + size);
        if (!entry)
            return NRT_RESOURCE;
        memcpy(entry->name, tensor_name, size);
        entry->next = set->entries;
        set->entries = entry;
    }
    entry->tensor = tensor;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_get_tensor_from_tensor_set(nrt_tensor_set_t *tensor_set, const char *tensor_name,
                                          nrt_tensor_t **tensor) {
    NRT_STATUS status = check(tensor_name && tensor ? tensor_set : NULL);
    if (status)
        return status;
    nrt_tensor_t *found = etc__nrt_find_tensor(tensor_set, tensor_name);
    if (!found)
        return NRT_INVALID;
    *tensor = found;
    return NRT_SUCCESS;
}

void etc__nrt_free_tensors(void) {
    for (nrt_set *set = etc__nrt.sets, *next; set; set = next) {
        next = set->next;
        free_set(set);
    }
    for (nrt_tensor_t *tensor = etc__nrt.tensors, *next; tensor; tensor = next) {
        next = tensor->next;
        free_tensor(tensor);
    }
}
