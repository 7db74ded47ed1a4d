/*
 * comparing.c - pairs and compares for the view "numerics": the inputs of both sides, and the
 * points of each.
 */
#include "view_numerics/comparing.h"

#include "view_events/view_events.h"
#include "view_numerics/failing.h"
#include "view_numerics/numerics.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_SHOWN 5 /* of each side, in a message */

/* ---- how outputs are matched ------------------------------------------------------------------ */

static bool is_one_of(const char *text, const char *const *names, size_t n, size_t *out) {
    for (*out = 0; *out < n; (*out)++) {
        if (strcmp(text, names[*out]) == 0)
            return true;
    }
    return false;
}

static bool have_one_record(const eti_inspector *a, const eti_inspector *b) {
    return a->record && b->record && a->record_file.size == b->record_file.size &&
           memcmp(a->record_file.data, b->record_file.data, a->record_file.size) == 0;
}

static eti_status choose_match(numerics_view *view, eti_error *err) {
    static const char *const names[] = {
        [ETI_MATCH_BY_SOURCE] = "source",
        [ETI_MATCH_BY_HANDLE] = "handle",
        [ETI_MATCH_BY_INSTRUCTION] = "instruction",
        [ETI_MATCH_BY_NAME] = "name",
    };
    const eti_inspector *base = view->base.inspector, *newer = view->newer.inspector;
    const char *wanted = view->options->match;
    size_t by;
    if (wanted && is_one_of(wanted, names, sizeof names / sizeof *names, &by)) {
        view->by = (eti_match_by)by;
        return ETI_OK;
    }
    if (!base) {
        view->by = view->references[0].has_handles        ? ETI_MATCH_BY_HANDLE
                   : view->references[0].has_instructions ? ETI_MATCH_BY_INSTRUCTION
                                                          : ETI_MATCH_BY_NAME;
        return ETI_OK;
    }
    if (!base->record || !newer->record)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s has no ETRecord, so nodes cannot be matched: give one, or match "
                        "instructions of the same program (%smatch instruction)",
                        (base->record ? newer : base)->dumps[0].file_name, eti__option_prefix());
    view->by = have_one_record(base, newer) ? ETI_MATCH_BY_HANDLE : ETI_MATCH_BY_SOURCE;
    return ETI_OK;
}

/* ---- sides ------------------------------------------------------------------------------------ */

static eti_status read_side(numerics_side *side, const eti_numerics_options *options,
                            eti_error *err) {
    ETI_TRY(eti__recorded_list(&side->recorded, side->inspector, &options->view, err));
    if (!options->metric)
        ETI_TRY(eti__run_inputs_arrange(&side->inputs, &side->recorded, err));
    return eti__origins_find(&side->origins, &side->recorded, side->inspector, err);
}

static eti_status read_references(numerics_view *view, eti_error *err) {
    const eti_numerics_options *options = view->options;
    view->references = calloc(options->n_references, sizeof *view->references);
    if (!view->references)
        return eti_fail_memory(err);
    for (size_t i = 0; i < options->n_references; i++) {
        const struct eti_file *file = &view->files[i];
        const eti_source opened = {file->name, file->data, file->size};
        view->n_references++;
        ETI_TRY(eti__reference_points_read(&view->references[i],
                                           file->data ? &opened : &options->references[i], err));
    }
    return ETI_OK;
}

/* ---- inputs ----------------------------------------------------------------------------------- */

static bool takes_all_runs(const numerics_view *view) {
    const char *run = view->options->view.run;
    return run && strcmp(run, "all") == 0;
}

/* Returns the tensors of an input; none if nothing was recorded. */
static eti_run_input input_at(const eti_run_inputs *inputs, size_t i) {
    return i < inputs->n ? inputs->inputs[i] : (eti_run_input){0, 0};
}

static bool reserve_inputs(numerics_view *view) {
    size_t n = view->newer.inputs.n > 0 ? view->newer.inputs.n : 1;
    view->inputs = calloc(n, sizeof *view->inputs);
    return view->inputs != NULL;
}

/* Adds input `number` of the new side. */
static numerics_input *add_input(numerics_view *view, size_t number) {
    numerics_input *input = &view->inputs[view->n_inputs++];
    input->number = number;
    input->run = input_at(&view->newer.inputs, number);
    return input;
}

/* Pairs the inputs one by one. A single input of the base is compared with all inputs if all runs are requested, otherwise
 * with the first. */
