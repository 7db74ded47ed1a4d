#include "gate/result.h"

const char *eti__finding_kind_name(eti_finding_kind kind) {
    static const char *const names[ETI_N_FINDING_KINDS] = {
        [ETI_FINDING_FAILED] = "failed",
        [ETI_FINDING_UNDECIDED] = "undecided",
        [ETI_FINDING_ALLOWED] = "allowed",
        [ETI_FINDING_PASSED] = "passed",
    };
    return names[kind];
}

const char *eti__rule_outcome_name(eti_rule_outcome outcome) {
    static const char *const names[ETI_N_RULE_OUTCOMES] = {
        [ETI_RULE_FAILED] = "failed",         [ETI_RULE_FEW_FILES] = "undecided",
        [ETI_RULE_CANNOT_TELL] = "undecided", [ETI_RULE_NOTHING] = "nothing to check",
        [ETI_RULE_ALLOWED] = "allowed",       [ETI_RULE_PASSED] = "passed",
        [ETI_RULE_CUT_SHORT] = "undecided",   [ETI_RULE_UNLIKE] = "undecided",
    };
    return names[outcome];
}
