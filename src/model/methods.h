/*
 * methods.h - finds the method that ran in each EventBlock: an ETDump does not say it, but only the instructions of that
 * method are those that the events name.
 *
 * With a program an event fits an instruction when it logs what the instruction calls: native_call_addmm.out is a kernel
 * aten::addmm.out, DELEGATE_CALL and what delegates log are calls of a delegate. With an ETRecord only, the instructions are
 * those of its debug_handle_map, those of its delegate_map call a delegate, and the names of kernels are compared with the
 * operators that the handles stand for. Of several methods that fit, the one that leaves the fewest of its instructions
 * without an event ran; if that does not settle it, none is chosen.
 */
#ifndef ETI_MODEL_METHODS_H
#define ETI_MODEL_METHODS_H

#include "model/inspector.h"

/* Lists the methods of program and record, and sets the method of every block and what is known of its events by it. To be
 * called when the events have their records. ETI_ERROR_USAGE: no method has the name in the options; ETI_ERROR_MEMORY,
 * ETI_ERROR_LIMIT, and any status of reading a graph. */
eti_status eti__methods_find(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Sets the method of blocks that several fit: that of methods[b], bits of inspector->methods, where it is one. To be called
 * with properties that distinguish them beside their instructions. ETI_ERROR_MEMORY, and any status of reading a graph. */
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
