#include "gate/result.h"

const char *eti__finding_kind_name(eti_finding_kind kind) {
    static const char *const names[ETI_N_FINDING_KINDS] = {
        [ETI_FINDING_FAILED] = "failed",
        [ETI_FINDING_TOO_FEW] = "too few",
        [ETI_FINDING_ALLOWED] = "allowed",
        [ETI_FINDING_PASSED] = "passed",
    };
    return names[kind];
}
