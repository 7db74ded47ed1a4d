/*
 * node_metadata.h - parses the texts in a node's metadata into a debug handle and a module stack, as executorch's
 * deserializer does.
 */
#ifndef ETI_ETRECORD_NODE_METADATA_H
#define ETI_ETRECORD_NODE_METADATA_H

#include "base/arena.h"
#include "etrecord/node.h"

/* Parses a handle such as "7". Accepts what Python's int() accepts (surrounding white space, a sign, "1_000"), except for
 * digits that are not ASCII. Absent and empty text mean that there is no handle. ETI_ERROR_MALFORMED: any other text, or
 * a number of more than 64 bits. */
eti_status eti__debug_handle_parse(eti_text text, bool *has_handle, int64_t *handle,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Parses "key,path,type;key,path,type", outermost module first. Commas inside () and [] do not split; white space around
 * the parts is dropped, as by str.strip(). Of equal keys, the last value counts, in the place of the first. The modules
 * are views of `text` in an array in `arena`. The number of entries is subtracted from `*left`, which the caller
 * initialises with ETI_MOST_MODULES for all stacks of a graph. ETI_ERROR_MALFORMED quotes the entry; ETI_ERROR_LIMIT:
 * `*left` is too small. */
eti_status eti__module_stack_parse(eti_text text, size_t *left, eti_arena *arena,
                                   const eti_module **modules, size_t *n_modules,
                                   eti_error *err) ETI_WARN_UNUSED;

#define ETI_MOST_MODULES ((size_t)1 << 20)

#endif
