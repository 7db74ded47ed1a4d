/*
 * kernel_name.h - finds operators by the names that kernels log: "native_call_addmm.out" belongs to aten::addmm with the
 * overload "out", and to nodes of aten.addmm.default.
 */
#ifndef ETI_BACKENDS_KERNEL_NAME_H
#define ETI_BACKENDS_KERNEL_NAME_H

#include "etinspect.h"

/* Returns the operator with its overload, such as "addmm.out", from the name of a kernel's event; absent for other
 * events. */
eti_text eti__kernel_overload(eti_text event_name);

/* Longest name of an operator with its namespace and overload, in bytes. A longer name is no operator's: a file may repeat
 * it a million times. */
#define ETI_LONGEST_OPERATOR 256

/* Returns an operator without its namespace and overload, in any notation: "add" for native_call_add.out, aten::add.out
 * and aten.add.Tensor. Absent for names in other notations, such as OPERATOR_CALL, and for longer ones. */
eti_text eti__operator_name(eti_text name);

/* Returns the operator, such as "addmm", from the name of a kernel's event; absent for other events. */
eti_text eti__kernel_operator(eti_text event_name);

/* Returns whether a kernel such as "addmm" is that of an op type such as "aten.addmm.default". */
bool eti__is_kernel_of(eti_text op_type, eti_text kernel);

/* Returns whether a kernel such as "addmm.out" is the operator "aten::addmm" with the overload "out". */
bool eti__is_overload_of(eti_text name, eti_text overload, eti_text kernel);

#endif
