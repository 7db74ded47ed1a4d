#include "view/event/attributed.h"

#include "base/text.h"

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

static double logged_time(const eti_overview *data) {
    double sum = 0;
    for (size_t i = 0; i < ETI_N_ATTRIBUTIONS; i++)
        sum += eti__wide_as_double(data->attributed.of[i]);
    return sum;
}

eti_status eti__overview_note_attribution(eti_report *report, const eti_overview *data,
                                          eti_error *err) {
    const eti_ticks *times = data->attributed.of;
    double logged = logged_time(data);
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

static double share_of_delegates(const eti_overview *data) {
    eti_ticks sum = {0};
    for (size_t i = 0; i < data->list.n_runs; i++) {
        const eti_run_times *run = &data->list.runs[i];
        if (!run->is_warm_up)
            eti__wide_add(
                &sum, eti__wide_of(eti__run_ticks(run, ETI_ROLE_DELEGATED, ETI_ROLE_NOT_LOGGED)));
    }
    return eti__rollup_share(&data->rollup, sum);
}

void eti__program_hint(eti_buffer *text, const eti_overview *data, bool names_options) {
    const eti_inspector *inspector = data->inspector;
    double share = share_of_delegates(data), logged = logged_time(data);
    double not_sure = eti__wide_as_double(data->attributed.seen_by_program);
    if (inspector->n_programs > 0 || inspector->options.no_attribution || logged == 0 ||
        share < LEAST_IN_DELEGATES || not_sure < LEAST_NOT_SURE * logged)
        return;
    const char *prefix = eti__option_prefix();
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

eti_status eti__overview_note_program(eti_report *report, const eti_overview *data,
                                      eti_error *err) {
    eti_buffer text = {0};
    eti__program_hint(&text, data, true);
    return text.size > 0 || text.failed ? eti__report_take_note(report, &text, err) : ETI_OK;
}
