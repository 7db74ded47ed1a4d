/*
 * node_metadata.h - turns the texts in a node's metadata into a debug handle and a module stack, as
 * executorch's deserializer reads them.
 */
#ifndef ETI_READ_RECORD_NODE_METADATA_H
#define ETI_READ_RECORD_NODE_METADATA_H

#include "base/text_table.h"
#include "read/record/node.h"

/* "7"; what Python's int() takes besides (white space around, a sign, "1_000") is taken too, but
 * for digits that are not ASCII. Absent and empty text mean no handle. ETI_ERROR_MALFORMED:
 * anything else, and what needs more than 64 bits. */
eti_status eti__debug_handle_parse(eti_text text, bool *has_handle, int64_t *handle,
                                   eti_error *err) ETI_WARN_UNUSED;

/* "key,path,type;key,path,type", outermost module first. Commas within () and [] do not split;
 * white space around the parts is dropped, as by str.strip(); of equal keys the last counts, in the
 * place of the first. The modules are views of `text` in an array in `arena`. The entries are taken off
 * `*left`, which the caller starts with ETI_MOST_MODULES for all stacks of a graph.
 * ETI_ERROR_MALFORMED quotes the entry; ETI_ERROR_LIMIT: nothing is left. */
eti_status eti__module_stack_parse(eti_text text, size_t *left, eti_arena *arena,
                                   const eti_module **modules, size_t *n_modules,
                                   eti_error *err) ETI_WARN_UNUSED;

#define ETI_MOST_MODULES ((size_t)1 << 20)

#endif
