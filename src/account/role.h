/*
 * role.h - classifies Events by the use of their self time.
 *
 * This is the only classification of Events; coarser classes are functions over it. Roles are in the order in which
 * reports list them: those of delegates are adjacent, and so are those of the framework.
 */
#ifndef ETI_ACCOUNT_ROLE_H
#define ETI_ACCOUNT_ROLE_H

#include "model/model.h"

typedef enum eti_role {
    /* An operator outside of delegates: native_call_*, any other event inside an OPERATOR_CALL, or the OPERATOR_CALL
     * itself if no kernel was logged at all. In a block without any name of ExecuTorch's runtime, which another
     * engine recorded, a leaf event of an instruction. */
    ETI_ROLE_KERNEL,
    ETI_ROLE_DELEGATED, /* logged by a delegate */
    /* a delegate call without logged events inside; counts as an operator */
    ETI_ROLE_DELEGATE_CALL,
    ETI_ROLE_NOT_LOGGED, /* time of a delegate call outside the events that the delegate logged */
    ETI_ROLE_OPERATOR_CALL, /* time around a kernel */
    ETI_ROLE_INSTRUCTION,   /* any other instruction: JF_CALL, MOVE_CALL, ... */
    ETI_ROLE_EXECUTE,       /* Method::execute itself: time between instructions */
    ETI_ROLE_LOAD,          /* Program::*, Method::* except execute; all of a block that loads */
    ETI_ROLE_UNTIMED,       /* logged only for debugging; has no time */
    ETI_N_ROLES,
} eti_role;

/* Number of roles that may have time; they come first. */
#define ETI_N_TIMED_ROLES ETI_ROLE_UNTIMED

/* Returns the role based on the names of the Event and its block alone, regardless of enclosing and nested Events; never
 * ETI_ROLE_NOT_LOGGED. */
eti_role eti__role_by_name(const eti_event *event);

/* Returns whether this is the name of an instruction of the runtime that runs no operator. */
bool eti__is_runtime_instruction(eti_text name);

/* Returns whether the role is work of an operator, delegated or not. */
static inline bool eti__role_is_work(eti_role role) {
    return role <= ETI_ROLE_DELEGATE_CALL;
}

/* Returns whether the role is inside a delegate call. */
static inline bool eti__role_is_delegate(eti_role role) {
    return role >= ETI_ROLE_DELEGATED && role <= ETI_ROLE_NOT_LOGGED;
}

/* Returns whether the role is time of the runtime: around kernels, between instructions, or loading. */
static inline bool eti__role_is_framework(eti_role role) {
    return role >= ETI_ROLE_OPERATOR_CALL;
}

/* Returns whether the role is anything but loading. */
static inline bool eti__role_is_running(eti_role role) {
    return role < ETI_ROLE_LOAD;
}

#endif
