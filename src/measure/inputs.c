#include "measure/recording.h"

#include "base/status.h"
#include "program/program.h"
#include "stats/stats.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Number of elements that are made together. */
#define PIECE 4096

/* An input of the method. */
typedef struct port {
    const eti_pte_value *value;
    const eti_pte_tensor *tensor; /* NULL: another kind */
    const eti_scalar_type *type;  /* of the tensor */
    uint64_t n_bytes;
} port;

/* ---- ports ----------------------------------------------------------------------------------- */

static eti_status fail_port(size_t i, const char *what, eti_error *err) {
    return eti_fail(err, ETI_ERROR_USAGE,
                    "input %zu of the method is %s: use %scommand with a program of yours", i, what,
                    eti__option_prefix());
}

static eti_status read_port(port *out, const eti_pte_plan *plan, size_t i, eti_error *err) {
    const eti_pte_value *value = &plan->values[plan->inputs.items[i]];
    *out = (port){.value = value};
    switch (value->kind) {
    case ETI_PTE_NULL:
        return ETI_OK;
    case ETI_PTE_INT:
    case ETI_PTE_DOUBLE:
        out->n_bytes = 8;
        return ETI_OK;
    case ETI_PTE_BOOL:
        out->n_bytes = 1;
        return ETI_OK;
    case ETI_PTE_TENSOR:
        break;
    default:
        return fail_port(i, "a text or a list", err);
    }
    out->tensor = value->of.as_tensor;
    out->type = eti__scalar_type(out->tensor->scalar_type);
    out->n_bytes = out->tensor->n_bytes;
    if (out->n_bytes == ETI_PTE_UNKNOWN_SIZE || out->type->width == 0)
        return fail_port(i, "a tensor of unknown size", err);
    return ETI_OK;
}

