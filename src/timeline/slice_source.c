#include "timeline/slice_source.h"

#include "backends/backends.h"
#include "base/sort.h"
#include "timeline/counters.h"
#include "timeline/slice_clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== run choice ============================================================================== */

/* Parses "5" or "5-7". */
static bool take_range(const char **at, uint64_t *first, uint64_t *last) {
    const char *end = *at + strlen(*at);
    if (!eti__take_u64(at, end, UINT32_MAX - 1, first))
        return false;
    *last = *first;
    if (**at != '-')
        return true;
    ++*at;
    return eti__take_u64(at, end, UINT32_MAX - 1, last) && *last >= *first;
}

eti_status eti__run_choice_check(const char *list, eti_error *err) {
    uint64_t first, last;
    for (const char *at = list; at; at++) {
        if (!take_range(&at, &first, &last) || (*at != ',' && *at != '\0'))
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%sruns: expected run numbers such as 3 or 0,5-7, found '%s'",
                            eti__option_prefix(), list);
        if (*at == '\0')
            break;
    }
    return ETI_OK;
}

bool eti__run_choice_holds(const char *list, uint32_t number) {
    uint64_t first, last;
    if (!list)
        return true;
    for (const char *at = list; take_range(&at, &first, &last); at++) {
        if (first <= number && number <= last)
            return true;
        if (*at != ',')
            break;
    }
    return false;
}

/* ==== slice events ============================================================================ */

/* Largest number of operators of an Event that are all named; if there are more, the first two and the last are. */
#define MOST_NAMED 4

/* Texts of Events, which are made once, may take this part of the limit for all slices. */
#define PART_OF_EVENTS 8

/* State while the texts of Events are made, once for a block. */
typedef struct finding {
    const eti_account *account;
    const eti_places *places;
    eti_slice_source *source;
    eti_error *err;
    eti_buffer text;
    const eti_text *last_ops; /* operators of the previous Event, which usually has the same */
    eti_text last_text;
    uint32_t last_frame; /* frame of the previous Event */
    eti_text last_source;
} finding;

eti_status eti__slice_texts_count(eti_slice_source *source, uint64_t n, uint64_t most,
                                  eti_error *err) {
    source->n_text = n < UINT64_MAX - source->n_text ? source->n_text + n : UINT64_MAX;
    if (most == 0 || source->n_text <= most)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "names are repeated in so many slices that they would take more than %" PRIu64
                    " bytes",
                    most);
}

/* Counts a text before it is made. */
static eti_status count_made(finding *f, uint64_t n) {
    uint64_t most = f->source->most_text / PART_OF_EVENTS;
    return eti__slice_texts_count(f->source, n, most, f->err);
}

static eti_status take_text(finding *f, eti_text *out) {
    bool is_kept =
        !f->text.failed && eti__arena_copy_text(&f->source->arena, eti__buffer_text(&f->text), out);
    f->text.size = 0;
    return is_kept ? ETI_OK : eti_fail_memory(f->err);
}

/* Returns the index of the operator of n that is named after the i-th. */
static size_t next_named(size_t i, size_t n) {
    return n > MOST_NAMED && i == 1 ? n - 1 : i + 1;
}

static eti_status find_ops(finding *f, const eti_event_record *known, eti_text *out) {
    size_t n = known->n_op_types;
    uint64_t size = 0;
    if (n == 0)
        return ETI_OK;
    *out = f->last_text;
    if (known->op_types == f->last_ops)
        return ETI_OK;
    for (size_t i = 0; i < n; i = next_named(i, n))
        size += known->op_types[i].size;
    ETI_TRY(count_made(f, size));
    for (size_t i = 0; i < n; i = next_named(i, n)) {
        bool is_after_gap = n > MOST_NAMED && i == n - 1;
        eti__buffer_add_string(&f->text, i == 0 ? "" : is_after_gap ? " ... " : ", ");
        eti__buffer_add_text(&f->text, known->op_types[i]);
    }
    if (n > MOST_NAMED)
        eti__buffer_printf(&f->text, " (%zu in all)", n);
    ETI_TRY(take_text(f, &f->last_text));
    f->last_ops = known->op_types;
    *out = f->last_text;
    return ETI_OK;
}

