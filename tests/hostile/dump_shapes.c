/* dump_shapes.c - ETDumps alone. */
#include "shapes.h"

static const char *const kernels[] = {
    "native_call_addmm.out",
    "native_call_permute_copy.out",
    "native_call_view_copy.out",
    "native_call_native_layer_norm.out",
    "native_call_expand_copy.out",
    "native_call_bmm.out",
    "native_call__softmax.out",
    "native_call_mul.Tensor_out",
    "native_call_slice_copy.Tensor_out",
    "native_call_gelu.out",
};

#define N_KERNELS (sizeof kernels / sizeof *kernels)

/* ---- valid dumps ----------------------------------------------------------------------------- */

static place put_kernel(builder *b, size_t number, uint64_t start) {
    return PUT_TIMED(b, .name = put_string(b, kernels[number % N_KERNELS]), .id = (int32_t)number,
                     .start = start, .end = start + 1000 + number % 700);
}

static void put_loading(builder *b, places *runs) {
    places events = {0};
    add_place(&events, PUT_TIMED(b, .name = put_string(b, "Program::load_method"), .id = -1,
                                 .start = 1000, .end = 90000));
    place vector = put_places(b, &events);
    add_place(runs, put_run_at(b, put_string(b, "Default"), vector));
}

static place put_kernel_run(builder *b, size_t n_kernels, uint64_t start) {
    places events = {0};
    for (size_t i = 0; i < n_kernels; i++)
        add_place(&events, put_kernel(b, i, start + i * 2000));
    place vector = put_places(b, &events);
    return put_run_at(b, put_string(b, "Execute"), vector);
}

/* One model that ran often. */
static void make_valid_runs(files *out, size_t size) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    put_loading(b, &runs);
    for (uint64_t start = 1000000000; b->size + 4 * runs.n < size || runs.n < 2; start += 100000)
        add_place(&runs, put_kernel_run(b, size < 4096 ? 4 : 30, start));
    finish_runs(b, &runs);
}

/* One large model that ran once. */
static void make_valid_rows(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    for (size_t i = 0; b->size + 4 * events.n < size; i++)
        add_place(&events, put_kernel(b, i, 1000000000 + i * 2000));
    finish_run(b, &events);
}

/* A delegate that logs its operators by name, with metadata. */
static void make_valid_metadata(files *out, size_t size) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    for (uint64_t start = 1000000000; b->size < size || runs.n == 0; start += 100000) {
        places events = {0};
        for (int32_t i = 0; i < 10; i++) {
            place metadata = put_bytes(b, "{\"cycles\": 12345, \"core\": 3}", 28);
            add_place(&events, PUT_TIMED(b, .id = i, .metadata = metadata, .start = start,
                                         .delegate_name = put_string(b, "aten_tan_default.sin"),
                                         .end = start + 5000));
        }
        place vector = put_places(b, &events);
        add_place(&runs, put_run_at(b, put_string(b, "Execute"), vector));
    }
    finish_runs(b, &runs);
}

void make_small_dump(builder *b, size_t n) {
    places events = {0};
    b->vtables_shared = true;
    for (size_t i = 0; i < n; i++)
        add_place(&events, put_kernel(b, i, 1000000000 + i * 2000));
    finish_run(b, &events);
}

/* ---- many small items ------------------------------------------------------------------------ */

static void make_dense_events(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    for (int32_t i = 0; b->size + 4 * events.n < size; i++)
        add_place(&events, PUT_TIMED(b, .id = i));
    finish_run(b, &events);
}

static void make_dense_equal_events(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    while (b->size + 4 * events.n < size)
        add_place(&events, PUT_TIMED(b, .id = -1));
    finish_run(b, &events);
}

static void make_dense_debug_events(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    for (uint32_t i = 0; b->size + 4 * events.n < size; i++) {
        place value = INT_VALUE(b, 1);
        place debug = PUT_TABLE(b, (slot){0}, (slot){4, i, 0}, target_slot(value));
        add_place(&events, put_event(b, 0, 0, debug));
    }
    finish_run(b, &events);
}

static void make_allocation_events(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    while (b->size + 4 * events.n < size)
        add_place(&events, put_event(b, 0, PUT_TABLE(b, (slot){0}), 0));
    finish_run(b, &events);
}

