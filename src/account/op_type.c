#include "account/op_type.h"

#include "account/grouping.h"
#include "account/lowered_graph.h"

static const char *const group_names[] = {
    [ETI_OP_TYPE_FRAMEWORK] = ETI_GROUP_FRAMEWORK,
    [ETI_OP_TYPE_NOT_LOGGED] = ETI_GROUP_NOT_LOGGED,
    [ETI_OP_TYPE_SEVERAL] = ETI_GROUP_SEVERAL_OPS,
};

eti_text eti__op_type_group(eti_op_type_kind kind) {
    return eti__text_of(group_names[kind]);
}

static eti_op_type_kind kind_of(const eti_account *account, size_t event,
                                const eti_graph_node *node) {
    eti_role role = eti__account_role(account, event);
    if (eti__role_is_framework(role))
        return ETI_OP_TYPE_FRAMEWORK;
    if (role == ETI_ROLE_NOT_LOGGED)
        return ETI_OP_TYPE_NOT_LOGGED;
    bool has_nodes = account->block->events[event].record->n_op_nodes > 0;
    return has_nodes && !node ? ETI_OP_TYPE_SEVERAL : ETI_OP_TYPE_NAMED;
}

eti_op_type eti__op_type_of(const eti_account *account, size_t i) {
    const eti_event *event = &account->block->events[i];
    const eti_graph_node *node = eti__node_of_event(event, true);
    eti_op_type op = {.kind = kind_of(account, i, node)};
    if (op.kind != ETI_OP_TYPE_NAMED)
        op.name = eti__op_type_group(op.kind);
    else
        op.name = node ? node->op_type : eti__fold_op_name(event->name);
    return op;
}