static eti_status find_source(finding *f, const eti_place *place, eti_text *out) {
    if (!place->has_frames)
        return ETI_OK;
    if (place->frame == ETI_PREFIX_ROOT) {
        *out = eti__text_of(ETI_GROUP_SEVERAL_LINES);
        return ETI_OK;
    }
    if (f->last_frame != place->frame) {
        const eti_stack_frame *frame = &eti__places_frame(f->places, place->frame)->frame;
        ETI_TRY(count_made(f, frame->file.size));
        eti__add_source_line(&f->text, frame->file, frame->line);
        ETI_TRY(take_text(f, &f->last_source));
        f->last_frame = place->frame;
    }
    *out = f->last_source;
    return ETI_OK;
}

/* Finds the texts that only --args full shows. */
static void find_logged(const finding *f, size_t number, eti_slice_event *out) {
    const eti_event *event = &f->account->block->events[number];
    if (f->source->args != ETI_ARGS_FULL)
        return;
    eti_op_type op = eti__op_type_of(f->account, number);
    out->kernel = eti__kernel_name(f->account, number, &op);
    out->compute_unit = eti__event_compute_unit(f->account, number);
    if (event->logged)
        out->node = event->logged->node;
    if (event->is_timed)
        out->unit = eti__event_unit(f->account->options, event);
}

static eti_status find_event(finding *f, size_t number, const eti_place *place,
                             eti_slice_event *out) {
    const eti_event_block *block = f->account->block;
    const eti_event *event = &block->events[number];
    *out = (eti_slice_event){
        .event = event,
        .instruction_id = eti__event_names_instruction(event) ? event->instruction_id : -1,
        .block = (uint32_t)block->number,
        .role = f->account->events[number].role,
    };
    find_logged(f, number, out);
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(f->places, place->module);
    if (eti__role_is_delegate(eti__account_role(f->account, number)) ||
        event->is_timed_as_delegated)
        out->backend = eti__account_backend(f->account, number);
    ETI_TRY(find_ops(f, event->known, &out->op_types));
    ETI_TRY(find_source(f, place, &out->source));
    out->n_text = (uint64_t)eti__event_label(event).size + out->op_types.size + out->module.size +
                  out->source.size + out->backend.size + out->kernel.size + out->node.size +
                  out->compute_unit.size;
    return ETI_OK;
}

/* Finds the texts of all Events of the account's block. Texts are in source->arena, where source->n_text counts them,
 * or are borrowed from the inspector. Fails with ETI_ERROR_LIMIT if they take more than an eighth of
 * source->most_text, or with ETI_ERROR_MEMORY. */
static eti_status find_slice_events(eti_slice_event *out, const eti_account *account,
                                    eti_places *places, eti_slice_source *source, eti_error *err) {
    finding f = {.account = account,
                 .places = places,
                 .source = source,
                 .err = err,
                 .last_frame = ETI_PREFIX_ROOT};
    eti_place *of_events = eti__places_of_block(places, account);
    eti_status status = of_events ? ETI_OK : eti_fail_memory(err);
    for (size_t i = 0; status == ETI_OK && i < account->block->n_events; i++)
        status = find_event(&f, i, &of_events[i], &out[i]);
    free(of_events);
    eti__buffer_free(&f.text);
    return status;
}

/* ==== backends ================================================================================ */

/* Adds the events logged in a run, read into `stamps`, to the backends of its ETDump. */
static void survey_slice_backends(const eti_slice_source *source, const eti_slice_run *run,
                                  const eti_delegated_stamps *stamps) {
    const eti_run_calls *calls = stamps->calls;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_call *call = &calls->order.calls[i];
        if (call->delegate_call == ETI_NO_CALL || !eti__call_is_delegated(calls, i) ||
            calls->timing[i] == ETI_TIMED_NOT)
            continue;
        eti_slice_backend *backend = eti__slice_backend_of(source, run, call->event);
        eti_delegated_interval at = eti__delegated_stamps_of(stamps, i);
        backend->is_outside |= !at.is_inside;
        if (at.start != at.least)
            continue;
        uint32_t outer = calls->nested[call->delegate_call];
        backend->begins_outside |= !at.is_of_source || at.start < calls->nesting.start[outer] ||
                                   at.start > calls->nesting.end[outer];
    }
}

