#include "measure/recording.h"

#include "base/status.h"
#include "pte/pte.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs -------------------------------------------------------------------------------- */

/* An open program and the method that is recorded. */
typedef struct side {
    eti_arena arena;
    struct eti_file file;
    eti_pte program;
    const eti_pte_plan *plan;
} side;

bool eti__is_program(const char *path) {
    struct eti_file file;
    if (!path || eti__file_open_source(&file, &(eti_source){.path = path}, NULL) != ETI_OK)
        return false;
    bool found = file.size >= 8 &&
                 (memcmp(file.data + 4, "ET12", 4) == 0 || memcmp(file.data + 4, "BP08", 4) == 0);
    eti__file_release(&file);
    return found;
}

static void close_side(side *s) {
    eti__file_release(&s->file);
    eti__arena_free(&s->arena);
}

/* Opens a program. `plan` is NULL if the method cannot be chosen, which recording reports. */
static eti_status open_side(side *out, const char *path, const char *method, eti_error *err) {
    *out = (side){.plan = NULL};
    eti_status status =
        eti__input_open(&out->file, &(eti_source){.path = path}, ETI_FILE_PROGRAM, err);
    if (status == ETI_OK)
        status = eti__pte_open(&out->program, &out->arena, &out->file, err);
    if (status != ETI_OK) {
        close_side(out);
        return status;
    }
    out->plan = eti__recorded_plan(&out->program, method);
    return ETI_OK;
}

/* Returns the number of the first port in which two lists of values differ; the larger number of ports: in none. */
static size_t find_other_port(const side *a, eti_pte_indices in_a, const side *b,
                              eti_pte_indices in_b) {
    size_t n = in_a.n < in_b.n ? in_a.n : in_b.n;
    for (size_t i = 0; i < n; i++) {
        const eti_pte_value *x = &a->plan->values[in_a.items[i]],
                            *y = &b->plan->values[in_b.items[i]];
        if (x->kind != y->kind)
            return i;
        if (x->kind != ETI_PTE_TENSOR)
            continue;
        const eti_pte_tensor *s = x->of.as_tensor, *t = y->of.as_tensor;
        if (s->scalar_type != t->scalar_type || s->n_dims != t->n_dims ||
            (s->n_dims > 0 && memcmp(s->sizes, t->sizes, s->n_dims * sizeof *s->sizes) != 0))
            return i;
    }
    return in_a.n == in_b.n ? in_a.n + (size_t)1 : n;
}

static eti_status check_ports(const side *a, const side *b, eti_error *err) {
    const eti_pte_plan *x = a->plan, *y = b->plan;
    const struct {
        const char *name;
        eti_pte_indices of_base, of_new;
    } ports[] = {{"input", x->inputs, y->inputs}, {"output", x->outputs, y->outputs}};
    for (size_t i = 0; i < 2; i++) {
        size_t other = find_other_port(a, ports[i].of_base, b, ports[i].of_new);
        if (other <= ports[i].of_base.n)
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%s and %s have different ports: %s %zu differs, so that their times "
                            "cannot be compared",
                            a->file.name, b->file.name, ports[i].name, other);
    }
    return ETI_OK;
}

static eti_status compare_ports(const eti_runner *runner, eti_error *err) {
    side base, other;
    const char *method = runner->recording.method;
    ETI_TRY(open_side(&base, runner->programs[ETI_MEASURED_BASE], method, err));
    eti_status status = open_side(&other, runner->programs[ETI_MEASURED_NEW], method, err);
    if (status == ETI_OK) {
        if (base.plan && other.plan)
            status = check_ports(&base, &other, err);
        close_side(&other);
    }
    close_side(&base);
    return status;
}

/* Rejects options about recording if the sides are commands. */
static eti_status check_unused(const eti_recording_options *options, eti_error *err) {
    const char *given = eti__option_of_runtimes(options, true);
    return given ? eti_fail(err, ETI_ERROR_USAGE,
                            "%s%s applies to programs (.pte), but the sides are commands: leave it "
                            "out",
                            eti__option_prefix(), given)
                 : ETI_OK;
}

eti_status eti__sides_open(eti_runner *runner, const eti_measure_options *options, eti_error *err) {
    bool is_base = eti__is_program(options->base), is_new = eti__is_program(options->new_side);
    static const eti_recording_options standard = ETI_RECORDING_OPTIONS_DEFAULT;
    runner->recording = options->recording ? *options->recording : standard;
    runner->programs[ETI_MEASURED_BASE] = is_base ? options->base : NULL;
    runner->programs[ETI_MEASURED_NEW] = is_new ? options->new_side : NULL;
    if (!is_new && !is_base)
        return check_unused(&runner->recording, err);
    if (options->base && is_base != is_new)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s is a program, but the other side is a command: give two programs, or "
                        "two commands",
                        is_base ? options->base : options->new_side);
    if (options->pull || options->uses_shell)
        return eti_fail(err, ETI_ERROR_USAGE, "%s%s applies to commands, but %s is a program",
                        eti__option_prefix(), options->pull ? "pull" : "shell", options->new_side);
    return is_base ? compare_ports(runner, err) : ETI_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

