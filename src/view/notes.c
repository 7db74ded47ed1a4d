#include "view/notes.h"

#include "base/text.h"

#include <inttypes.h>

/* Backends that are looked at. */
#define MOST_BACKENDS 4

eti_status eti__view_note_uncounted(eti_report *report, uint64_t n_uncounted, eti_error *err) {
    if (n_uncounted == 0)
        return ETI_OK;
    return eti__report_note(report, err,
                            "%" PRIu64 " events that count cycles have no time here: see "
                            "%sdelegate_time_scale",
                            n_uncounted, eti__option_prefix());
}

eti_status eti__view_note_record(eti_report *report, const eti_inspector *inspector,
                                 const char *what, eti_error *err) {
    if (inspector->record)
        return ETI_OK;
    return eti__report_note(report, err, "%s are known only with the ETRecord", what);
}

static eti_status note_backend(eti_report *report, const eti_delegate_stamps *stamps, eti_text name,
                               eti_error *err) {
    switch (eti__synthetic_judge(stamps)) {
    case ETI_SYNTHETIC_NOT:
        break;
    case ETI_SYNTHETIC_ALIKE:
        return eti__report_note(
            report, err, "times of %.*s look synthetic: each of its events takes %" PRIu64 " ticks",
            ETI_TEXT_ARGS(name), stamps->first_length);
    case ETI_SYNTHETIC_CONSTANT:
        return eti__report_note(report, err,
                                "times of %.*s look synthetic: they are the same in every run, so "
                                "estimated rather than measured",
                                ETI_TEXT_ARGS(name));
    case ETI_SYNTHETIC_STEPS:
        return eti__report_note(report, err,
                                "times of %.*s look synthetic: laid end to end in steps of %" PRIu64
                                " ticks",
                                ETI_TEXT_ARGS(name), stamps->step);
    }
    return ETI_OK;
}

eti_status eti__view_note_synthetic(eti_report *report, const eti_synthetic *synthetic,
                                    eti_error *err) {
    for (size_t i = 0; i < synthetic->stamps.count && i < MOST_BACKENDS; i++) {
        const eti_delegate_stamps *stamps = &synthetic->stamps.items[i];
        eti_text name = stamps->backend;
        if (name.size == 0)
            name = eti__text_of("a delegate");
        ETI_TRY(note_backend(report, stamps, name, err));
    }
    return ETI_OK;
}
