/*
 * methods.h - finds the method that ran in each EventBlock: an ETDump does not name it, but its
 * events name instructions of that method only.
 *
 * With a program an event fits an instruction when it logs what the instruction calls: native_call_addmm.out is a kernel
 * aten::addmm.out, DELEGATE_CALL and what delegates log are calls of a delegate. With an ETRecord only, the instructions are
 * those of its debug_handle_map, those of its delegate_map call a delegate, and the names of kernels are compared with the
 * operators that the handles stand for. If several methods fit, the one with the fewest
 * instructions without an event is taken; if that does not decide, none is chosen.
 */
#ifndef ETI_MODEL_METHODS_H
#define ETI_MODEL_METHODS_H

#include "model/inspector.h"

/* Lists the methods of program and record, and sets the method of every block and what is known of its events by it. To be
 * called when the events have their records. ETI_ERROR_USAGE: no method has the name in the options; ETI_ERROR_MEMORY,
 * ETI_ERROR_LIMIT, and any status of reading a graph. */
eti_status eti__methods_find(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Sets the method of each block that several methods fit, if methods[b], bits of
 * inspector->methods, has one bit only. Callers use properties other than instructions to
 * distinguish the methods. ETI_ERROR_MEMORY, and any status of reading a graph. */
eti_status eti__methods_choose(eti_inspector *inspector, const uint64_t *methods,
                               eti_error *err) ETI_WARN_UNUSED;

/* Whether blocks may be of different methods. */
bool eti__has_several_methods(const eti_inspector *inspector);

/* Whether some block ran the method. */
bool eti__method_ran(const eti_inspector *inspector, const eti_method *method);

/* Returns the graph of a method of the ETRecord; NULL: no block needed it. */
const eti_graph *eti__methods_graph(const eti_inspector *inspector, size_t number);

/* Returns the method that ran in a block; NULL: unknown. */
const eti_method *eti__method_of(const eti_inspector *inspector, const eti_event_block *block);

#endif
