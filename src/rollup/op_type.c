#include "rollup/op_type.h"

#include "places/places.h"
#include "rollup/group_names.h"

static const char *const group_names[] = {
    [ETI_OP_TYPE_FRAMEWORK] = ETI_GROUP_FRAMEWORK,
    [ETI_OP_TYPE_NOT_LOGGED] = ETI_GROUP_NOT_LOGGED,
    [ETI_OP_TYPE_SEVERAL] = ETI_GROUP_SEVERAL_OPS,
};

eti_text eti__op_type_group(eti_op_type_kind kind) {
    return eti__text_of(group_names[kind]);
}

eti_text eti__fold_op_name(eti_text name) {
    size_t size = name.size;
    while (size > 0 && name.data[size - 1] >= '0' && name.data[size - 1] <= '9')
        size--;
    if (size == name.size || size < 2 || (name.data[size - 1] != '#' && name.data[size - 1] != '_'))
        return name;
    for (size--; size > 1 && name.data[size - 1] == ' ';)
        size--;
    return (eti_text){name.data, size};
}

static eti_op_type_kind kind_of(const eti_account *account, size_t event,
                                const eti_event_nodes *nodes, eti_text op) {
    eti_role role = eti__account_role(account, event);
    if (eti__role_is_framework(role))
        return ETI_OP_TYPE_FRAMEWORK;
    if (role == ETI_ROLE_NOT_LOGGED)
        return ETI_OP_TYPE_NOT_LOGGED;
    return nodes->n > 0 && !op.data ? ETI_OP_TYPE_SEVERAL : ETI_OP_TYPE_NAMED;
}

eti_op_type eti__op_type_of(const eti_account *account, size_t i) {
    const eti_event *event = &account->block->events[i];
    eti_event_nodes nodes = eti__event_nodes(event);
    eti_op_type op = {.name = eti__event_op(event)};
    op.kind = kind_of(account, i, &nodes, op.name);
    if (op.kind != ETI_OP_TYPE_NAMED)
        op.name = eti__op_type_group(op.kind);
    else if (nodes.n == 0)
        op.name = eti__fold_op_name(event->name);
    if (op.name.size == 0)
        op.name = eti__text_of(ETI_GROUP_NO_NAME);
    return op;
}

eti_text eti__kernel_name(const eti_account *account, size_t event, const eti_op_type *op) {
    return op->kind == ETI_OP_TYPE_FRAMEWORK
               ? eti__text_of("")
               : eti__fold_op_name(account->block->events[event].name);
}

bool eti__op_type_number(eti_shared_texts *names, const eti_op_type *op, uint32_t *out) {
    *out = op->kind;
    if (op->kind != ETI_OP_TYPE_NAMED)
        return true;
    bool done = eti__shared_texts_add(names, op->name, out);
    *out += ETI_OP_TYPE_NAMED;
    return done;
}

eti_text eti__op_type_name(const eti_shared_texts *names, uint32_t number) {
    return number < ETI_OP_TYPE_NAMED ? eti__op_type_group((eti_op_type_kind)number)
                                      : names->texts.texts[number - ETI_OP_TYPE_NAMED];
}
