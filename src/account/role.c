#include "account/role.h"

#include "base/text.h"

static bool begins_with(eti_text text, const char *c_string) {
    eti_text start = eti_text_of(c_string);
    return text.size >= start.size && eti_text_equal((eti_text){text.data, start.size}, start);
}

eti_role eti_role_by_name(const eti_event *event) {
    if (!event->is_timed)
        return ETI_ROLE_UNTIMED;
    if (event->is_timed_as_delegated)
        return ETI_ROLE_DELEGATED;
    if (eti_text_is(event->name, "Method::execute"))
        return ETI_ROLE_EXECUTE;
    if (eti_text_is(event->name, "OPERATOR_CALL"))
        return ETI_ROLE_OPERATOR_CALL;
    if (eti_text_is(event->name, "DELEGATE_CALL"))
        return ETI_ROLE_DELEGATE_CALL;
    if (begins_with(event->name, "native_call_"))
        return ETI_ROLE_KERNEL;
    if (begins_with(event->name, "Method::") || begins_with(event->name, "Program::"))
        return ETI_ROLE_LOAD;
    return ETI_ROLE_INSTRUCTION;
}
