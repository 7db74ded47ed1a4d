#include "view/view.h"

#include "table/table.h"
#include "view/database.h"
#include "view/delegates.h"
#include "view/groups.h"
#include "view/layers.h"
#include "view/ops.h"
#include "view/runs.h"
#include "view/source.h"
#include "view/summary.h"
#include "view/trace.h"
#include "view/tree.h"
#include "view_events/view_events.h"
#include "view_program/view_program.h"

#include <string.h>

static const eti_view views[] = {
    {"events", "events, as the Inspector lists them", eti__view_all_events},
    {"event_list", "events in order of execution, for people", eti__view_event_list},
    {"database", "all data as related tables, for SQLite", eti__view_database},
    {"answer", "slowest layers and what to do", eti__view_answer},
    {"layers", "layers of the model and their times", eti__view_layers},
    {"summary", "where the time of an inference goes", eti__view_summarized},
    {"modules", "time of the named modules", eti__view_named_modules},
    {"groups", "time of operators, modules, source lines, ...", eti__view_groups},
    {"tree", "modules of the model and their times", eti__view_tree},
    {"ops", "operators of the model: calls, time, and whether they are delegated", eti__view_ops},
    {"delegates", "operators that are delegated, those that are not, and the cost",
     eti__view_delegates},
    {"graph", "graph of a method with the times of its nodes", eti__view_graph},
    {"trace", "events as slices on tracks", eti__view_trace},
    {"source", "source lines of the model and their times", eti__view_source},
    {"runs", "time of each run and its parts", eti__view_runs},
    {"alloc", "memory allocated by each allocator", eti__view_allocations},
    {"program", "methods, memory and sizes of a program", eti__view_program},
    {"memory", "tensors in the planned memory of a program", eti__view_memory},
    {"size", "bytes of each part of a program's files", eti__view_size},
    {"tensors", "recorded tensors, with statistics", eti__view_tensors},
};

#define N_VIEWS (sizeof views / sizeof *views)

static const eti_view *find_view(const char *name) {
    for (size_t i = 0; i < N_VIEWS; i++) {
        if (strcmp(views[i].name, name) == 0)
            return &views[i];
    }
    return NULL;
}

const char *eti_view_name(size_t i) {
    return i < N_VIEWS ? views[i].name : NULL;
}

const char *eti_view_summary(const char *name) {
    const eti_view *view = find_view(name);
    return view ? view->help : NULL;
}

static eti_status check_block(const eti_inspector *inspector, const eti_view_options *options,
                              eti_error *err) {
    const eti_blocks *blocks = &inspector->blocks;
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (eti__block_is_chosen(options, &blocks->blocks[i]))
            return ETI_OK;
    }
    if (!options->block || strcmp(options->block, "all") == 0)
        return ETI_OK;
    return eti__block_fail(blocks, options->block, err);
}

eti_status eti__inspector_report(eti_report **out, const eti_inspector *inspector, const char *name,
                                 const eti_view_options *options, eti_error *err) {
    static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;
    const eti_view *view = find_view(name);
    eti_report *report;
    *out = NULL;
    if (!view)
        return eti_fail(err, ETI_ERROR_USAGE, "there is no view %s", name);
    options = options ? options : &defaults;
    ETI_TRY(check_block(inspector, options, err));
    ETI_TRY(eti__report_new(&report, view->name, inspector->options.target_time_scale, err));
    eti_status status = eti__view_add_inputs(report, inspector, err);
    if (status == ETI_OK)
        status = view->make(report, inspector, options, err);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