eti_slice_track_kind eti__slice_track_kind_of(const eti_slice_backend *backend,
                                              const eti_run_calls *calls, size_t call,
                                              bool is_in_run) {
    const eti_delegate_event *logged = calls->block->events[calls->order.calls[call].event].logged;
    bool has_call = calls->order.calls[call].delegate_call != ETI_NO_CALL;
    bool is_on_host = logged && logged->clock == ETI_CLOCK_HOST;
    if (is_on_host && (has_call ? calls->timing[call] == ETI_TIMED_BY_STAMPS : is_in_run))
        return ETI_TRACK_METHOD;
    if (!has_call)
        return ETI_TRACK_NO_CALL;
    if (is_on_host)
        return ETI_TRACK_OWN_CLOCK;
    if (backend->is_synthetic || (logged && logged->clock == ETI_CLOCK_NONE))
        return ETI_TRACK_SYNTHETIC;
    if (backend->unit.size > 0)
        return ETI_TRACK_DEVICE;
    return backend->is_outside ? ETI_TRACK_OWN_CLOCK : ETI_TRACK_METHOD;
}

/* ==== number of slices ======================================================================== */

bool eti__call_has_slice(const eti_run_calls *calls, size_t call) {
    const eti_delegate_event *logged = calls->block->events[calls->order.calls[call].event].logged;
    return !eti__call_is_delegated(calls, call) || !logged || eti__delegate_event_has_time(logged);
}

/* Sets the number of slices of a run, whose times are known. */
static void count_slices(eti_slice_run *run, const eti_run_calls *calls) {
    run->n_slices = eti__run_has_slice(run, calls->block);
    for (size_t i = 0; i < calls->order.n_calls; i++)
        run->n_slices += eti__call_has_slice(calls, i);
}

/* ==== slice source ============================================================================ */

/* Largest number of backends with parts of the hardware. A damaged file may name more, which have no tracks of their own. */
#define MOST_UNITS 64

/* A backend, and a part of the hardware with a clock of its own: indexes into the texts. */
typedef struct logging {
    uint32_t backend, unit;
} logging;

/* Holds the data that is needed only while a source is made. */
typedef struct making {
    eti_slice_source *out;
    const eti_inspector *inspector;
    const eti_view_options *options;
    eti_places places;
    eti_synthetic synthetic;
    eti_shared_texts texts;
    ETI_INTERN_OF(logging) loggings; /* numbered from 1 as source->backends */
    size_t run_capacity;
} making;

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Adds the runs of a block that the options select. */
static bool add_runs(making *m, const eti_account *account) {
    const eti_event_block *block = account->block;
    eti_slice_source *out = m->out;
    eti_run_list list = {.leaves_out_roles = true, .finds_representative = true};
    bool is_made = eti__run_list_add(&list, account);
    for (size_t i = 0; is_made && i < block->n_runs; i++) {
        const eti_block_run *run = &block->runs[i];
        if (!eti__run_choice_holds(m->options->runs, (uint32_t)i))
            continue;
        is_made = ETI_GROW(out->runs, m->run_capacity, out->n_runs + 1);
        if (!is_made)
            break;
        out->runs[out->n_runs++] = (eti_slice_run){
            .dump = (uint32_t)(run->dump - m->inspector->dumps),
            .block = (uint32_t)block->number,
            .number = (uint32_t)i,
            .index = run->index,
            .is_warm_up = list.runs[i].is_warm_up,
            .is_outlier = list.runs[i].is_outlier,
            .is_representative = list.runs[i].is_representative,
        };
    }
    eti__run_list_free(&list);
    return is_made;
}