static eti_status pair_with_dump(numerics_view *view, eti_error *err) {
    size_t n_base = view->base.inputs.n, n = view->newer.inputs.n;
    bool is_paired = n_base == n;
    if (!is_paired && n_base > 1 && (n > 1 || (n == 1 && takes_all_runs(view))))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the base has %zu runs that recorded tensors, but the new side has %zu, so "
                        "they cannot be paired: choose runs with %sblock or %srun",
                        n_base, n, eti__option_prefix(), eti__option_prefix());
    if (!is_paired && !(n_base == 1 && takes_all_runs(view)))
        n = 1;
    if (!is_paired && n_base > 1)
        view->n_base_left = n_base - 1;
    for (size_t i = 0; i < n || i == 0; i++) {
        numerics_input *input = add_input(view, i);
        input->base_run = input_at(&view->base.inputs, is_paired ? i : 0);
    }
    return ETI_OK;
}

static eti_status fail_references(const numerics_view *view, eti_error *err) {
    return eti_fail(
        err, ETI_ERROR_USAGE,
        "%sreference: references: %zu, runs that recorded tensors: %zu: give one reference per "
        "run, in the order of the ETDumps and of their runs, or choose runs with %sblock or %srun",
        eti__option_prefix(), view->n_references, view->newer.inputs.n, eti__option_prefix(),
        eti__option_prefix());
}

/* Chooses the points of an input in a file; `is_chosen` NULL: of all runs of the file. */
static eti_status choose_points(numerics_input *input, eti_reference_points *reference,
                                const bool *is_chosen, eti_error *err) {
    input->reference = reference;
    return eti__reference_points_choose(&input->base, reference, is_chosen, err);
}

/* Pairs each input with a file. */
static eti_status pair_with_files(numerics_view *view, eti_error *err) {
    if (view->n_references != view->newer.inputs.n)
        return fail_references(view, err);
    for (size_t i = 0; i < view->n_references; i++)
        ETI_TRY(choose_points(add_input(view, i), &view->references[i], NULL, err));
    return ETI_OK;
}

/* Finds the input of each run of the file: by its name, or, if no name is known, by its number. */
static eti_status find_inputs(numerics_view *view, size_t *input_of, eti_error *err) {
    const eti_text_table *runs = &view->references[0].runs;
    const eti_run_inputs *inputs = &view->newer.inputs;
    size_t n_known = 0;
    for (size_t i = 0; i < runs->count; i++) {
        uint32_t number;
        bool is_known = eti__text_table_find(&inputs->names, runs->texts[i], &number);
        input_of[i] = is_known ? inputs->input_of[number] : SIZE_MAX;
        n_known += is_known;
    }
    if (n_known > 0)
        view->n_base_left = runs->count - n_known;
    if (n_known > 0 || inputs->n == 0)
        return ETI_OK;
    if (runs->count != 1 && runs->count != inputs->names.count)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s: has tensors of %zu runs, but none of them is among the %zu runs of "
                        "the ETDumps: choose runs with %sblock or %srun",
                        view->options->references[0].path, runs->count, inputs->names.count,
                        eti__option_prefix(), eti__option_prefix());
    for (size_t i = 0; i < runs->count; i++)
        input_of[i] = inputs->input_of[i];
    return ETI_OK;
}

/* Adds the inputs for which the file has runs, with these runs. */
static eti_status pair_runs(numerics_view *view, const size_t *input_of, eti_error *err) {
    eti_reference_points *reference = &view->references[0];
    size_t n = reference->runs.count;
    bool *is_chosen = malloc((n + 1) * sizeof *is_chosen);
    eti_status status = is_chosen ? ETI_OK : eti_fail_memory(err);
    for (size_t i = 0; status == ETI_OK && (i < view->newer.inputs.n || i == 0); i++) {
        bool is_any = view->newer.inputs.n <= 1;
        for (size_t k = 0; k < n; k++) {
            is_chosen[k] = input_of[k] == i;
            is_any = is_any || is_chosen[k];
        }
        if (is_any)
            status = choose_points(add_input(view, i), reference, is_chosen, err);
    }
    free(is_chosen);
    return status;
}

/* Pairs one file with the inputs: with those whose runs it names; if it names none, with all inputs if all runs are
 * requested, otherwise with the first. */
