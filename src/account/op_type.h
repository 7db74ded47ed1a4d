/*
 * op_type.h - finds the operator that an Event is.
 *
 * An event whose nodes all have the same operator is that operator; without an ETRecord, or where it does not know the
 * event, it is what the event is called. This is the only rule; code that adds up operators, here or of baselines, uses it.
 */
#ifndef ETI_ACCOUNT_OP_TYPE_H
#define ETI_ACCOUNT_OP_TYPE_H

#include "account/account.h"

typedef enum eti_op_type_kind {
    ETI_OP_TYPE_FRAMEWORK,  /* time of the runtime */
    ETI_OP_TYPE_NOT_LOGGED, /* time of a delegate call outside what the delegate logged */
    ETI_OP_TYPE_SEVERAL,    /* nodes of different operators */
    ETI_OP_TYPE_NAMED,
} eti_op_type_kind;

typedef struct eti_op_type {
    eti_op_type_kind kind;
    eti_text name; /* of the operator, borrowed from the inspector; or of the group */
} eti_op_type;

/* Returns the operator of an event of the account's block. The name of an event is without the number of its call. */
eti_op_type eti__op_type_of(const eti_account *account, size_t event);

/* Returns the name of the group of a kind that is not ETI_OP_TYPE_NAMED; see grouping.h. */
eti_text eti__op_type_group(eti_op_type_kind kind);

#endif