void eti__inputs_describe(eti_buffer *out, const eti_pte_plan *plan) {
    static const char *const names[] = {[ETI_PTE_NULL] = "None",
                                        [ETI_PTE_INT] = "int",
                                        [ETI_PTE_BOOL] = "bool",
                                        [ETI_PTE_DOUBLE] = "float"};
    for (uint32_t i = 0; i < plan->inputs.n; i++) {
        const eti_pte_value *value = &plan->values[plan->inputs.items[i]];
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        if (value->kind != ETI_PTE_TENSOR) {
            bool is_named = value->kind < sizeof names / sizeof *names && names[value->kind];
            eti__buffer_add_string(out, is_named ? names[value->kind] : "other");
            continue;
        }
        const eti_pte_tensor *tensor = value->of.as_tensor;
        eti__buffer_printf(out, "%s [", eti__scalar_type(tensor->scalar_type)->name);
        for (uint32_t k = 0; k < tensor->n_dims; k++)
            eti__buffer_printf(out, "%s%ld", k > 0 ? ", " : "", (long)tensor->sizes[k]);
        eti__buffer_add_char(out, ']');
    }
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Returns the bits of a number in [0, 1] in a small floating type, rounded to the nearest, ties to even. */
static uint16_t encode(double number, int n_mantissa, int bias) {
    int exponent;
    if (number <= 0)
        return 0;
    (void)frexp(number, &exponent); /* number = fraction * 2^exponent, fraction in [0.5, 1) */
    exponent--;
    if (exponent < 1 - bias)
        return (uint16_t)nearbyint(ldexp(number, bias - 1 + n_mantissa));
    double mantissa = nearbyint(ldexp(number, n_mantissa - exponent));
    return (uint16_t)(((unsigned)(exponent + bias) << n_mantissa) + (unsigned)mantissa -
                      (1U << n_mantissa));
}

/* Float8 types by their numbers, and how their bits are divided. */
static const struct {
    int8_t number;
    int n_mantissa, bias;
} small_floats[] = {{5, 10, 15},  /* float16 */
                    {15, 7, 127}, /* bfloat16 */
                    {23, 2, 15},  /* float8_e5m2 */
                    {24, 3, 7},   /* float8_e4m3fn */
                    {25, 2, 16},  /* float8_e5m2fnuz */
                    {26, 3, 8}};  /* float8_e4m3fnuz */

/* Stores a number in a floating type, little-endian. Returns false if the type is not known. */
static bool store_float(uint8_t *out, int8_t scalar_type, uint8_t kind, double number) {
    uint64_t bits = 0;
    size_t width = 0;
    if (kind == ETI_ELEMENT_SINGLE) {
        float single = (float)number;
        uint32_t own;
        memcpy(&own, &single, sizeof own);
        bits = own;
        width = sizeof own;
    } else if (kind == ETI_ELEMENT_DOUBLE) {
        memcpy(&bits, &number, sizeof bits);
        width = sizeof bits;
    }
    for (size_t i = 0; i < sizeof small_floats / sizeof *small_floats && width == 0; i++) {
        if (small_floats[i].number == scalar_type) {
            bits = encode(number, small_floats[i].n_mantissa, small_floats[i].bias);
            width = small_floats[i].number < 20 ? 2 : 1;
        }
    }
    for (size_t i = 0; i < width; i++)
        out[i] = (uint8_t)(bits >> 8 * i);
    return width > 0;
}

/* Stores 1 as an integer or truth of this width. */
static void store_one(uint8_t *out, size_t width) {
    memset(out, 0, width);
    out[0] = 1;
}

/* Stores a value that is no tensor: that of the program, because the runtime refuses all others. */
static size_t store_scalar(uint8_t out[8], const port *p) {
    uint64_t bits = 0;
    if (p->value->kind == ETI_PTE_DOUBLE)
        memcpy(&bits, &p->value->of.as_double, sizeof bits);
    else if (p->value->kind == ETI_PTE_INT)
        bits = (uint64_t)p->value->of.as_int;
    else if (p->value->kind == ETI_PTE_BOOL)
        bits = p->value->of.as_bool;
    for (size_t i = 0; i < p->n_bytes; i++)
        out[i] = (uint8_t)(bits >> 8 * i);
    return (size_t)p->n_bytes;
}

/* Stores an element of a tensor; floating ones are drawn from the stream, unless it is NULL. */
static bool store_element(uint8_t *out, const port *p, eti_random *random) {
    if (p->type->is_float)
        return store_float(out, p->tensor->scalar_type, p->type->kind,
                           random ? eti__random_uniform(random) : 1);
    store_one(out, p->type->width);
    return p->type->kind == ETI_ELEMENT_SIGNED || p->type->kind == ETI_ELEMENT_UNSIGNED ||
           p->type->kind == ETI_ELEMENT_TRUTH;
}

/* Writes an input whose elements are made. */
static eti_status make_port(FILE *file, const port *p, size_t number, eti_random *random,
                            eti_error *err) {
    uint8_t piece[8 * PIECE] = {0};
    if (!p->tensor) {
        (void)fwrite(piece, 1, store_scalar(piece, p), file);
        return ETI_OK;
    }
    const size_t width = p->type->width;
    uint64_t n = p->n_bytes / width;
    while (n > 0) {
        size_t now = n < PIECE ? (size_t)n : PIECE;
        for (size_t i = 0; i < now; i++) {
            if (width > 8 || !store_element(piece + i * width, p, random))
                return fail_port(number, "a tensor of a type that has no random numbers", err);
        }
        if (fwrite(piece, width, now, file) != now)
            return ETI_OK; /* ferror() reports it */
        n -= now;
    }
    return ETI_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *suffix) {
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

/* Writes the elements of a tensor in the order of the port's dimensions. */
static void write_tensor(FILE *file, const port *p, const eti_tensor_values *tensor) {
    int64_t sizes[ETI_TENSOR_MOST_DIMS], strides[ETI_TENSOR_MOST_DIMS];
    uint8_t piece[8 * PIECE];
    const size_t width = p->type->width;
    eti_tensor_values turned = *tensor;
    for (uint32_t i = 0; i < tensor->n_dims; i++) {
        uint32_t from = p->tensor->dim_order ? p->tensor->dim_order[i] : i;
        sizes[i] = tensor->sizes[from];
        strides[i] = tensor->strides[from];
    }
    turned.sizes = sizes;
    turned.strides = strides;
    for (uint64_t at = 0; at < tensor->n_elements && width <= 8;) {
        uint64_t left = tensor->n_elements - at, now = left < PIECE ? left : PIECE;
        eti__tensor_values_copy(&turned, at, now, piece);
        if (fwrite(piece, width, (size_t)now, file) != now)
            return;
        at += now;
    }
}

/* Writes a value of a test case. */
static eti_status write_value(FILE *file, const port *p, size_t number,
                              const eti_bundle_value *value, eti_error *err) {
    uint8_t truth = value->as_int != 0;
    if (value->fault)
        return eti_fail(err, ETI_ERROR_DATA, "%sinputs: the value of input %zu %s",
                        eti__option_prefix(), number, value->fault);
    if (p->tensor && value->kind == ETI_BUNDLE_TENSOR) {
        if (eti__tensor_values_size(&value->tensor) != p->n_bytes ||
            value->tensor.scalar_type != p->tensor->scalar_type ||
            value->tensor.n_dims != p->tensor->n_dims)
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%sinputs: the tensor for input %zu has other sizes or another type",
                            eti__option_prefix(), number);
        write_tensor(file, p, &value->tensor);
    } else if (p->value->kind == ETI_PTE_INT && value->kind == ETI_BUNDLE_INT) {
        (void)fwrite(&value->as_int, sizeof value->as_int, 1, file);
    } else if (p->value->kind == ETI_PTE_DOUBLE && value->kind == ETI_BUNDLE_DOUBLE) {
        (void)fwrite(&value->as_double, sizeof value->as_double, 1, file);
    } else if (p->value->kind == ETI_PTE_BOOL && value->kind == ETI_BUNDLE_BOOL) {
        (void)fwrite(&truth, sizeof truth, 1, file);
    } else if (p->value->kind != ETI_PTE_NULL) {
        return eti_fail(err, ETI_ERROR_USAGE, "%sinputs: the value for input %zu has another type",
                        eti__option_prefix(), number);
    }
    return ETI_OK;
}

/* Copies a file of raw bytes after checking its size. */
static eti_status copy_raw(FILE *file, const port *p, size_t number, const char *path,
                           eti_error *err) {
    struct eti_file raw;
    ETI_TRY(eti__file_open_source(&raw, &(eti_source){.path = path}, err));
    eti_status status = ETI_OK;
    if (raw.size != p->n_bytes)
        status =
            eti_fail(err, ETI_ERROR_USAGE,
                     "%sinputs: %s has %zu bytes, but input %zu of the method has %llu",
                     eti__option_prefix(), path, raw.size, number, (unsigned long long)p->n_bytes);
    else
        (void)fwrite(raw.data, 1, raw.size, file);
    eti__file_release(&raw);
    return status;
}

/* ---- option ---------------------------------------------------------------------------------- */

/* Kinds of values of the option inputs. */
typedef enum inputs_kind { RANDOM, ONES, NPZ, BUNDLE, FILES } inputs_kind;

/* Returns the length of the path in FILE.bpte or FILE.bpte:N, 0 in other texts. */
static size_t bundle_length(const char *inputs) {
    static const char suffix[] = ".bpte";
    const char *colon = strrchr(inputs, ':');
    size_t size = ends_with(inputs, suffix) || !colon ? strlen(inputs) : (size_t)(colon - inputs);
    size_t n = sizeof suffix - 1;
    return size >= n && memcmp(inputs + size - n, suffix, n) == 0 ? size : 0;
}

static inputs_kind kind_of(const char *inputs) {
    if (strcmp(inputs, "random") == 0)
        return RANDOM;
    if (strcmp(inputs, "ones") == 0)
        return ONES;
    if (ends_with(inputs, ".npz"))
        return NPZ;
    return bundle_length(inputs) > 0 ? BUNDLE : FILES;
}

/* Finds the next path in a list, and goes to the one after it. Returns its length. */
static size_t next_path(const char **list, const char **path) {
    size_t size = strcspn(*list, ",");
    *path = *list;
    *list += size + ((*list)[size] == ',');
    return size;
}

bool eti__inputs_name(const char *inputs, const char *path,
                      bool (*is_same)(const char *path, const char *other)) {
    char other[PATH_MAX];
    const char *at;
    inputs_kind kind = kind_of(inputs);
    bool found = false;
    if (kind == NPZ || kind == BUNDLE) {
        size_t size = kind == NPZ ? strlen(inputs) : bundle_length(inputs);
        snprintf(other, sizeof other, "%.*s", (int)size, inputs);
        return is_same(path, other);
    }
    while (kind == FILES && *inputs && !found) {
        size_t size = next_path(&inputs, &at);
        snprintf(other, sizeof other, "%.*s", (int)size, at);
        found = is_same(path, other);
    }
    return found;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Where the inputs come from. */
typedef struct origin {
    eti_arena arena;
    struct eti_file file;
    eti_tensor_file tensors;
    eti_pte bundle;
    const eti_bundle_value *values; /* one for each input; NULL: none */
    const char **paths;             /* likewise */
    eti_random *random;
    eti_random stream;
} origin;

static eti_status open_bundle(origin *from, const eti_pte_plan *plan, const char *text,
                              eti_error *err) {
    const char *colon = text + bundle_length(text);
    char *path = strndup(text, bundle_length(text)), *end = NULL;
    unsigned long number = 0;
    bool is_number = *colon == '\0' || (colon[1] >= '0' && colon[1] <= '9');
    if (!path)
        return eti_fail_memory(err);
    if (*colon)
        number = strtoul(colon + 1, &end, 10);
    eti_status status =
        !is_number || (end && *end)
            ? eti_fail(err, ETI_ERROR_USAGE, "%sinputs: expected FILE.bpte:N, found %s",
                       eti__option_prefix(), text)
            : eti__input_open(&from->file, &(eti_source){.path = path}, ETI_FILE_BUNDLED_PROGRAM,
                              err);
    if (status == ETI_OK)
        status = eti__pte_open(&from->bundle, &from->arena, &from->file, err);
    for (uint32_t i = 0; status == ETI_OK && i < from->bundle.bundle.n_suites; i++) {
        const eti_bundle_suite *suite = &from->bundle.bundle.suites[i];
        const eti_bundle_case *cases;
        if (!eti__text_equal(suite->method, plan->name))
            continue;
        status = eti__bundle_read_suite(&cases, &from->arena, &from->bundle.bundle, i, err);
        if (status == ETI_OK && number < suite->n_cases && cases[number].n_inputs == plan->inputs.n)
            from->values = cases[number].inputs;
    }
    if (status == ETI_OK && !from->values)
        status = eti_fail(err, ETI_ERROR_USAGE,
                          "%sinputs: %s has no test case %lu with the inputs of %.*s",
                          eti__option_prefix(), path, number, ETI_TEXT_ARGS(plan->name));
    free(path);
    return status;
}

static eti_status open_npz(origin *from, const eti_pte_plan *plan, const char *path,
                           eti_error *err) {
    eti_bundle_case made;
    ETI_TRY(eti__file_open_source(&from->file, &(eti_source){.path = path}, err));
    ETI_TRY(eti__tensor_file_open(&from->tensors, &from->arena, &from->file, err));
    const eti_test_file file = {&from->tensors, path, true};
    ETI_TRY(eti__test_case_add_inputs(&made, &from->arena, plan, &file, err));
    from->values = made.inputs;
    return ETI_OK;
}

/* Splits a list of files, one for each input. */
static eti_status split_paths(origin *from, const eti_pte_plan *plan, const char *list,
                              eti_error *err) {
    const uint32_t n = plan->inputs.n;
    uint32_t n_given = *list ? 1 : 0;
    for (const char *at = list; *at; at++)
        n_given += *at == ',';
    if (n_given != n)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sinputs: expected %u files, one for each input of %.*s, found %u: %s",
                        eti__option_prefix(), (unsigned)n, ETI_TEXT_ARGS(plan->name),
                        (unsigned)n_given, list);
    from->paths = eti__arena_alloc_zero(&from->arena, (size_t)n + 1, sizeof *from->paths);
    for (uint32_t i = 0; from->paths && i < n; i++) {
        const char *at;
        size_t size = next_path(&list, &at);
        const char *path = eti__arena_string_of(&from->arena, (eti_text){at, size});
        if (!path)
            return eti_fail_memory(err);
        from->paths[i] = path;
    }
    return from->paths ? ETI_OK : eti_fail_memory(err);
}

static eti_status open_origin(origin *from, const eti_pte_plan *plan,
                              const eti_recording_options *options, eti_error *err) {
    const char *inputs = options->inputs;
    *from = (origin){.stream = eti__random_start(options->input_seed, 0)};
    switch (kind_of(inputs)) {
    case RANDOM:
        from->random = &from->stream;
        break;
    case ONES:
        break;
    case NPZ:
        return open_npz(from, plan, inputs, err);
    case BUNDLE:
        return open_bundle(from, plan, inputs, err);
    case FILES:
        return split_paths(from, plan, inputs, err);
    }
    return ETI_OK;
}

static eti_status write_port(FILE *file, origin *from, const port *p, size_t i, eti_error *err) {
    if (from->values)
        return write_value(file, p, i, &from->values[i], err);
    if (from->paths)
        return copy_raw(file, p, i, from->paths[i], err);
    return make_port(file, p, i, from->random, err);
}

static eti_status write_file(eti_work *work, origin *from, const port *p, size_t i,
                             eti_error *err) {
    char name[32];
    snprintf(name, sizeof name, "in-%zu.bin", i);
    const char *path = eti__work_path(work, name);
    if (!path)
        return eti_fail_memory(err);
    FILE *file = fopen(path, "wbe");
    eti_status status = file ? write_port(file, from, p, i, err) : ETI_OK;
    bool is_written = file && !ferror(file);
    is_written = file && fclose(file) == 0 && is_written;
    if (status == ETI_OK && !is_written)
        status = eti__work_fail(work, name, err);
    return status;
}

eti_status eti__inputs_write(eti_work *work, const eti_pte_plan *plan,
                             const eti_recording_options *options, eti_error *err) {
    origin from;
    eti_status status = open_origin(&from, plan, options, err);
    for (uint32_t i = 0; status == ETI_OK && i < plan->inputs.n; i++) {
        port p;
        status = read_port(&p, plan, i, err);
        if (status == ETI_OK)
            status = write_file(work, &from, &p, i, err);
    }
    eti__tensor_file_close(&from.tensors);
    eti__file_release(&from.file);
    eti__arena_free(&from.arena);
    return status;
}