/* Numbers the backends that logged the given events of the block. */
static bool add_backends(making *m, eti_slice_event *events, const eti_event_block *block) {
    static const eti_intern_kind kind = {.item_size = sizeof(logging), .key_size = sizeof(logging)};
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_delegate_event *logged = events[i].event->logged;
        eti_text name = events[i].backend, unit = {NULL, 0};
        logging of;
        if (!events[i].event->is_timed_as_delegated)
            continue;
        if (logged && logged->clock == ETI_CLOCK_DEVICE && m->loggings.count < MOST_UNITS)
            unit = logged->compute_unit;
        if (!eti__shared_texts_add(&m->texts, name.size > 0 ? name : eti__text_of("delegate"),
                                   &of.backend) ||
            !eti__shared_texts_add(&m->texts, unit.size > 0 ? unit : eti__text_of(""), &of.unit) ||
            !eti__intern_add(&m->loggings.table, &kind, &of, &events[i].backend_kind))
            return false;
        events[i].backend_kind++;
    }
    return eti__synthetic_add(&m->synthetic, block);
}

static eti_status add_block(making *m, const eti_event_block *block, eti_error *err) {
    eti_slice_source *out = m->out;
    const eti_account *account;
    ETI_TRY(eti__account_of(&account, m->inspector, block, err));
    eti_slice_event *events = &out->events[out->n_events];
    eti_status status = find_slice_events(events, account, &m->places, out, err);
    if (status == ETI_OK && !(add_backends(m, events, block) && add_runs(m, account)))
        status = eti_fail_memory(err);
    out->first_event[block->number] = out->n_events;
    out->n_events += block->n_events;
    return status;
}

static eti_status add_blocks(making *m, eti_error *err) {
    const eti_blocks *blocks = &m->inspector->blocks;
    eti_slice_source *out = m->out;
    size_t n_events = 0;
    for (size_t i = 0; i < blocks->n_blocks; i++)
        n_events += blocks->blocks[i].n_events;
    out->events = eti__arena_alloc_zero(&out->arena, n_events + 1, sizeof *out->events);
    out->first_event =
        eti__arena_alloc_zero(&out->arena, blocks->n_blocks + 1, sizeof *out->first_event);
    if (!out->events || !out->first_event || !eti__places_init(&m->places))
        return eti_fail_memory(err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        out->first_event[i] = SIZE_MAX;
        if (eti__block_is_summed(m->options, &blocks->blocks[i], false))
            ETI_TRY(add_block(m, &blocks->blocks[i], err));
    }
    return ETI_OK;
}

/* ---- backends -------------------------------------------------------------------------------- */

/* Returns whether positions are synthetic. XNNPACK reports only durations, even if there are too few events to judge. */
static bool is_synthetic(const making *m, eti_text backend) {
    for (size_t i = 0; i < m->synthetic.stamps.count; i++) {
        const eti_delegate_stamps *stamps = &m->synthetic.stamps.items[i];
        if (eti__text_equal(stamps->backend, backend))
            return eti__synthetic_judge(stamps) != ETI_SYNTHETIC_NOT ||
                   (eti__is_xnnpack(backend) && !stamps->has_gaps);
    }
    return false;
}