static eti_status pair_with_file(numerics_view *view, eti_error *err) {
    eti_reference_points *reference = &view->references[0];
    size_t n = view->newer.inputs.n;
    if (reference->runs.count > 0) {
        size_t *input_of = malloc(reference->runs.count * sizeof *input_of);
        if (!input_of)
            return eti_fail_memory(err);
        eti_status status = find_inputs(view, input_of, err);
        if (status == ETI_OK)
            status = pair_runs(view, input_of, err);
        free(input_of);
        return status;
    }
    for (size_t i = 0; i < (takes_all_runs(view) ? n : 1) || i == 0; i++)
        ETI_TRY(choose_points(add_input(view, i), reference, NULL, err));
    return ETI_OK;
}

/* Pairs all recorded tensors of both sides as the Inspector does. */
static eti_status pair_as_inspector(numerics_view *view, eti_error *err) {
    numerics_input *input = add_input(view, 0);
    input->run.end = view->newer.recorded.n;
    input->base_run.end = view->base.recorded.n;
    return view->base.inspector ? ETI_OK : choose_points(input, &view->references[0], NULL, err);
}

static eti_status pair_inputs(numerics_view *view, eti_error *err) {
    if (!reserve_inputs(view))
        return eti_fail_memory(err);
    if (view->options->metric)
        return pair_as_inspector(view, err);
    if (view->base.inspector)
        return pair_with_dump(view, err);
    if (view->n_references > 1)
        return pair_with_files(view, err);
    ETI_TRY(pair_with_file(view, err));
    bool has_several_dumps = view->newer.inspector->n_more_debug_buffers > 0;
    return has_several_dumps && view->n_inputs < view->newer.inputs.n ? fail_references(view, err)
                                                                      : ETI_OK;
}

/* ---- comparing -------------------------------------------------------------------------------- */

static eti_status find_points(eti_points *out, const numerics_side *side, eti_run_input run,
                              eti_match_by by, eti_error *err) {
    bool has_nodes = by == ETI_MATCH_BY_SOURCE || by == ETI_MATCH_BY_HANDLE;
    return has_nodes ? eti__points_find(out, &side->origins, run.first, run.end, err)
                     : eti__points_of_events(out, &side->origins, run.first, run.end, err);
}

static void add_names(eti_buffer *text, const eti_points *points, eti_match_by by) {
    size_t n = 0;
    for (size_t i = 0; i < points->n && n < NAMES_SHOWN; i++) {
        const eti_point *point = &points->points[i];
        eti_text name = by == ETI_MATCH_BY_SOURCE ? point->source_node : point->name;
        if (name.size == 0)
            continue;
        eti__buffer_add_string(text, n++ ? ", " : "");
        eti__buffer_add_text(text, (eti_text){name.data, name.size < 40 ? name.size : 40});
    }
    eti__buffer_add_string(text, n ? "" : "nothing");
}

/* Puts the run before a message, if there are several. */
static void name_input(const numerics_view *view, const numerics_input *input, eti_error *err) {
    if (view->n_inputs == 1 || input->run.first == input->run.end)
        return;
    const eti_recorded_tensor *tensor = &view->newer.recorded.tensors[input->run.first];
    eti__error_prefix(err, "%.*s, run %zu", ETI_TEXT_ARGS(tensor->block->label), tensor->run);
}

/* Returns the first block whose method is one of several, so that its tensors have no nodes; NULL: there is none. */
static const eti_event_block *find_ambiguous(const eti_inspector *inspector) {
    for (size_t i = 0; inspector && i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        uint64_t fit = block->methods_that_fit;
        if (block->method == ETI_NO_METHOD && (fit & (fit - 1)) != 0)
            return block;
    }
    return NULL;
}

static eti_status fail_ambiguous(const eti_inspector *inspector, const eti_event_block *block,
                                 eti_error *err) {
    eti_buffer names = {0};
    for (size_t i = 0; i < inspector->n_methods; i++) {
        if ((block->methods_that_fit >> i & 1) == 0)
            continue;
        eti__buffer_add_string(&names, names.size > 0 ? ", " : "");
        eti__buffer_add_text(&names, inspector->methods[i].name);
    }
    eti_status status = eti_fail(
        err, ETI_ERROR_TOO_FEW,
        "no recorded tensor has a node: the methods %.*s match the instructions of block %.*s "
        "equally well, so the method that ran is unknown: choose with %smethod, or give the "
        "program",
        ETI_TEXT_ARGS(eti__buffer_text(&names)), ETI_TEXT_ARGS(block->label), eti__option_prefix());
    eti__buffer_free(&names);
    return status;
}

