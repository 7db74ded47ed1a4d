#include "view_numerics/gaps.h"

#include <stdlib.h>

/* ---- one output ------------------------------------------------------------------------------- */

static eti_gap gap_of(const eti_difference *row) {
    return (eti_gap){.is_known = true,
                     .snr = row->metrics.snr,
                     .snr_drop = row->has_snr_in ? row->snr_drop : (double)NAN,
                     .max_abs = row->metrics.max_abs,
                     .nan_new = row->metrics.nan_new};
}

/* Returns the inspector's node for a point's node, which is in the graph that was read for the comparison. It lives as long
 * as that graph. */
static const eti_graph_node *known_node(const eti_origins *origins, const eti_point *point) {
    const eti_origin_graph *g =
        point->event ? eti__origins_graph(origins, point->event->block) : NULL;
    if (!g || !point->node || !g->graph.matched)
        return NULL;
    size_t number = (size_t)(point->node - g->graph.graph.nodes);
    return number < g->graph.n_matched ? &g->graph.matched[number] : NULL;
}

static void set_place(const eti_places *places, const eti_place *place, eti_gap_of *out) {
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(places, place->module);
    if (place->has_frames && place->frame != ETI_PREFIX_ROOT) {
        const eti_stack_frame *frame = &eti__places_frame(places, place->frame)->frame;
        out->file = frame->file;
        out->line = frame->line;
    }
}

static void take_rows(eti_gaps *out) {
    const eti_joined_differences *joined = &out->view->joined;
    for (size_t i = 0; i < joined->n; i++) {
        const eti_difference *row = &joined->rows[i].worst;
        const eti_point *newer = row->of->newer;
        if (joined->rows[i].n_compared == 0)
            continue;
        eti_gap_of *of = &out->of[out->n++];
        *of = (eti_gap_of){
            .gap = gap_of(row),
            .block = row->of->newer_tensor->block,
            .event = newer->event,
            .node = known_node(&out->view->newer.origins, newer),
            .base_event = row->of->base->event,
            .source_node = newer->source_node,
        };
        set_place(&out->view->places, &out->view->places_of[i], of);
    }
}

/* Finds the place of an output: that of its node, or else of its Event. Returns false if memory runs out. */
static bool find_place(const eti_gap_of *of, eti_places *places, eti_place *out) {
    *out = (eti_place){0};
    if (of->node)
        return eti__places_of_node(places, &of->node->node, out);
    return !of->event || eti__places_of_event(places, of->event, out);
}

eti_gap *eti__gaps_of_groups(const eti_gaps *gaps, eti_places *places,
                             const eti_view_options *options, const eti_gap_grouping *grouping) {
    uint32_t *groups = calloc(gaps->n + 1, sizeof *groups);
    eti_gap *out = NULL;
    bool done = groups != NULL;
    for (size_t i = 0; done && i < gaps->n; i++) {
        eti_place place;
        done = find_place(&gaps->of[i], places, &place);
        groups[i] = grouping->group_of(grouping->context, &place);
    }
    if (done)
        out = calloc(grouping->count(grouping->context) + 1, sizeof *out);
    for (size_t i = 0; out && i < gaps->n; i++) {
        const eti_gap_of *of = &gaps->of[i];
        bool is_shown = of->event && eti__block_is_chosen(options, of->block);
        if (is_shown)
            eti__gap_join(&out[groups[i]], &of->gap);
    }
    free(groups);
    return out;
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Makes options of the view "numerics" from those of this view and the defaults. */
static eti_numerics_options options_of(const eti_view_options *options) {
    eti_numerics_options all = ETI_NUMERICS_OPTIONS_DEFAULT;
    all.view = *options;
    all.references = options->reference;
    all.n_references = options->reference != NULL;
    all.match = options->match;
    return all;
}

static eti_status compare(eti_gaps *out, const eti_inspector *base, const eti_inspector *newer,
                          const eti_numerics_options *options, struct eti_file **files,
                          eti_error *err) {
    out->is_asked = true;
    ETI_TRY(eti__numerics_view_make(&out->view, base, newer, options, files, err));
    out->view->options = NULL;
    out->of = calloc(out->view->joined.n + 1, sizeof *out->of);
    if (!out->of)
        return eti_fail_memory(err);
    take_rows(out);
    return ETI_OK;
}

static void release(struct eti_file *file) {
    if (file)
        eti__file_release(file);
    free(file);
}

static eti_status check_kind(const struct eti_file *file, eti_error *err) {
    if (file->kind == ETI_FILE_BUNDLED_PROGRAM)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sreference: %s is a bundled program, which has outputs of runs but no "
                        "results of operators: use etinspect numerics to compare with it",
                        eti__option_prefix(), file->name);
    if (file->kind == ETI_FILE_ETDUMP || file->kind == ETI_FILE_RUNNER_LOG)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sreference: %s is an ETDump, but only tensors can be a reference here: "
                        "use etinspect numerics or etinspect diff to compare with it",
                        eti__option_prefix(), file->name);
    return ETI_OK;
}

eti_status eti__gaps_find(eti_gaps *out, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) {
    const eti_numerics_options all = options_of(options);
    *out = (eti_gaps){.n = 0};
    if (!options->reference)
        return ETI_OK;
    struct eti_file *file =
        calloc(1, sizeof *file); /* allocated, because the comparison may keep it */
    if (!file)
        return eti_fail_memory(err);
    eti_status status = ETI_OK;
    if (!eti__source_is_folder(options->reference))
        status = eti__input_open_unchanged(file, options->reference, err);
    if (status == ETI_OK)
        status = check_kind(file, err);
    if (status == ETI_OK)
        status = compare(out, NULL, inspector, &all, &file, err);
    release(file);
    return status;
}

/* Compares with a base; ignores options->reference, which is for other views. */
eti_status eti__gaps_between(eti_gaps *out, const eti_inspector *base, const eti_inspector *newer,
                             const eti_view_options *options, eti_error *err) {
    eti_numerics_options all = options_of(options);
    struct eti_file *none = NULL;
    all.n_references = 0;
    *out = (eti_gaps){.n = 0};
    return compare(out, base, newer, &all, &none, err);
}

eti_status eti__gaps_note(const eti_gaps *gaps, eti_report *report, eti_error *err) {
    return gaps->is_asked ? eti__numerics_note_compared(report, gaps->view, err) : ETI_OK;
}

void eti__gaps_free(eti_gaps *gaps) {
    if (gaps->view)
        eti__numerics_view_free(gaps->view);
    free(gaps->of);
    *gaps = (eti_gaps){.n = 0};
}