/* Sets everything that depends only on Events. */
static eti_status make_backends(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    out->n_backends = m->loggings.count + 1;
    if (out->n_backends > SIZE_MAX / (out->n_dumps + 1))
        return eti_fail_memory(err);
    out->backends = eti__arena_alloc_zero(&out->arena, out->n_backends * (out->n_dumps + 1),
                                          sizeof *out->backends);
    if (!out->backends)
        return eti_fail_memory(err);
    for (size_t i = 0; i < out->n_events; i++) {
        const eti_slice_event *event = &out->events[i];
        eti_slice_backend *backend = &out->backends[event->backend_kind];
        bool is_countable;
        if (event->backend_kind == 0 || backend->name.data)
            continue;
        const logging *of = &m->loggings.items[event->backend_kind - 1];
        backend->name = m->texts.texts.texts[of->backend];
        backend->unit = m->texts.texts.texts[of->unit];
        backend->is_synthetic = is_synthetic(m, event->event->known->backend_name.data
                                                    ? event->event->known->backend_name
                                                    : eti__text_of(""));
        eti_time_scale scale =
            eti__event_scale(&m->inspector->options, event->event, &is_countable);
        backend->is_in_cycles = scale == ETI_SCALE_CYCLES && !is_countable;
    }
    for (size_t i = out->n_backends; i < out->n_backends * out->n_dumps; i++)
        out->backends[i] = out->backends[i % out->n_backends];
    return ETI_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int compare_runs(const void *a, const void *b, void *unused) {
    const eti_slice_run *x = a, *y = b;
    (void)unused;
    if (x->dump != y->dump)
        return x->dump < y->dump ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Finds the first and the last stamp of a run. An event without stamps does not count. */
static void find_span(eti_slice_run *run, const eti_run_calls *calls) {
    const eti_nesting *nesting = &calls->nesting;
    run->first = UINT64_MAX;
    run->last = 0;
    for (size_t i = 0; i < nesting->n; i++) {
        if (nesting->end[i] == 0 || eti__call_is_delegated(calls, calls->call_at[i]))
            continue;
        run->has_times = true;
        run->first = nesting->start[i] < run->first ? nesting->start[i] : run->first;
        run->last = nesting->end[i] > run->last ? nesting->end[i] : run->last;
    }
    if (!run->has_times)
        run->first = 0;
}

/* Returns the end of a run, relative to the base of the ETDump. */
static uint64_t end_of(const eti_slice_run *run) {
    return eti__ticks_sum(run->shown_at, run->last - run->first);
}

/* Sets the position at which a run is shown after the previous run, which had the last stamps so far. */
static void show_behind(eti_slice_run *run, const eti_slice_run *before) {
    uint64_t first = run->first;
    bool is_small = first <= ETI_CLOCK_32_MAX && before->last <= 2 * (uint64_t)ETI_CLOCK_32_MAX;
    if (first < before->last && is_small) {
        uint64_t wrapped = first + ETI_CLOCK_32_MAX;
        if (wrapped >= before->last && wrapped - before->last <= ETI_CLOCK_32_MAX / 2)
            first = wrapped;
    }
    run->is_moved = first < before->last;
    run->shown_at =
        eti__ticks_sum(before->shown_at, (run->is_moved ? before->last : first) - before->first);
}

/* Counts the texts of all slices of a run. */
static eti_status count_texts(eti_slice_source *out, const eti_slice_run *run,
                              const eti_run_calls *calls, eti_error *err) {
    uint64_t n = 0;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint64_t of_slice = eti__slice_event_of(out, run, calls->order.calls[i].event)->n_text;
        if (out->args == ETI_ARGS_FULL) {
            size_t n_metadata = eti__run_calls_stamps(calls, i).metadata.size;
            of_slice += n_metadata < ETI_MOST_SLICE_METADATA ? n_metadata : ETI_MOST_SLICE_METADATA;
        }
        n = of_slice < UINT64_MAX - n ? n + of_slice : UINT64_MAX;
    }
    return eti__slice_texts_count(out, n, out->most_text, err);
}

/* Finds the stamps of all runs and the bases of the ETDumps. */
static eti_status survey(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    eti_block_calls calls = {0};
    eti_delegated_stamps stamps = {0};
    eti_status status = ETI_OK;
    const eti_slice_run *before = NULL;
    out->n_text = 0;
    for (size_t i = 0; i < out->n_runs && status == ETI_OK; i++) {
        eti_slice_run *run = &out->runs[i];
        eti_slice_dump *dump = &out->dumps[run->dump];
        const eti_run_calls *of;
        status =
            eti__block_calls_read(&calls, m->inspector, run->block, run->number, true, &of, err);
        if (status == ETI_OK && !eti__delegated_stamps_read(&stamps, of))
            status = eti_fail_memory(err);
        if (status == ETI_OK)
            status = count_texts(out, run, of, err);
        if (status != ETI_OK)
            break;
        survey_slice_backends(out, run, &stamps);
        find_span(run, of);
        count_slices(run, of);
        if (dump->n_runs++ == 0)
            dump->first = i;
        if (before && before->dump != run->dump)
            before = NULL;
        if (!run->has_times) {
            run->shown_at = before ? end_of(before) : 0;
            continue;
        }
        if (before)
            show_behind(run, before);
        else
            dump->base = run->first;
        before = run;
    }
    eti__delegated_stamps_free(&stamps);
    eti__block_calls_free(&calls);
    return status;
}

static eti_status make_dumps(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    out->n_dumps = m->inspector->n_dumps;
    out->dumps = eti__arena_alloc_zero(&out->arena, out->n_dumps + 1, sizeof *out->dumps);
    for (size_t i = 0; out->dumps && i < out->n_dumps; i++)
        out->dumps[i].dump = &m->inspector->dumps[i];
    return out->dumps ? ETI_OK : eti_fail_memory(err);
}

static eti_status make(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    ETI_TRY(eti__run_choice_check(m->options->runs, err));
    ETI_TRY(make_dumps(m, err));
    ETI_TRY(add_blocks(m, err));
    if (out->n_runs == 0 && m->options->runs && out->n_events > 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sruns: there is no run %s; etinspect runs lists them",
                        eti__option_prefix(), m->options->runs);
    ETI_TRY(make_backends(m, err));
    eti__sort(out->runs, out->n_runs, sizeof *out->runs, compare_runs, NULL);
    return survey(m, err);
}

static const eti_intern_kind lane_name_kind = {.item_size = sizeof(eti_lane_name),
                                               .key_size = offsetof(eti_lane_name, name)};

/* Indexes the names of the lanes of an ETDump, as UTF-8, which formats of traces require. Returns false if memory runs out. */
static bool index_lane_names(eti_slice_source *source, uint32_t number) {
    const eti_etdump *dump = &source->inspector->dumps[number];
    if (dump->runs.count == 0)
        return true;
    eti_etdump_run run = eti__etdump_read_run(dump, 0);
    for (uint32_t i = 0; i < run.allocators.count; i++) {
        eti_lane_name found = {.dump = number};
        uint32_t at;
        if (!eti__etdump_read_lane_name(dump, &run, i, &found.lane, &found.name))
            continue;
        if (!eti__arena_own_text(&source->arena, found.name, &found.name) ||
            !eti__intern_add(&source->lane_names.table, &lane_name_kind, &found, &at))
            return false;
        source->lane_names.items[at].name = found.name;
    }
    return true;
}

eti_status eti__slice_source_make(eti_slice_source *out, const eti_inspector *inspector,
                                  const eti_view_options *options, uint64_t most_text,
                                  eti_error *err) {
    const eti_options *opening = &inspector->options;
    making m = {.out = out, .inspector = inspector, .options = options};
    *out = (eti_slice_source){
        .inspector = inspector,
        .is_aligned = options->trace_time == 1,
        .has_flows = options->flows,
        .has_debug_events = options->debug_events,
        .args = options->args,
        .most_text = most_text,
        .metadata_form = options->table.delegate_metadata,
        .is_in_cycles = eti__ticks_are_cycles(opening->source_time_scale, opening->clock_hz),
    };
    eti_status status = make(&m, err);
    for (size_t i = 0; i < inspector->n_dumps && status == ETI_OK; i++) {
        if (!index_lane_names(out, (uint32_t)i))
            status = eti_fail_memory(err);
    }
    eti__places_free(&m.places);
    eti__synthetic_free(&m.synthetic);
    eti__shared_texts_free(&m.texts);
    eti__intern_free(&m.loggings.table);
    return status;
}

eti_status eti__slice_source_add_counters(eti_slice_source *source, eti_error *err) {
    source->has_counters = true;
    return eti__planned_use_make(&source->planned, source, err);
}

/* Compares runs by duration, then by order of recording. */
static int compare_times(const void *a, const void *b, void *runs) {
    const eti_slice_run *of = runs;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    uint64_t x_ticks = of[x].last - of[x].first, y_ticks = of[y].last - of[y].first;
    if (x_ticks != y_ticks)
        return x_ticks < y_ticks ? -1 : 1;
    return (x > y) - (x < y);
}

size_t *eti__slice_runs_by_time(const eti_slice_source *source) {
    size_t *numbers = calloc(source->n_runs + 1, sizeof *numbers);
    for (size_t i = 0; numbers && i < source->n_runs; i++)
        numbers[i] = i;
    if (numbers)
        eti__sort(numbers, source->n_runs, sizeof *numbers, compare_times, source->runs);
    return numbers;
}

size_t eti__slice_runs_representative(const eti_slice_source *source) {
    const eti_event_block *blocks = source->inspector->blocks.blocks;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < source->n_runs; i++) {
        const eti_slice_run *run = &source->runs[i];
        if (!run->is_representative)
            continue;
        bool does_run = eti__block_runs(&blocks[run->block]);
        bool did_run = found != SIZE_MAX && eti__block_runs(&blocks[source->runs[found].block]);
        bool is_earlier = found == SIZE_MAX || run->block < source->runs[found].block;
        if (does_run == did_run ? is_earlier : does_run)
            found = i;
    }
    return found;
}