static bool has_source_nodes(const eti_points *points) {
    for (size_t i = 0; i < points->n; i++) {
        if (points->points[i].source_node.size > 0)
            return true;
    }
    return false;
}

/* Fails if a side has nothing that can be matched, with the reason. */
static eti_status check_side(const numerics_view *view, const numerics_side *side,
                             const eti_points *points, eti_error *err) {
    const bool has_nodes = view->by != ETI_MATCH_BY_SOURCE || has_source_nodes(points);
    if (!side->inspector && view->n_references == 1) {
        const char *name =
            view->files[0].name ? view->files[0].name : view->options->references[0].path;
        if (points->n == 0)
            return eti_fail(err, ETI_ERROR_TOO_FEW, "%s: it has no tensors", name);
        if (!has_nodes)
            return eti_fail(err, ETI_ERROR_TOO_FEW,
                            "%s: its tensors are not named after nodes (7:conv2d), so nodes cannot "
                            "be matched: match names of events (%smatch name)",
                            name, eti__option_prefix());
    }
    if (side->inspector && side->recorded.n == 0)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "%s: no tensor was recorded: the runtime records tensors if it has a debug "
                        "buffer and logging of intermediate outputs is on",
                        side->inspector->dumps[0].file_name);
    if (side->inspector && side->inspector->leaves_out_record &&
        (view->by == ETI_MATCH_BY_SOURCE || view->by == ETI_MATCH_BY_HANDLE))
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "%s: its ETRecord is of another export, so no recorded tensor has a node: "
                        "use the ETRecord saved with the .pte that ran",
                        side->inspector->dumps[0].file_name);
    if (side->inspector && points->n > 0 && !has_nodes)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "%s: its ETRecord does not name nodes of the exported program, as those of "
                        "ExecuTorch before 1.0, so nodes cannot be matched: match names of events "
                        "(%smatch name)",
                        side->inspector->dumps[0].file_name, eti__option_prefix());
    return ETI_OK;
}

static eti_status fail_unmatched(const numerics_view *view, const numerics_input *input,
                                 eti_error *err) {
    eti_buffer base = {0}, newer = {0};
    const eti_inspector *sides[] = {view->newer.inspector, view->base.inspector};
    bool has_nodes = view->by == ETI_MATCH_BY_SOURCE || view->by == ETI_MATCH_BY_HANDLE;
    for (size_t i = 0; has_nodes && i < 2; i++) {
        const eti_event_block *block = find_ambiguous(sides[i]);
        if (block)
            return fail_ambiguous(sides[i], block, err);
    }
    ETI_TRY(check_side(view, &view->base, &input->base, err));
    ETI_TRY(check_side(view, &view->newer, &input->newer, err));
    add_names(&base, &input->base, view->by);
    add_names(&newer, &input->newer, view->by);
    eti_status status =
        eti_fail(err, ETI_ERROR_TOO_FEW,
                 "no recorded tensor is on both sides: the base has %.*s, the new side %.*s: are "
                 "these exports of one model?",
                 ETI_TEXT_ARGS(eti__buffer_text(&base)), ETI_TEXT_ARGS(eti__buffer_text(&newer)));
    eti__buffer_free(&base);
    eti__buffer_free(&newer);
    name_input(view, input, err);
    return status;
}

/* Checks the names of all inputs together: a few bytes of a file may name many points. */
static eti_status check_names(const numerics_view *view, bool of_base, eti_error *err) {
    uint64_t n = 0;
    for (size_t k = 0; k < view->n_inputs; k++) {
        const eti_points *points = of_base ? &view->inputs[k].base : &view->inputs[k].newer;
        for (size_t i = 0; i < points->n; i++)
            n += points->points[i].name.size + points->points[i].source_node.size;
    }
    return eti__view_check_text((of_base ? &view->base : &view->newer)->inspector, n, err);
}

static eti_status find_all_points(numerics_view *view, eti_error *err) {
    for (size_t i = 0; i < view->n_inputs; i++) {
        numerics_input *input = &view->inputs[i];
        ETI_TRY(find_points(&input->newer, &view->newer, input->run, view->by, err));
        if (view->base.inspector)
            ETI_TRY(find_points(&input->base, &view->base, input->base_run, view->by, err));
    }
    ETI_TRY(check_names(view, false, err));
    return view->base.inspector ? check_names(view, true, err) : ETI_OK;
}

