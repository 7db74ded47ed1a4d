#include "stats/verdict.h"

const char *eti__verdict_name(eti_verdict verdict) {
    static const char *const names[ETI_N_VERDICTS] = {
        [ETI_VERDICT_NOISE] = "~",           [ETI_VERDICT_SLOWER] = "slower",
        [ETI_VERDICT_FASTER] = "faster",     [ETI_VERDICT_UNDECIDED] = "undecided",
        [ETI_VERDICT_ADDED] = "added",       [ETI_VERDICT_REMOVED] = "removed",
        [ETI_VERDICT_UNTESTED] = "untested",
    };
    return names[verdict];
}