static bool goes_on(void *context, const char *step, uint64_t done, uint64_t total) {
    const eti_runner *runner = context;
    (void)step;
    (void)done;
    (void)total;
    return !runner->wait || runner->wait(runner->wait_context);
}

eti_status eti__side_run(eti_runner *runner, eti_measured_side of, const char *path,
                         eti_error *err) {
    eti_recording_result result, *first = &runner->first[of];
    eti_recording_options options = runner->recording;
    options.etdump_path = path;
    options.replaces = true;
    options.timeout = (size_t)runner->timeout;
    options.keeps_outputs = !first->path;
    if (strcmp(options.device, "local") != 0) {
        if (!runner->device)
            runner->device = calloc(1, sizeof *runner->device);
        if (!runner->device)
            return eti_fail_memory(err);
        options.shared_device = runner->device;
        options.model_name = of == ETI_MEASURED_BASE ? "model-base.pte" : "model-new.pte";
    }
    for (size_t i = 0; i < ETI_N_MEASURED_SIDES; i++)
        options.like = runner->first[i].path ? &runner->first[i] : options.like;
    ETI_TRY(eti__record(&result, runner->programs[of], &options, (eti_progress){goes_on, runner},
                        runner->log, runner->log_context, err));
    if (first->path)
        eti__recording_free(&result);
    else
        *first = result;
    return ETI_OK;
}

void eti__sides_close(eti_runner *runner) {
    eti_work work = {.lock = -1};
    if (runner->device)
        eti__device_close(runner->device, &work);
    eti__work_close(&work);
    free(runner->device);
    runner->device = NULL;
    for (size_t i = 0; i < ETI_N_MEASURED_SIDES; i++)
        eti__recording_free(&runner->first[i]);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Compares two outputs whose bytes differ. */
static void compare_output(eti_outputs_difference *out, const eti_pte_value *value, size_t number,
                           const eti_output_bytes *base, const eti_output_bytes *other,
                           double tolerance) {
    bool is_tensor = value->kind == ETI_PTE_TENSOR;
    int8_t type = 0;
    if (is_tensor)
        type = value->of.as_tensor->scalar_type;
    size_t width = is_tensor ? eti__scalar_type(type)->width : 0;
    double most = 0, largest = 0;
    bool is_comparable = width > 0 && base->size == other->size && eti__elements_are_readable(type);
    for (size_t at = 0; is_comparable && at + width <= base->size; at += width) {
        double x, y;
        eti__elements_as_doubles(type, base->data + at, 1, &x);
        eti__elements_as_doubles(type, other->data + at, 1, &y);
        if (isfinite(x))
            largest = fmax(largest, fabs(x));
        if ((isnan(x) && isnan(y)) || x == y)
            continue;
        double difference = fabs(x - y);
        most = isnan(difference) ? INFINITY : fmax(most, difference);
    }
    if (!is_comparable)
        most = INFINITY;
    if (most == 0)
        return; /* NaN of other bits, or zeros of both signs */
    double share = largest > 0 ? most / largest : INFINITY;
    out->n_above += share > tolerance;
    if (out->verdict == ETI_OUTPUTS_DIFFER && out->share >= share)
        return;
    out->verdict = ETI_OUTPUTS_DIFFER;
    out->output = number;
    out->most = most;
    out->share = share;
}

eti_status eti__outputs_compare(eti_outputs_difference *out, const eti_runner *runner,
                                double tolerance, eti_error *err) {
    const eti_recording_result *base = &runner->first[ETI_MEASURED_BASE],
                               *other = &runner->first[ETI_MEASURED_NEW];
    side s;
    *out = (eti_outputs_difference){.verdict = ETI_OUTPUTS_UNCHECKED};
    if (!base->outputs || !other->outputs || base->n_outputs != other->n_outputs)
        return ETI_OK;
    ETI_TRY(open_side(&s, runner->programs[ETI_MEASURED_BASE], runner->recording.method, err));
    out->verdict = ETI_OUTPUTS_EQUAL;
    out->n = base->n_outputs;
    for (size_t i = 0; s.plan && i < out->n && i < s.plan->outputs.n; i++) {
        const eti_output_bytes *x = &base->outputs[i], *y = &other->outputs[i];
        if (x->size != y->size || memcmp(x->data, y->data, x->size) != 0)
            compare_output(out, &s.plan->values[s.plan->outputs.items[i]], i, x, y, tolerance);
    }
    close_side(&s);
    return ETI_OK;
}
