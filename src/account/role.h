/*
 * role.h - classifies events by what their own time is spent on.
 *
 * This is the only classification of events; coarser questions are functions over it. Roles are in the order in which
 * people read where time goes: those of delegates lie side by side, and so do the framework's.
 */
#ifndef ETI_ACCOUNT_ROLE_H
#define ETI_ACCOUNT_ROLE_H

#include "model/event.h"

typedef enum eti_role {
    /* An operator outside of delegates: native_call_*, anything else inside an OPERATOR_CALL, or the OPERATOR_CALL
     * itself where no kernel was logged at all. */
    ETI_ROLE_KERNEL,
    ETI_ROLE_DELEGATED, /* logged by a delegate */
    ETI_ROLE_DELEGATE_CALL, /* of a delegate that logged nothing inside: an operator as far as one knows */
    ETI_ROLE_NOT_LOGGED,    /* a delegate call without the events that the delegate logged */
    ETI_ROLE_OPERATOR_CALL, /* around a kernel */
    ETI_ROLE_INSTRUCTION,   /* all else: JF_CALL, MOVE_CALL, ... */
    ETI_ROLE_EXECUTE,       /* Method::execute itself: between instructions */
    ETI_ROLE_LOAD,          /* Program::*, Method::* but execute */
    ETI_ROLE_UNTIMED,       /* only logged for debugging: has no time */
    ETI_N_ROLES,
} eti_role;

/* Roles that may have time are below this. */
#define ETI_N_TIMED_ROLES ETI_ROLE_UNTIMED

/* Returns the role by the event's name alone, without looking at the events around and inside it: never
 * ETI_ROLE_NOT_LOGGED. */
eti_role eti__role_by_name(const eti_event *event);

/* Whether it is an operator's work, inside a delegate or not. */
static inline bool eti__role_is_work(eti_role role) {
    return role <= ETI_ROLE_DELEGATE_CALL;
}

/* Whether it is inside a delegate call. */
static inline bool eti__role_is_delegate(eti_role role) {
    return role >= ETI_ROLE_DELEGATED && role <= ETI_ROLE_NOT_LOGGED;
}

/* Whether it is the runtime itself: around kernels, between instructions, loading. */
static inline bool eti__role_is_framework(eti_role role) {
    return role >= ETI_ROLE_OPERATOR_CALL;
}

/* Whether it is more than loading. */
static inline bool eti__role_is_running(eti_role role) {
    return role < ETI_ROLE_LOAD;
}

#endif