static void make_empty_runs(files *out, size_t size) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    place name = put_string(b, "r"), events = put_tables(b, NULL, 0);
    while (b->size + 4 * runs.n < size)
        add_place(&runs, put_run_at(b, name, events));
    finish_runs(b, &runs);
}

/* Every run is a separate block. */
static void make_different_runs(files *out, size_t size) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    place name = put_string(b, "r");
    for (int32_t i = 0; b->size + 4 * runs.n < size; i++) {
        place event = PUT_TIMED(b, .id = i);
        add_place(&runs, put_run_at(b, name, put_tables(b, &event, 1)));
    }
    finish_runs(b, &runs);
}

/* ---- shared offsets -------------------------------------------------------------------------- */

/* Share of a visit in the cost of 8 times the size that reading a dump may have. */
#define WORK_PER_EVENT 132
#define WORK_PER_RUN 90

static size_t work(size_t size) {
    return size * 15 / 2;
}

static void make_shared_event(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    place event = PUT_TIMED(b, .id = -1);
    size_t n = work(size) / WORK_PER_EVENT;
    while (events.n < n)
        add_place(&events, event);
    pad_dump(b, size - 4 * n);
    finish_run(b, &events);
}

static void make_shared_event_over_limit(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    place event = PUT_TIMED(b, .id = -1);
    while (b->size + 4 * events.n < size + 1000)
        add_place(&events, event);
    finish_run(b, &events);
}

/* Makes runs of the same `n_events` events. */
static void share_events(files *out, size_t size, size_t n_events, size_t n_runs) {
    builder *b = &out->dump;
    places runs = {0}, events = {0};
    b->vtables_shared = true;
    place name = put_string(b, "r");
    for (size_t i = 0; i < n_events; i++)
        add_place(&events, PUT_TIMED(b, .id = (int32_t)i));
    place run = put_run_at(b, name, put_places(b, &events));
    while (runs.n < n_runs)
        add_place(&runs, run);
    pad_dump(b, size - 4 * n_runs);
    finish_runs(b, &runs);
}

static void make_shared_runs(files *out, size_t size) {
    share_events(out, size, 20, work(size) / (WORK_PER_RUN + 20 * WORK_PER_EVENT));
}

static void make_shared_single_events(files *out, size_t size) {
    share_events(out, size, 1, work(size) / (WORK_PER_RUN + WORK_PER_EVENT));
}

static void make_shared_few_runs(files *out, size_t size) {
    share_events(out, size, work(size) / 20 / WORK_PER_EVENT, 20);
}

static void make_shared_runs_over_limit(files *out, size_t size) {
    share_events(out, size, size / 40, size / 8);
}

/* Makes events that share a name of `length` bytes; reading all of them visits `visited` bytes. */
static void share_name(files *out, size_t size, size_t length, size_t visited, bool is_delegate) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    place name = put_filled_string(b, 'n', length);
    size_t n =
        visited / (length / 4 + WORK_PER_EVENT + 20); /* see STRING_BYTES_PER_BYTE in flatbuf.c */
    for (size_t i = 0; i < n && b->size + 4 * events.n < size; i++)
        add_place(&events, PUT_TIMED(b, .name = is_delegate ? 0 : name, .id = (int32_t)i,
                                     .delegate_name = is_delegate ? name : 0));
    pad_dump(b, size - 4 * events.n);
    finish_run(b, &events);
}

static void make_shared_short_names(files *out, size_t size) {
    share_name(out, size, 50, work(size), false);
}

static void make_shared_long_names(files *out, size_t size) {
    share_name(out, size, size / 100 + 1, work(size), false);
}

static void make_shared_delegate_names(files *out, size_t size) {
    share_name(out, size, size / 100 + 1, work(size), true);
}

static void make_shared_names_over_limit(files *out, size_t size) {
    share_name(out, size, size / 2, size * size, false);
}

/* Every second word is one to which the hash of texts was once blind, at a different place in each. */
static void make_colliding_names(files *out, size_t size) {
    static const char blind[8] = {'\x93', '\xfd', '\x59', '\x66', '\xb8', '\xfe', '\xe8', '\xd6'};
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    for (uint32_t bits = 1; b->size + 4 * events.n < size; bits++) {
        char name[16 * 8];
        if (__builtin_popcount(bits) != 8)
            continue;
        for (int i = 0; i < 16; i++)
            memcpy(name + i * 8, bits >> i & 1 ? blind : "nnnnnnnn", 8);
        add_place(&events, PUT_TIMED(b, .name = put_string_of(b, name, sizeof name), .id = -1));
    }
    finish_run(b, &events);
}