void eti__slice_source_free(eti_slice_source *source) {
    free(source->runs);
    eti__intern_free(&source->lane_names.table);
    eti__arena_free(&source->arena);
    *source = (eti_slice_source){0};
}

/* ==== slice names ============================================================================= */

/* Largest number of bytes of names that are repeated in each run, track or sample. */
#define MOST_NAME 256

void eti__slice_run_add_name(const eti_slice_source *source, const eti_slice_run *run,
                             eti_buffer *out) {
    const eti_event_block *block = &source->inspector->blocks.blocks[run->block];
    eti_text name = block->label.size > 0 ? block->label : eti__text_of(ETI_GROUP_NO_NAME);
    eti__buffer_add_cut(out, name, MOST_NAME);
    eti__buffer_printf(out, " #%u", (unsigned)run->number);
}

/* Appends the name of a thread or queue, such as "decoder", "lane 2" or, of the main thread, "method". */
static void add_thread(const eti_slice_source *source, const eti_slice_track *track,
                       eti_buffer *out) {
    const eti_lane_name key = {track->dump, track->thread, {0}};
    uint32_t number;
    if (eti__intern_find(&source->lane_names.table, &lane_name_kind, &key, &number) &&
        source->lane_names.items[number].name.size > 0) {
        eti__buffer_add_cut(out, source->lane_names.items[number].name, MOST_NAME);
    } else if (track->thread > 0) {
        eti__buffer_printf(out, "lane %" PRIu32, track->thread);
    } else {
        eti__buffer_add_string(out, "method");
    }
}

