#include "view/attributed.h"

/* Shares of the time from which the advice to add the program is given. */
#define LEAST_IN_DELEGATES 0.2
#define LEAST_NOT_SURE 0.5

/* Kinds of attribution, the most certain first. */
static const struct {
    eti_attribution attribution;
    const char *text;
} kinds[] = {
    {ETI_ATTRIBUTION_RECORDED, "recorded"},
    {ETI_ATTRIBUTION_EXACT, "exact"},
    {ETI_ATTRIBUTION_ALIGNED, "aligned"},
    {ETI_ATTRIBUTION_INFERRED, "inferred"},
    {ETI_ATTRIBUTION_CALL, "known only for the call as a whole"},
    {ETI_ATTRIBUTION_NONE, "unknown"},
};

eti_status eti__overview_note_attribution(eti_report *report, const eti_overview *data,
                                          eti_error *err) {
    const eti_ticks *times = data->rollup.attributed.of;
    double logged = eti__attributed_times_logged(&data->rollup.attributed);
    eti_buffer text = {0};
    const char *separator = "";
    if (logged <= eti__wide_as_double(times[ETI_ATTRIBUTION_NONE]))
        return ETI_OK;
    eti__buffer_add_string(&text, "time logged by delegates, by node of the model: ");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        double time = eti__wide_as_double(times[kinds[i].attribution]);
        if (time == 0)
            continue;
        eti__buffer_printf(&text, "%s%.1f %% %s", separator, 100 * time / logged, kinds[i].text);
        separator = ", ";
    }
    return eti__report_take_note(report, &text, err);
}

/* Returns whether much of the time is in delegates whose operators are uncertain. */
static bool would_tell(const eti_attributed_times *times) {
    double logged = eti__attributed_times_logged(times);
    return logged > 0 &&
           eti__wide_as_double(times->in_delegates) >=
               LEAST_IN_DELEGATES * eti__wide_as_double(times->whole) &&
           eti__wide_as_double(times->seen_by_program) >= LEAST_NOT_SURE * logged;
}

void eti__program_hint(eti_buffer *text, const eti_inspector *inspector,
                       const eti_attributed_times *times, bool names_options) {
    if (inspector->n_programs > 0 || inspector->options.no_attribution || !would_tell(times))
        return;
    const char *prefix = eti__option_prefix();
    double share = eti__wide_as_double(times->in_delegates) / eti__wide_as_double(times->whole);
    eti__buffer_printf(text, "%.0f %% of the time is in delegates: give ", 100 * share);
    eti__buffer_add_string(text,
                           inspector->record ? "the program too" : "the ETRecord and the program");
    if (!names_options)
        eti__buffer_add_string(text, " (.pte)");
    else if (inspector->record)
        eti__buffer_printf(text, " (%sprogram_path model.pte)", prefix);
    else
        eti__buffer_printf(text, " (%setrecord_path, %sprogram_path)", prefix, prefix);
    eti__buffer_add_string(text, " to see its layers");
}

eti_status eti__view_note_program(eti_report *report, const eti_inspector *inspector,
                                  const eti_attributed_times *times, eti_error *err) {
    eti_buffer text = {0};
    eti__program_hint(&text, inspector, times, true);
    return text.size > 0 || text.failed ? eti__report_take_note(report, &text, err) : ETI_OK;
}
