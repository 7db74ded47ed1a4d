#include "account/role.h"

#include <string.h>

/* `start` must be a string literal. */
#define BEGINS_WITH(text, start)                                                                   \
    ((text).size >= sizeof(start) - 1 && memcmp((text).data, start, sizeof(start) - 1) == 0)

/* Compares the most frequent names of events first. */
eti_role eti__role_by_name(const eti_event *event) {
    eti_text name = event->name;
    if (!event->is_timed)
        return ETI_ROLE_UNTIMED;
    if (event->block->is_loading)
        return ETI_ROLE_LOAD;
    if (event->is_timed_as_delegated)
        return ETI_ROLE_DELEGATED;
    if (BEGINS_WITH(name, "native_call_"))
        return ETI_ROLE_KERNEL;
    if (eti__text_is(name, "OPERATOR_CALL"))
        return ETI_ROLE_OPERATOR_CALL;
    if (eti__text_is(name, "DELEGATE_CALL"))
        return ETI_ROLE_DELEGATE_CALL;
    if (eti__text_is(name, "Method::execute"))
        return ETI_ROLE_EXECUTE;
    if (BEGINS_WITH(name, "Method::") || BEGINS_WITH(name, "Program::"))
        return ETI_ROLE_LOAD;
    return ETI_ROLE_INSTRUCTION;
}

bool eti__is_runtime_instruction(eti_text name) {
    return eti__text_is(name, "JF_CALL") || eti__text_is(name, "MOVE_CALL") ||
           eti__text_is(name, "FREE_CALL");
}