void eti__slice_track_add_name(const eti_slice_source *source, const eti_slice_track *track,
                               eti_buffer *out) {
    static const char *const suffixes[ETI_N_TRACK_KINDS] = {
        [ETI_TRACK_METHOD] = "",
        [ETI_TRACK_DEVICE] = "",
        [ETI_TRACK_SYNTHETIC] = " (positions computed, not measured)",
        [ETI_TRACK_OWN_CLOCK] = " (own clock)",
        [ETI_TRACK_NO_CALL] = " (no call)",
        [ETI_TRACK_DEBUG] = "debug events",
    };
    if (track->run != ETI_EVERY_RUN) {
        const eti_slice_run *run = &source->runs[track->run];
        eti__buffer_printf(out, "run %u", (unsigned)run->number);
        eti__buffer_add_string(out,
                               track->kind == ETI_TRACK_METHOD && track->thread == 0 ? "" : ", ");
    }
    if (track->thread > 0 || (track->kind == ETI_TRACK_METHOD && track->run == ETI_EVERY_RUN))
        add_thread(source, track, out);
    if (track->thread > 0 && track->kind != ETI_TRACK_METHOD)
        eti__buffer_add_string(out, ", ");
    if (track->kind != ETI_TRACK_METHOD)
        eti__buffer_add_cut(out,
                            track->unit.size > 0 ? track->unit : eti__backend_label(track->backend),
                            MOST_NAME);
    eti__buffer_add_string(out, suffixes[track->kind]);
    eti__buffer_add_string(out, track->is_in_cycles ? " (cycles)" : "");
    if (track->lane > 0)
        eti__buffer_printf(out, " (overlap %u)", (unsigned)track->lane + 1);
}

