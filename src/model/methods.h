/*
 * methods.h - finds the method that ran in each EventBlock: an ETDump does not name it, but its events refer only to
 * instructions of that method.
 *
 * With a program, an event fits an instruction if it logs the call that the instruction makes: native_call_addmm.out is a
 * kernel aten::addmm.out; DELEGATE_CALL and events logged by delegates are calls of a delegate. With only an ETRecord, the
 * instructions are those of its debug_handle_map, those in its delegate_map call a delegate, and the names of kernels are
 * compared with the operators of the handles. If several methods fit, the one with the fewest instructions without an event
 * is chosen; if that does not decide, none is chosen.
 */
#ifndef ETI_MODEL_METHODS_H
#define ETI_MODEL_METHODS_H

#include "base/text.h"
#include "etrecord/etrecord.h"
#include "model/inspector.h"

/* Lists the methods of program and record, finds the method of every block, and sets the attributes of its events
 * accordingly, those of the Inspector too if inspector->shows_found_methods. Must be called after the events have their
 * records. ETI_ERROR_USAGE: no method has the name given in the
 * options; ETI_ERROR_MEMORY, ETI_ERROR_LIMIT, or any status of reading a graph. */
eti_status eti__methods_find(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Sets the method of each block for which several methods fit and methods[b], a set of bits for inspector->methods, has
 * exactly one bit. Callers distinguish the methods by properties other than instructions. ETI_ERROR_MEMORY, or any status
 * of reading a graph. */
eti_status eti__methods_choose(eti_inspector *inspector, const uint64_t *methods,
                               eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the method of each block is looked for; otherwise all blocks have that of the Inspector. */
bool eti__finds_methods(const eti_inspector *inspector);

/* Returns whether blocks may belong to different methods. */
bool eti__has_several_methods(const eti_inspector *inspector);

/* Returns whether any block ran the method. */
bool eti__method_ran(const eti_inspector *inspector, const eti_method *method);

/* Returns the graph of a method of the ETRecord; NULL if no block needed it. */
const eti_graph *eti__methods_graph(const eti_inspector *inspector, size_t number);

/* Appends the names of methods, a set of bits for inspector->methods, separated by commas. */
void eti__methods_add_names(eti_buffer *out, const eti_inspector *inspector, uint64_t methods);

/* Returns the method that ran in a block; NULL if unknown. */
const eti_method *eti__method_of(const eti_inspector *inspector, const eti_event_block *block);

#endif
