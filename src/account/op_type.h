/*
 * op_type.h - finds the operator that an Event is.
 *
 * An event whose nodes (event_nodes.h) all have the same operator is that operator; without an ETRecord, or where it does
 * not know the event, it is what the event is called. This is the only rule; code that adds up operators, here or of
 * baselines, uses it.
 */
#ifndef ETI_ACCOUNT_OP_TYPE_H
#define ETI_ACCOUNT_OP_TYPE_H

#include "account/account.h"
#include "base/shared_texts.h"

typedef enum eti_op_type_kind {
    ETI_OP_TYPE_FRAMEWORK,  /* time of the runtime */
    ETI_OP_TYPE_NOT_LOGGED, /* time of a delegate call outside what the delegate logged */
    ETI_OP_TYPE_SEVERAL,    /* nodes of different operators */
    ETI_OP_TYPE_NAMED,      /* last: see eti__op_type_number() */
} eti_op_type_kind;

typedef struct eti_op_type {
    eti_op_type_kind kind;
    eti_text name; /* of the operator, borrowed from the inspector; or of the group */
} eti_op_type;

/* Returns the name of an op unknown to the ETRecord without the number of its call: " #2" or "_2" at the end. */
eti_text eti__fold_op_name(eti_text name);

/* Returns the operator of an event of the account's block. The name of an event is without the number of its call, or
 * ETI_GROUP_NO_NAME where it is empty. */
eti_op_type eti__op_type_of(const eti_account *account, size_t event);

/* Returns the kernel that ran an event whose operator is `op`: what it is called, without the number of its call. The
 * framework's time has none. */
eti_text eti__kernel_name(const eti_account *account, size_t event, const eti_op_type *op);

/* Returns the name of the group of a kind that is not ETI_OP_TYPE_NAMED; see group_names.h. */
eti_text eti__op_type_group(eti_op_type_kind kind);

/* Numbers operators: a kind that is not ETI_OP_TYPE_NAMED has the number of the kind, and operators have those from
 * ETI_OP_TYPE_NAMED on, by their places in `names`. False: out of memory. */
bool eti__op_type_number(eti_shared_texts *names, const eti_op_type *op, uint32_t *out);

/* Returns the name of the operator, or of the group (group_names.h), with this number. */
eti_text eti__op_type_name(const eti_shared_texts *names, uint32_t number);

#endif