/* ---- long texts ------------------------------------------------------------------------------ */

/* One event with this name among many that have none: every row pays for the width of the column. */
static void put_among_rows(files *out, size_t size, place name) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    add_place(&events, PUT_TIMED(b, .name = name, .id = 0));
    for (int32_t i = 1; b->size + 4 * events.n < size; i++)
        add_place(&events, PUT_TIMED(b, .id = i));
    finish_run(b, &events);
}

static void make_long_name(files *out, size_t size) {
    put_among_rows(out, size, put_filled_string(&out->dump, 'x', size / 2));
}

static void make_longest_name(files *out, size_t size) {
    put_among_rows(out, size, put_filled_string(&out->dump, 'x', size - size / 8));
}

static void put_repeated_name(files *out, size_t size, const char *text, size_t length) {
    eti_buffer name = {0};
    add_until(&name, text, length);
    put_among_rows(out, size, put_string_of(&out->dump, name.data, name.size));
    eti__buffer_free(&name);
}

static void make_accented_name(files *out, size_t size) {
    put_repeated_name(out, size, "\xc3\xa9", size - size / 8);
}

static void make_escapes_name(files *out, size_t size) {
    put_repeated_name(out, size, "\x1b", size - size / 8);
}

static void make_digits_name(files *out, size_t size) {
    builder *b = &out->dump;
    eti_buffer name = {0};
    eti__buffer_add_string(&name, "0.");
    add_until(&name, "123456789", size - size / 8);
    put_among_rows(out, size, put_string_of(b, name.data, name.size));
    eti__buffer_free(&name);
}

/* Makes one row as high as one text is long, in a column as wide as another is long. */
static void make_high_and_wide_names(files *out, size_t size) {
    builder *b = &out->dump;
    eti_buffer lines = {0};
    eti__buffer_add_string(&lines, "x");
    add_until(&lines, "\n", size / 2);
    eti__buffer_add_string(&lines, "x"); /* trailing blanks are not printed */
    place high = put_string_of(b, lines.data, lines.size);
    eti__buffer_free(&lines);
    place wide = put_filled_string(b, 'x', size / 2);
    places events = {0};
    b->vtables_shared = true;
    add_place(&events, PUT_TIMED(b, .name = wide, .id = 1));
    add_place(&events, PUT_TIMED(b, .name = high, .id = 2));
    finish_run(b, &events);
}

/* Every row shows the name of its run. */
static void make_long_run_name(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0}, runs = {0};
    b->vtables_shared = true;
    place name = put_filled_string(b, 'r', size / 2);
    for (int32_t i = 0; b->size + 4 * events.n < size; i++)
        add_place(&events, PUT_TIMED(b, .id = i));
    add_place(&runs, put_run_at(b, name, put_places(b, &events)));
    finish_runs(b, &runs);
}

static void make_many_numbers(files *out, size_t size) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    for (int32_t i = 0; b->size + 4 * events.n < size; i++) {
        char name[32];
        int length = snprintf(name, sizeof name, "%d.5e1", i);
        add_place(&events, PUT_TIMED(b, .name = put_string_of(b, name, (size_t)length), .id = i));
    }
    finish_run(b, &events);
}

/* ---- metadata -------------------------------------------------------------------------------- */

/* Repeats one delegated event with metadata of `text`. */
static void put_metadata(files *out, size_t size, const char *text) {
    builder *b = &out->dump;
    eti_buffer metadata = {0};
    places events = {0};
    b->vtables_shared = true;
    add_until(&metadata, text, size > 300 ? size - 200 : 100);
    place bytes = put_bytes(b, metadata.data, metadata.size);
    add_place(&events, PUT_TIMED(b, .delegate_name = put_string(b, "d"), .metadata = bytes));
    finish_run(b, &events);
    eti__buffer_free(&metadata);
}

static void make_metadata_controls(files *out, size_t size) {
    put_metadata(out, size, "\x01");
}