const char *eti__slice_track_help(const eti_slice_track *track) {
    static const char *const help[ETI_N_TRACK_KINDS] = {
        [ETI_TRACK_DEVICE] =
            "The device has its own clock: its first event is placed at the start of the event or "
            "call around it. Distances are as recorded, or shortened if the events would otherwise "
            "end too late. Cycles of an unknown clock share the time of what is around them.",
        [ETI_TRACK_SYNTHETIC] = "The backend did not record these positions: the events are laid "
                                "end to end. They are as long as their times in the tables.",
        [ETI_TRACK_OWN_CLOCK] =
            "The backend uses its own clock: the first event of each call is placed at the start "
            "of that call. Distances within a call are as recorded, or shortened if the events "
            "would otherwise end too late.",
        [ETI_TRACK_NO_CALL] = "A delegate logged these events, but no DELEGATE_CALL matches them.",
        [ETI_TRACK_DEBUG] = "Debug events have no time stamps: each is placed after the event "
                            "recorded before it, and not before the start of the event after it.",
    };
    return help[track->kind];
}

/* Begins a name that belongs to only one run. */
static void add_run_number(const eti_slice_source *source, uint32_t run, eti_buffer *out) {
    if (run != ETI_EVERY_RUN)
        eti__buffer_printf(out, "run %u, ", (unsigned)source->runs[run].number);
}

void eti__slice_counter_add_name(const eti_slice_source *source, const eti_slice_counter *counter,
                                 eti_buffer *out) {
    add_run_number(source, counter->run, out);
    switch ((eti_slice_counter_kind)counter->kind) {
    case ETI_COUNTER_RUN_TIME:
        eti__buffer_add_string(out, "run time");
        eti__buffer_add_string(out, source->is_in_cycles ? " (cycles)" : "");
        break;
    case ETI_COUNTER_ALLOCATOR:
        eti__buffer_add_cut(out, counter->name, MOST_NAME);
        if (counter->name.size > MOST_NAME)
            eti__buffer_printf(out, " #%" PRIu32, counter->number);
        break;
    case ETI_COUNTER_LOGGED:
    case ETI_COUNTER_COUNTED:
        eti__buffer_add_cut(out, counter->name, MOST_NAME);
        break;
    case ETI_COUNTER_ARENA:
        eti__buffer_printf(out, "planned memory %" PRIu32, counter->number);
        if (source->planned->n_plans > 1) {
            eti__buffer_add_string(out, " of ");
            eti__buffer_add_cut(out, counter->name, MOST_NAME);
        }
        break;
    }
}

eti_text eti__slice_instant_name(const eti_sliced_run *run, const eti_slice_instant *instant) {
    eti_etdump_event event;
    eti__etdump_read_event(&event, run->recorded->dump,
                           eti__block_run_position(run->recorded, instant->number));
    eti_text name = event.kind == ETI_ETDUMP_DEBUG ? event.name : (eti_text){0};
    if (name.size == 0 && instant->event != ETI_NO_EVENT)
        name = run->block->events[instant->event].name;
    if (name.size == 0)
        return eti__text_of(event.is_run_output ? "(output)" : ETI_GROUP_NO_NAME);
    name.size = name.size < MOST_NAME ? name.size : MOST_NAME;
    return name;
}

const char *eti__slice_counter_help(const eti_slice_counter *counter) {
    static const char *const help[] = {
        [ETI_COUNTER_ALLOCATOR] =
            "Bytes allocated so far in this run; freed memory is not recorded. Allocations have no "
            "time stamps: each is placed after the event recorded before it, and not before the "
            "start of the event after it.",
        [ETI_COUNTER_ARENA] = "Bytes in use according to the program's memory plan, from the start "
                              "of each instruction.",
        [ETI_COUNTER_RUN_TIME] = NULL,
        [ETI_COUNTER_LOGGED] =
            "What the delegate counted in each of its calls, at the start of the call.",
        [ETI_COUNTER_COUNTED] = "What the program counted in events, at the start of each.",
    };
    return help[counter->kind];
}
