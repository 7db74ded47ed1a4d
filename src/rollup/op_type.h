/*
 * op_type.h - finds the operator of an Event.
 *
 * An event whose nodes (places/places.h) all have the same operator has that operator; without an
 * ETRecord, or if the ETRecord does not know the event, the operator is the name of the event. This
 * is the only rule; all code that adds up operators uses it, whether they come from events or from
 * baselines.
 */
#ifndef ETI_ROLLUP_OP_TYPE_H
#define ETI_ROLLUP_OP_TYPE_H

#include "account/account.h"
#include "base/intern.h"

typedef enum eti_op_type_kind {
    ETI_OP_TYPE_FRAMEWORK, /* time of the runtime */
    /* time of a delegate call outside the events that the delegate logged */
    ETI_OP_TYPE_NOT_LOGGED,
    ETI_OP_TYPE_SEVERAL, /* nodes of different operators */
    ETI_OP_TYPE_NAMED,   /* must be last: see eti__op_type_number() */
} eti_op_type_kind;

typedef struct eti_op_type {
    eti_op_type_kind kind;
    eti_text name; /* name of the operator, borrowed from the inspector, or of the group */
} eti_op_type;

/* Returns the name of an operator unknown to the ETRecord without the number of its call, which is " #2" or "_2" at
 * the end. */
eti_text eti__fold_op_name(eti_text name);

/* Returns the operator of an event of the account's block. If it is the name of the event, it has no call number;
 * ETI_GROUP_NO_NAME replaces an empty name. */
eti_op_type eti__op_type_of(const eti_account *account, size_t event);

/* Returns the kernel that ran an event whose operator is `op`: the name of the event without the number of its call.
 * The framework's time has no kernel. */
eti_text eti__kernel_name(const eti_account *account, size_t event, const eti_op_type *op);

/* Returns the name of the group for a kind other than ETI_OP_TYPE_NAMED; see group_names.h. */
eti_text eti__op_type_group(eti_op_type_kind kind);

/* Numbers operators: a kind other than ETI_OP_TYPE_NAMED has the number of the kind; operators are numbered from
 * ETI_OP_TYPE_NAMED by their index in `names`. Returns false if memory runs out. */
bool eti__op_type_number(eti_shared_texts *names, const eti_op_type *op, uint32_t *out);

/* Returns the name of the operator or group (group_names.h) with this number. */
eti_text eti__op_type_name(const eti_shared_texts *names, uint32_t number);

#endif