static void make_metadata_quotes(files *out, size_t size) {
    put_metadata(out, size, "\"'\\");
}

static void make_metadata_not_utf8(files *out, size_t size) {
    put_metadata(out, size, "\xff");
}

static void make_metadata_nested(files *out, size_t size) {
    put_metadata(out, size, "[");
}

static void make_metadata_accents(files *out, size_t size) {
    put_metadata(out, size, "\xf0\x9f\x98\x80");
}

/* Makes runs of one event that share `length` bytes of metadata, each of which counts for eight. */
static void share_metadata(files *out, size_t size, size_t length) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    place metadata = put_filled_string(b, '\x01', length);
    place event = PUT_TIMED(b, .delegate_name = put_string(b, "d"), .metadata = metadata);
    place run = put_run_at(b, put_string(b, "r"), put_tables(b, &event, 1));
    size_t n = work(size) / (WORK_PER_RUN + WORK_PER_EVENT + 24 + 8 * length);
    while (runs.n < n)
        add_place(&runs, run);
    pad_dump(b, size - 4 * n);
    finish_runs(b, &runs);
}

static void make_metadata_small(files *out, size_t size) {
    share_metadata(out, size, 1);
}

static void make_metadata_shared(files *out, size_t size) {
    share_metadata(out, size, size / 50);
}

/* ---- all ------------------------------------------------------------------------------------- */

const shape dump_shapes[] = {
    {"valid_runs", make_valid_runs, "valid_runs", "0"},
    {"valid_rows", make_valid_rows, "valid_rows", "0"},
    {"valid_metadata", make_valid_metadata, "valid_metadata", "0"},
    {"dense_events", make_dense_events, "valid_rows", "0"},
    {"dense_equal_events", make_dense_equal_events, "valid_rows", "0"},
    {"dense_debug_events", make_dense_debug_events, "valid_rows", "0"},
    {"allocation_events", make_allocation_events, "valid_rows", "0"},
    {"empty_runs", make_empty_runs, "valid_rows", "0"},
    {"different_runs", make_different_runs, "valid_rows", "0"},
    {"shared_event", make_shared_event, "valid_rows", "0"},
    {"shared_event_over_limit", make_shared_event_over_limit, "valid_rows", "0 3"},
    {"shared_runs", make_shared_runs, "valid_runs", "0"},
    {"shared_single_events", make_shared_single_events, "valid_runs", "0"},
    {"shared_few_runs", make_shared_few_runs, "valid_runs", "0"},
    {"shared_runs_over_limit", make_shared_runs_over_limit, "valid_runs", "0 3"},
    {"shared_short_names", make_shared_short_names, "valid_rows", "0"},
    {"shared_long_names", make_shared_long_names, "valid_rows", "0"},
    {"shared_delegate_names", make_shared_delegate_names, "valid_rows", "0"},
    {"shared_names_over_limit", make_shared_names_over_limit, "valid_rows", "0 3"},
    {"colliding_names", make_colliding_names, "valid_rows", "0 3"},
    {"long_name", make_long_name, "valid_rows", "0 3"},
    {"longest_name", make_longest_name, "valid_rows", "0 3"},
    {"accented_name", make_accented_name, "valid_rows", "0 3"},
    {"escapes_name", make_escapes_name, "valid_rows", "0 3"},
    {"digits_name", make_digits_name, "valid_rows", "0 3"},
    {"high_and_wide_names", make_high_and_wide_names, "valid_rows", "0 3"},
    {"long_run_name", make_long_run_name, "valid_rows", "0 3"},
    {"many_numbers", make_many_numbers, "valid_rows", "0"},
    {"metadata_controls", make_metadata_controls, "valid_metadata", "0"},
    {"metadata_quotes", make_metadata_quotes, "valid_metadata", "0"},
    {"metadata_not_utf8", make_metadata_not_utf8, "valid_metadata", "0"},
    {"metadata_nested", make_metadata_nested, "valid_metadata", "0"},
    {"metadata_accents", make_metadata_accents, "valid_metadata", "0"},
    {"metadata_small", make_metadata_small, "valid_metadata", "0"},
    {"metadata_shared", make_metadata_shared, "valid_metadata", "0"},
    {NULL, NULL, NULL, NULL},
};