static eti_status compare_input(const numerics_view *view, numerics_input *input, eti_error *err) {
    const eti_inspector *newer = view->newer.inspector, *base = view->base.inspector;
    bool of_base = !newer->record && base && base->record;
    ETI_TRY(eti__points_match(&input->matches, &input->base, &input->newer, view->by, err));
    if (input->matches.n_paired == 0)
        return fail_unmatched(view, input, err);
    const eti_element_loader loader = eti__numerics_loader(input);
    ETI_TRY(eti__differences_find(&input->differences, &input->matches, &view->options->tolerances,
                                  &loader, of_base ? &view->base.origins : &view->newer.origins,
                                  of_base, newer->options.n_threads, err));
    bool done = base || view->by != ETI_MATCH_BY_HANDLE ||
                eti__points_find_nodes(&input->base, &view->newer.origins);
    done = done && eti__differences_explain(&input->differences, &view->newer.origins,
                                            input->run.first, input->run.end, true);
    if (done && base)
        done = eti__differences_explain(&input->differences, &view->base.origins,
                                        input->base_run.first, input->base_run.end, false);
    return done ? ETI_OK : eti_fail_memory(err);
}

static eti_status check_compared(const numerics_view *view, const numerics_input *input,
                                 eti_error *err) {
    eti_status status = eti__check_compared(input->differences.n_compared, view->options, err);
    if (status != ETI_OK)
        name_input(view, input, err);
    return status;
}

/* Counts the runs whose tensors are [first, end). */
static void count_runs(numerics_view *view, eti_run_input range, const bool *is_compared) {
    const eti_recorded_tensor *tensors = view->newer.recorded.tensors;
    bool is_any = false;
    for (size_t i = range.first; i < range.end; i++) {
        is_any = is_any || is_compared[i];
        if (i + 1 < range.end && eti__recorded_together(&tensors[i], &tensors[i + 1]))
            continue;
        if (!is_any && view->runs.n_compared == view->runs.n)
            view->runs.first = &tensors[i];
        view->runs.n++;
        view->runs.n_compared += is_any;
        is_any = false;
    }
}

static eti_status count_compared_runs(numerics_view *view, eti_error *err) {
    const eti_recorded *recorded = &view->newer.recorded;
    bool *is_compared = calloc(recorded->n + 1, sizeof *is_compared);
    if (!is_compared)
        return eti_fail_memory(err);
    for (size_t k = 0; k < view->n_inputs; k++) {
        const eti_differences *differences = &view->inputs[k].differences;
        for (size_t i = 0; i < differences->n; i++) {
            if (eti__difference_is_compared(&differences->rows[i]))
                is_compared[differences->rows[i].of->newer_tensor - recorded->tensors] = true;
        }
    }
    if (takes_all_runs(view))
        count_runs(view, (eti_run_input){0, recorded->n}, is_compared);
    for (size_t k = 0; k < view->n_inputs && !takes_all_runs(view); k++)
        count_runs(view, view->inputs[k].run, is_compared);
    free(is_compared);
    return ETI_OK;
}

static eti_status join(numerics_view *view, eti_error *err) {
    eti_input_differences *inputs = malloc((view->n_inputs + 1) * sizeof *inputs);
    if (!inputs)
        return eti_fail_memory(err);
    for (size_t i = 0; i < view->n_inputs; i++)
        inputs[i] = (eti_input_differences){view->inputs[i].number, &view->inputs[i].differences};
    eti_status status =
        eti__differences_join(&view->joined, inputs, view->n_inputs, view->options->is_each, err);
    free(inputs);
    return status;
}

eti_status eti__numerics_compare(numerics_view *view, eti_error *err) {
    ETI_TRY(read_side(&view->newer, view->options, err));
    ETI_TRY(view->base.inspector ? read_side(&view->base, view->options, err)
                                 : read_references(view, err));
    ETI_TRY(choose_match(view, err));
    ETI_TRY(pair_inputs(view, err));
    ETI_TRY(find_all_points(view, err));
    for (size_t i = 0; i < view->n_inputs; i++) {
        ETI_TRY(compare_input(view, &view->inputs[i], err));
        ETI_TRY(check_compared(view, &view->inputs[i], err));
    }
    ETI_TRY(count_compared_runs(view, err));
    return join(view, err);
}
