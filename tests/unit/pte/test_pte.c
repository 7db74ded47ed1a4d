/* Reads exported programs, and synthetic ones that no exporter writes. tests/parity compares their fields with those of the
 * Python reader. */
#include "file_order.h"
#include "program_builder.h"
#include "program_bytes.h"
#include "support.h"

typedef struct fixture {
    program_spec p;
    eti_arena arena;
    eti_pte pte;
} fixture;

static eti_error err = ETI_ERROR_INIT;

static fixture *new_fixture(void) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    return f;
}

static void free_fixture(fixture *f) {
    eti__arena_free(&f->arena);
    builder_free(&f->p.b);
    free(f);
}

static eti_status open_program(fixture *f) {
    struct eti_file *file = &f->p.b.file;
    file->kind = eti_file_kind_of(file->data, file->size);
    ETI_TRY(eti__input_expect(file, ETI_FILE_PROGRAM, &err));
    return eti__pte_open(&f->pte, &f->arena, file, &err);
}

/* Finishes the program, and expects that it is rejected with `why` in the message. */
static void expect_refused(fixture *f, const char *why) {
    if (!f->p.b.file.data)
        finish_program(&f->p);
    eti_status status = open_program(f);
    if (status != ETI_ERROR_MALFORMED)
        fail_msg("status %d, expected: %s", (int)status, why);
    if (!strstr(err.message, why))
        fail_msg("expected \"%s\" in \"%s\"", why, err.message);
    assert_memory_equal(err.message, "test.pte: ", 10);
    free_fixture(f);
}

static fixture *expect_accepted(fixture *f) {
    if (!f->p.b.file.data)
        finish_program(&f->p);
    assert_ok(open_program(f));
    return f;
}

/* ---- real ones ------------------------------------------------------------------------------- */

static fixture *open_file(const char *path) {
    fixture *f = new_fixture();
    eti_source source = {.path = path};
    assert_ok(eti__file_open_source(&f->p.b.file, &source, &err));
    assert_ok(open_program(f));
    return f;
}

static void close_file(fixture *f) {
    eti__file_release(&f->p.b.file);
    free_fixture(f);
}

static void a_portable_program(void **state) {
    (void)state;
    fixture *f = open_file("testdata/small/model.pte");
    const eti_pte_plan *plan = &f->pte.plans[0];
    assert_int_equal(f->pte.n_plans, 1);
    assert_text(plan->name, "forward");
    assert_ptr_equal(eti__pte_find_plan(&f->pte, eti__text_of("forward")), plan);
    assert_null(eti__pte_find_plan(&f->pte, eti__text_of("backward")));
    assert_int_equal(plan->n_arenas, 2);
    assert_int_equal(plan->arena_sizes[1], 48);
    assert_int_equal(plan->chains[0].n_instructions, 2);
    assert_text(plan->operators[plan->chains[0].instructions[0].index].name, "aten::relu");
    const eti_pte_tensor *input = eti__pte_tensor_at(plan, plan->inputs.items[0]);
    assert_int_equal(input->n_dims, 1);
    assert_int_equal(input->sizes[0], 2);
    assert_int_equal(input->n_bytes, 8);
    assert_true(input->is_planned);
    assert_null(eti__pte_tensor_at(plan, -1));
    assert_null(eti__pte_tensor_at(plan, (int32_t)plan->n_values));
    close_file(f);
}

/* Finds the same constants in a segment and inline. */
static void constants_are_found_in_both_places(void **state) {
    (void)state;
    fixture *f = open_file("testdata/mlp/model.pte"), *old = open_file("testdata/mlp/inline.pte");
    size_t n_constants = 0;
    assert_int_equal(old->pte.header_length, 0);
    assert_int_equal(old->pte.program_size, old->p.b.file.size);
    assert_int_equal(old->pte.n_segments, 0);
    assert_int_equal(f->pte.header_length, 32);
    for (uint32_t i = 0; i < f->pte.plans[0].n_values; i++) {
        const eti_pte_tensor *one = eti__pte_tensor_at(&f->pte.plans[0], (int32_t)i);
        const eti_pte_tensor *other = eti__pte_tensor_at(&old->pte.plans[0], (int32_t)i);
        if (!one)
            continue;
        eti_text bytes = constant_bytes(&f->pte, one);
        assert_true(eti__text_equal(bytes, constant_bytes(&old->pte, other)));
        assert_true(!bytes.data == (one->data_buffer_idx == 0));
        assert_true(!bytes.data || bytes.size == one->n_bytes);
        n_constants += bytes.data != NULL;
    }
    assert_int_equal(n_constants, 6);
    close_file(f);
    close_file(old);
}

static void payloads_are_found_in_both_places(void **state) {
    (void)state;
    fixture *f = open_file("testdata/xnnpack-conv/model.pte");
    fixture *old = open_file("testdata/xnnpack-conv/inline.pte");
    const eti_pte_plan *one = &f->pte.plans[0], *other = &old->pte.plans[0];
    assert_int_equal(one->n_delegates, 2);
    for (uint32_t i = 0; i < one->n_delegates; i++) {
        assert_text(one->delegates[i].id, "XnnpackBackend");
        assert_true(one->delegates[i].is_segment);
        assert_false(other->delegates[i].is_segment);
        assert_memory_equal(one->delegates[i].payload.data + 4, "XH00", 4);
        assert_true(eti__text_equal(one->delegates[i].payload, other->delegates[i].payload));
    }
    assert_int_equal(f->pte.n_named_data, 4);
    close_file(f);
    close_file(old);
}

static void buffers_have_the_data_they_begin_with(void **state) {
    (void)state;
    fixture *f = open_file("testdata/state/model.pte");
    float total[] = {1, 2, 3};
    to_file_order(total, COUNT_OF(total), sizeof *total);
    size_t n_found = 0;
    for (uint32_t i = 0; i < f->pte.plans[0].n_values; i++) {
        const eti_pte_tensor *tensor = eti__pte_tensor_at(&f->pte.plans[0], (int32_t)i);
        eti_text bytes = tensor ? initial_bytes(&f->pte, tensor) : (eti_text){NULL, 0};
        if (!bytes.data)
            continue;
        n_found++;
        assert_int_equal(bytes.size, sizeof total);
        assert_memory_equal(bytes.data, total, sizeof total);
    }
    assert_int_equal(n_found, 1);
    close_file(f);
}

static void a_bundle_has_the_program_and_its_cases(void **state) {
    (void)state;
    fixture *f = open_file("testdata/bundled-inputs/bundle.bpte");
    fixture *inside = open_file("testdata/bundled-inputs/model.pte");
    assert_true(f->pte.is_bundled && !inside->pte.is_bundled);
    assert_int_equal(f->pte.size, inside->pte.size);
    assert_memory_equal(f->pte.data, inside->pte.data, (size_t)inside->pte.size);
    assert_int_equal(f->pte.offset, f->pte.data - f->p.b.file.data);
    assert_int_equal(f->pte.bundle.n_suites, 1);
    assert_text(f->pte.bundle.suites[0].method, "forward");
    assert_int_equal(f->pte.bundle.suites[0].n_cases, 2);
    assert_int_equal(f->pte.bundle.suites[0].n_bytes, 2 * (8 + 4) * 4);
    assert_int_equal(inside->pte.bundle.n_suites, 0);
    close_file(f);
    close_file(inside);
}

static void every_chain_is_read(void **state) {
    (void)state;
    fixture *f = open_file("testdata/control-flow-chains/model.pte");
    fixture *one = open_file("testdata/control-flow/model.pte");
    assert_int_equal(f->pte.plans[0].n_chains, 3);
    assert_int_equal(f->pte.plans[0].chains[1].n_instructions, 2);
    assert_int_equal(one->pte.plans[0].n_chains, 1);
    close_file(f);
    close_file(one);
}

/* ---- the container --------------------------------------------------------------------------- */

static void expect_bytes_refused(const void *bytes, size_t size, const char *why) {
    fixture *f = new_fixture();
    f->p.b.file =
        (struct eti_file){.name = (char *)(uintptr_t) "test.pte", .data = bytes, .size = size};
    expect_refused(f, why);
}

static void other_files_are_refused(void **state) {
    (void)state;
    expect_bytes_refused("", 0, "expected a program (.pte, .bpte), found an empty file");
    expect_bytes_refused("\4\0\0\0ET1", 7,
                         "expected a program (.pte, .bpte), found a file of another kind");
    expect_bytes_refused("\4\0\0\0ET13", 8,
                         "the program has version ET13, but only ET12 is supported");
    expect_bytes_refused("\4\0\0\0FT01", 8,
                         "expected a program (.pte, .bpte), found a data file (.ptd)");
    expect_bytes_refused("\377\0\0\0ET12", 8,
                         "byte 0: Program: the offset points outside the file");
    expect_bytes_refused("\377\0\0\0BP08", 8, "byte 0: BundledProgram: the offset points outside");
}

/* Makes a program with a header whose 64-bit number at `at` is `number`. */
static void expect_header_refused(size_t at, uint64_t number, const char *why) {
    fixture *f = new_fixture();
    finish_program_with(&f->p, 32, "data", 4);
    for (size_t i = 0; i < 8; i++)
        f->p.b.bytes[at + i] = (uint8_t)(number >> (8 * i));
    expect_refused(f, why);
}

static void headers_lead_inside_the_file(void **state) {
    (void)state;
    fixture *f = new_fixture();
    finish_program_with(&f->p, 32, "data", 4);
    free_fixture(expect_accepted(f));
    expect_header_refused(
        16, 1 << 20,
        "the file was cut short: according to its header the program has 1048576 bytes");
    expect_header_refused(16, UINT64_MAX, "the file was cut short");
    expect_header_refused(24, 1 << 20,
                          "the file was cut short: according to its header, segments of 4 bytes "
                          "begin at byte 1048576");
    expect_header_refused(24, UINT64_MAX, "the file was cut short");
    expect_header_refused(32, 5, "segments of 5 bytes");
    expect_header_refused(32, UINT64_MAX, "the file was cut short");
    expect_header_refused(16, 20, "the offset points outside the file");
    f = new_fixture();
    finish_program_with(&f->p, 32, NULL, 0);
    f->p.b.bytes[12] = 23;
    expect_refused(f, "byte 12: the extended header has 23 bytes, less than 24");
}

/* Headers of 2023 do not contain the length of the segments. */
static void a_header_may_be_short(void **state) {
    (void)state;
    fixture *f = new_fixture();
    finish_program_with(&f->p, 24, "data", 4);
    expect_accepted(f);
    assert_int_equal(f->pte.header_length, 24);
    assert_int_equal(f->pte.segment_data_size, 0);
    assert_int_equal(f->pte.segment_base, f->pte.size - 4);
    free_fixture(f);
}

/* ---- segments -------------------------------------------------------------------------------- */

/* Makes a program with two segments in 16 bytes after it. */
static fixture *with_segments(uint64_t offset, uint64_t size, uint64_t other_offset,
                              uint64_t other_size) {
    fixture *f = new_fixture();
    builder *b = &f->p.b;
    place segments[] = {put_segment(b, offset, size), put_segment(b, other_offset, other_size)};
    f->p.segments = put_tables(b, segments, 2);
    finish_program_with(&f->p, 32, "0123456789abcdef", 16);
    return f;
}

static void segments_lie_side_by_side(void **state) {
    (void)state;
    fixture *f = expect_accepted(with_segments(0, 4, 4, 12));
    assert_text(eti__pte_segment_bytes(&f->pte, 0), "0123");
    assert_text(eti__pte_segment_bytes(&f->pte, 1), "456789abcdef");
    free_fixture(f);
    free_fixture(expect_accepted(with_segments(8, 8, 0, 8)));
    free_fixture(expect_accepted(with_segments(8, 0, 0, 16)));
    free_fixture(expect_accepted(with_segments(0, 16, 16, 0)));
    expect_refused(with_segments(0, 4, 4, 13), "segments[1]: 13 bytes at 4 lie outside the file");
    expect_refused(with_segments(17, 0, 0, 4), "segments[0]: 0 bytes at 17 lie outside the file");
    expect_refused(with_segments(UINT64_MAX, 2, 0, 4), "lie outside the file");
    expect_refused(with_segments(8, UINT64_MAX, 0, 4), "lie outside the file");
    expect_refused(with_segments(0, 5, 4, 4),
                   "segments[1]: 4 bytes at 4 overlap those of another segment");
    expect_refused(with_segments(4, 8, 0, 5),
                   "segments[0]: 8 bytes at 4 overlap those of another segment");
    expect_refused(with_segments(4, 8, 4, 8), "overlap those of another segment");
}

static void without_a_header_segments_are_empty(void **state) {
    (void)state;
    for (uint64_t size = 0; size < 2; size++) {
        fixture *f = new_fixture();
        place segment = put_segment(&f->p.b, 0, size);
        f->p.segments = put_tables(&f->p.b, &segment, 1);
        if (size == 0)
            free_fixture(expect_accepted(f));
        else
            expect_refused(f, "segments[0]: 1 bytes at 0 overlap the metadata");
    }
}

/* Makes a program with a place that names a segment; the only segment has 16 bytes. `offset` is that of the second slot. */
static fixture *with_slots(bool are_mutable, uint32_t segment, int64_t offset, uint32_t buffer,
                           int32_t n_floats) {
    fixture *f = new_fixture();
    builder *b = &f->p.b;
    place table = put_segment(b, 0, 16);
    f->p.segments = put_tables(b, &table, 1);
    place slots = put_slots(b, segment, I64S(b, 0, offset));
    place list = put_tables(b, &slots, 1);
    *(are_mutable ? &f->p.mutable_data : &f->p.constant_segment) = are_mutable ? list : slots;
    f->p.arenas = I64S(b, 0, 64);
    ADD_TENSOR(&f->p, .scalar_type = 6, .sizes = I32S(b, n_floats), .buffer = buffer,
               .is_planned = are_mutable, .memory_id = 1);
    finish_program_with(&f->p, 32, "0123456789abcdef", 16);
    return f;
}

static void constants_lie_inside_their_segment(void **state) {
    (void)state;
    fixture *f = expect_accepted(with_slots(false, 0, 4, 1, 3));
    assert_text(constant_bytes(&f->pte, eti__pte_tensor_at(&f->pte.plans[0], 0)), "456789abcdef");
    free_fixture(f);
    free_fixture(expect_accepted(with_slots(false, 0, 16, 1, 0)));
    expect_refused(with_slots(false, 0, 5, 1, 3), "execution_plan[0].values[0].val.data_buffer_idx:"
                                                  " its buffer has fewer bytes than the tensor");
    expect_refused(with_slots(false, 0, 4, 2, 3),
                   "values[0].val.data_buffer_idx: there is no buffer 2; there are 2");
    expect_refused(with_slots(false, 0, 17, 1, 0),
                   "constant_segment.offsets: an offset points outside its segment");
    expect_refused(with_slots(false, 0, -1, 1, 0),
                   "constant_segment.offsets: an offset points outside its segment");
    expect_refused(with_slots(false, 1, 0, 1, 0),
                   "constant_segment.segment_index: there is no segment 1; there are 1");
}

static void initial_data_lie_inside_their_segment(void **state) {
    (void)state;
    fixture *f = expect_accepted(with_slots(true, 0, 4, 1, 3));
    const eti_pte_tensor *tensor = eti__pte_tensor_at(&f->pte.plans[0], 0);
    assert_true(tensor->has_initial_data);
    assert_text(initial_bytes(&f->pte, tensor), "456789abcdef");
    assert_null(constant_bytes(&f->pte, tensor).data);
    free_fixture(f);
    expect_refused(with_slots(true, 0, 5, 1, 3), "its buffer has fewer bytes than the tensor");
    expect_refused(with_slots(true, 0, 4, 2, 3), "there is no buffer 2; there are 2");
    expect_refused(with_slots(true, 1, 0, 1, 0),
                   "mutable_data_segments[0].segment_index: there is no segment 1");
}

static void named_data_have_a_segment(void **state) {
    (void)state;
    fixture *f = new_fixture();
    builder *b = &f->p.b;
    place key = put_string(b, "w");
    place named = PUT_TABLE(b, target_slot(key), (slot){4, 0, 0});
    f->p.named_data = put_tables(b, &named, 1);
    expect_refused(f, "named_data[0].segment_index: there is no segment 0; there are 0");
}

/* If the segment for constants holds only the placeholder, constants may be inline. */
static void a_placeholder_is_no_segment_of_constants(void **state) {
    (void)state;
    fixture *f = new_fixture();
    builder *b = &f->p.b;
    place segment = put_segment(b, 0, 0), bytes = put_bytes(b, "abcdefgh", 8);
    place buffers[] = {PUT_TABLE(b, (slot){0}), PUT_TABLE(b, target_slot(bytes))};
    f->p.segments = put_tables(b, &segment, 1);
    f->p.constant_buffer = put_tables(b, buffers, 2);
    f->p.constant_segment = put_slots(b, 0, I64S(b, 0));
    ADD_TENSOR(&f->p, .scalar_type = 6, .sizes = I32S(b, 2), .buffer = 1);
    expect_accepted(f);
    assert_text(constant_bytes(&f->pte, eti__pte_tensor_at(&f->pte.plans[0], 0)), "abcdefgh");
    free_fixture(f);
}

/* ---- tensors --------------------------------------------------------------------------------- */

/* Checks `n_bytes` of a tensor with these sizes. */
static uint64_t bytes_of(uint8_t scalar_type, uint8_t dynamism, const int32_t *sizes, size_t n) {
    fixture *f = new_fixture();
    ADD_TENSOR(&f->p, .scalar_type = scalar_type, .dynamism = dynamism,
               .sizes = put_i32s(&f->p.b, sizes, n));
    expect_accepted(f);
    uint64_t found = eti__pte_tensor_at(&f->pte.plans[0], 0)->n_bytes;
    free_fixture(f);
    return found;
}

#define BYTES_OF(type, dynamism, ...)                                                              \
    bytes_of((type), (dynamism), (const int32_t[]){__VA_ARGS__},                                   \
             sizeof((const int32_t[]){__VA_ARGS__}) / 4)

static void a_tensor_has_as_many_bytes_as_its_elements(void **state) {
    (void)state;
    assert_int_equal(BYTES_OF(6, 0, 2, 3), 24);
    assert_int_equal(BYTES_OF(15, 1, 2, 3), 12);
    assert_int_equal(BYTES_OF(4, 0, 2147483647, 2147483647, 0), 0);
    assert_true(BYTES_OF(0, 0, 2147483647, 2147483647) == 4611686014132420609u);
    assert_int_equal(bytes_of(7, 0, NULL, 0), 8);
    assert_true(BYTES_OF(6, 2, 2, 3) == ETI_PTE_UNKNOWN_SIZE);
    assert_true(BYTES_OF(6, 2, 0) == ETI_PTE_UNKNOWN_SIZE);
    assert_true(BYTES_OF(16, 0, 8) == ETI_PTE_UNKNOWN_SIZE); /* packed */
    assert_true(BYTES_OF(9, 0, 8) == ETI_PTE_UNKNOWN_SIZE);  /* not a type */
    assert_true(BYTES_OF(200, 0, 8) == ETI_PTE_UNKNOWN_SIZE);
}

#define REFUSED_TENSOR(why, ...)                                                                   \
    do {                                                                                           \
        fixture *f = new_fixture();                                                                \
        builder *b = &f->p.b;                                                                      \
        (void)b;                                                                                   \
        ADD_TENSOR(&f->p, __VA_ARGS__);                                                            \
        expect_refused(f, "execution_plan[0].values[0].val." why);                                 \
    } while (0)

static void impossible_tensors_are_refused(void **state) {
    (void)state;
    REFUSED_TENSOR("sizes: a size is negative", .sizes = I32S(b, 2, -1));
    REFUSED_TENSOR("sizes: a size is negative", .sizes = I32S(b, 0, INT32_MIN));
    REFUSED_TENSOR("sizes: their product", .scalar_type = 6,
                   .sizes = I32S(b, 2147483647, 2147483647));
    REFUSED_TENSOR("sizes: their product", .sizes = I32S(b, 2147483647, 2147483647, 4));
    REFUSED_TENSOR("dim_order: has a different length", .sizes = I32S(b, 2, 3),
                   .dim_order = put_bytes(b, "\0", 1));
    REFUSED_TENSOR("dim_order: names a dimension", .sizes = I32S(b, 2, 3),
                   .dim_order = put_bytes(b, "\0\2", 2));
    REFUSED_TENSOR("shape_dynamism: is not 0, 1 or 2", .dynamism = 3);
    REFUSED_TENSOR("shape_dynamism: is not 0, 1 or 2", .dynamism = 255);
    REFUSED_TENSOR("allocation_info.memory_id: there is no arena 0; there are 0",
                   .is_planned = true);
    REFUSED_TENSOR("extra_tensor_info.fully_qualified_name: an external tensor has no name",
                   .is_external = true);
    REFUSED_TENSOR("data_buffer_idx: there is no buffer 1; there are 0", .buffer = 1);
}

static void tensors_say_where_their_bytes_are(void **state) {
    (void)state;
    fixture *f = new_fixture();
    builder *b = &f->p.b;
    f->p.arenas = I64S(b, 0, 1000);
    ADD_TENSOR(&f->p, .is_planned = true, .memory_id = 1, .offset_low = 0x80000001,
               .offset_high = 2);
    ADD_TENSOR(&f->p, .is_external = true, .name = "weight", .buffer = 99, .sizes = I32S(b, 2, 3),
               .dim_order = put_bytes(b, "\1\0", 2));
    expect_accepted(f);
    const eti_pte_tensor *planned = eti__pte_tensor_at(&f->pte.plans[0], 0);
    const eti_pte_tensor *external = eti__pte_tensor_at(&f->pte.plans[0], 1);
    assert_true(planned->memory_offset == 0x280000001);
    assert_null(planned->dim_order);
    assert_text(external->name, "weight");
    assert_false(external->has_initial_data);
    assert_memory_equal(external->dim_order, "\1\0", 2);
    assert_null(constant_bytes(&f->pte, external).data);
    free_fixture(f);
}

static void sizes_of_arenas_are_not_negative(void **state) {
    (void)state;
    fixture *f = new_fixture();
    f->p.arenas = I64S(&f->p.b, 0, 8, -1);
    expect_refused(f, "execution_plan[0].non_const_buffer_sizes: the size of an arena is negative");
}

/* ---- values ---------------------------------------------------------------------------------- */

static void values_are_of_all_kinds(void **state) {
    (void)state;
    fixture *f = new_fixture();
    builder *b = &f->p.b;
    add_value(&f->p, A_NULL, 0);
    add_value(&f->p, AN_INT, put_int(b, INT64_MIN));
    add_value(&f->p, A_BOOL, put_bool(b, 2));
    add_value(&f->p, A_DOUBLE, put_double(b, -0.5));
    add_value_of(&f->p, A_STRING, put_string(b, "text"));
    add_value_of(&f->p, AN_INT_LIST, I64S(b, 1, 0));
    add_value_of(&f->p, A_DOUBLE_LIST, I64S(b, 0x3ff0000000000000));
    add_value_of(&f->p, A_BOOL_LIST, put_bytes(b, "\1\0\1", 3));
    add_value(&f->p, 12, put_int(b, 1)); /* of a future type */
    add_value(&f->p, AN_INT, 0);         /* without a value */
    expect_accepted(f);
    const eti_pte_value *v = f->pte.plans[0].values;
    assert_int_equal(v[0].kind, ETI_PTE_NULL);
    assert_true(v[1].of.as_int == INT64_MIN);
    assert_true(v[2].of.as_bool);
    assert_true(v[3].of.as_double == -0.5);
    assert_text(v[4].of.as_string, "text");
    assert_int_equal(v[5].of.as_list.n, 2);
    assert_int_equal(v[5].of.as_list.items[0], 1);
    assert_int_equal(v[6].of.as_numbers.n, 1);
    assert_int_equal(v[6].of.as_numbers.bytes[7], 0x3f);
    assert_int_equal(v[7].of.as_numbers.n, 3);
    assert_int_equal(v[8].kind, ETI_PTE_ABSENT);
    assert_int_equal(v[9].kind, ETI_PTE_ABSENT);
    free_fixture(f);
}

static void lists_name_values_of_their_kind(void **state) {
    (void)state;
    fixture *f = new_fixture();
    add_value_of(&f->p, AN_INT_LIST, I64S(&f->p.b, 0, 1));
    expect_refused(f, "execution_plan[0].values[0].val.items[1]: there is no value 1; there are 1");
    f = new_fixture();
    add_value_of(&f->p, AN_INT_LIST, I64S(&f->p.b, -1));
    expect_refused(f,
                   "execution_plan[0].values[0].val.items[0]: there is no value -1; there are 1");
    f = new_fixture();
    add_value_of(&f->p, AN_INT_LIST, I64S(&f->p.b, (int64_t)1 << 32));
    expect_refused(f, "there is no value 4294967296; there are 1");
    f = new_fixture();
    add_value_of(&f->p, A_TENSOR_LIST, I32S(&f->p.b, 0));
    expect_refused(f, "execution_plan[0].values[0].val.items: an item of the list is not a tensor");
    f = new_fixture();
    add_value_of(&f->p, A_TENSOR_LIST, I32S(&f->p.b, -1));
    expect_refused(f,
                   "execution_plan[0].values[0].val.items[0]: there is no value -1; there are 1");
    f = new_fixture();
    add_value(&f->p, A_NULL, 0);
    add_value_of(&f->p, A_TENSOR_LIST, I32S(&f->p.b, 0));
    expect_refused(f, "execution_plan[0].values[1].val.items: an item of the list is not a tensor");
}

static void optional_lists_may_have_nothing(void **state) {
    (void)state;
    fixture *f = new_fixture();
    ADD_TENSOR(&f->p, .scalar_type = 6);
    add_value(&f->p, A_NULL, 0);
    add_value_of(&f->p, AN_OPTIONAL_LIST, I32S(&f->p.b, 0, 1, -1, -7));
    expect_accepted(f);
    assert_int_equal(f->pte.plans[0].values[2].of.as_list.items[2], -1);
    assert_int_equal(f->pte.plans[0].values[2].of.as_list.items[3], -1);
    free_fixture(f);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Makes a program with two values, an operator and a delegate without a payload. */
static fixture *with_values(void) {
    fixture *f = new_fixture();
    ADD_TENSOR(&f->p, .scalar_type = 6);
    ADD_TENSOR(&f->p, .scalar_type = 6);
    f->p.n_operators = 1;
    add_table(&f->p.delegates, PUT_TABLE(&f->p.b, (slot){0}));
    return f;
}

static void instructions_are_of_all_kinds(void **state) {
    (void)state;
    fixture *f = with_values();
    add_call(&f->p, A_KERNEL_CALL, 0, I32S(&f->p.b, 0, 1, 1));
    add_call(&f->p, A_DELEGATE_CALL, 0, 0);
    add_instruction(&f->p, A_MOVE_CALL, 1, 0);
    add_instruction(&f->p, A_JUMP_FALSE_CALL, 1, 7); /* to the end */
    add_instruction(&f->p, A_FREE_CALL, 1, 0);
    add_instruction(&f->p, 6, 99, 99); /* of a future type */
    add_table(&f->p.instructions, put_either(&f->p.b, A_KERNEL_CALL, 0));
    expect_accepted(f);
    const eti_pte_instruction *i = f->pte.plans[0].chains[0].instructions;
    assert_int_equal(f->pte.plans[0].chains[0].n_instructions, 7);
    assert_int_equal(i[0].args.n, 3);
    assert_int_equal(i[0].args.items[2], 1);
    assert_int_equal(i[1].kind, ETI_PTE_DELEGATE_CALL);
    assert_int_equal(i[2].index, 1);
    assert_int_equal(i[2].target, 0);
    assert_int_equal(i[3].target, 7);
    assert_int_equal(i[4].index, 1);
    assert_int_equal(i[5].kind, ETI_PTE_NO_CALL);
    assert_int_equal(i[6].kind, ETI_PTE_NO_CALL);
    free_fixture(f);
}

static void expect_instruction_refused(uint8_t type, int32_t first, int32_t second,
                                       const char *why) {
    fixture *f = with_values();
    add_instruction(&f->p, A_MOVE_CALL, 0, 0);
    add_instruction(&f->p, type, first, second);
    expect_refused(f, why);
}

#define INSTRUCTION "execution_plan[0].chains[0].instructions[1].instr_args."

static void instructions_name_what_there_is(void **state) {
    (void)state;
    expect_instruction_refused(A_MOVE_CALL, 2, 0,
                               INSTRUCTION "move_from: there is no value 2; there are 2");
    expect_instruction_refused(A_MOVE_CALL, 0, -1,
                               INSTRUCTION "move_to: there is no value -1; there are 2");
    expect_instruction_refused(A_JUMP_FALSE_CALL, 0, 3,
                               INSTRUCTION
                               "destination_instruction: there is no instruction 3; there are 2");
    expect_instruction_refused(A_JUMP_FALSE_CALL, 0, -1,
                               INSTRUCTION "destination_instruction: there is no instruction -1");
    expect_instruction_refused(A_JUMP_FALSE_CALL, 2, 0,
                               INSTRUCTION "cond_value_index: there is no value 2");
    expect_instruction_refused(A_FREE_CALL, -1, 0, INSTRUCTION "value_index: there is no value -1");
    static const struct {
        uint8_t type;
        int32_t callee, argument;
        const char *why;
    } calls[] = {
        {A_KERNEL_CALL, 1, 0, "op_index: there is no operator 1; there are 1"},
        {A_KERNEL_CALL, -1, 0, "op_index: there is no operator -1; there are 1"},
        {A_DELEGATE_CALL, 1, 0, "delegate_index: there is no delegate 1; there are 1"},
        {A_KERNEL_CALL, 0, 2, "args[1]: there is no value 2; there are 2"},
        {A_DELEGATE_CALL, 0, -1,
         "args[1]: there is no value -1; there are 2"}, /* the runtime rejects it too */
    };
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        fixture *f = with_values();
        add_call(&f->p, calls[i].type, calls[i].callee, I32S(&f->p.b, 0, calls[i].argument));
        expect_refused(f, calls[i].why);
    }
}

static void a_method_has_a_chain(void **state) {
    (void)state;
    fixture *f = new_fixture();
    f->p.has_no_chain = true;
    expect_refused(f, "execution_plan[0].chains: the method has none");
}

static void inputs_and_outputs_are_values(void **state) {
    (void)state;
    fixture *f = with_values();
    f->p.inputs = I32S(&f->p.b, 1, 2);
    expect_refused(f, "execution_plan[0].inputs[1]: there is no value 2; there are 2");
    f = with_values();
    f->p.outputs = I32S(&f->p.b, -1);
    expect_refused(f, "execution_plan[0].outputs[0]: there is no value -1; there are 2");
}

static void delegates_have_a_payload_that_there_is(void **state) {
    (void)state;
    fixture *f = new_fixture();
    add_delegate(&f->p, false, 0);
    expect_refused(f, "execution_plan[0].delegates[0].processed.index: there is no inline payload "
                      "0; there are 0");
    f = new_fixture();
    add_delegate(&f->p, true, 3);
    expect_refused(
        f, "execution_plan[0].delegates[0].processed.index: there is no segment 3; there are 0");
    f = new_fixture();
    place bytes = put_bytes(&f->p.b, "payload", 7),
          inline_data = PUT_TABLE(&f->p.b, target_slot(bytes));
    f->p.delegate_data = put_tables(&f->p.b, &inline_data, 1);
    add_delegate(&f->p, false, 0);
    expect_accepted(f);
    assert_text(f->pte.plans[0].delegates[0].payload, "payload");
    free_fixture(f);
}

/* The message gives the byte within the file. */
static void messages_name_the_byte(void **state) {
    (void)state;
    fixture *f = with_values();
    f->p.inputs = I32S(&f->p.b, 1, 0x12345678);
    finish_program(&f->p);
    const uint8_t *at = memmem(f->p.b.file.data, f->p.b.file.size, "\x78\x56\x34\x12", 4);
    char expected[32];
    snprintf(expected, sizeof expected, ": byte %d: ", (int)(at - f->p.b.file.data));
    expect_refused(f, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_portable_program),
        cmocka_unit_test(constants_are_found_in_both_places),
        cmocka_unit_test(payloads_are_found_in_both_places),
        cmocka_unit_test(buffers_have_the_data_they_begin_with),
        cmocka_unit_test(a_bundle_has_the_program_and_its_cases),
        cmocka_unit_test(every_chain_is_read),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(headers_lead_inside_the_file),
        cmocka_unit_test(a_header_may_be_short),
        cmocka_unit_test(segments_lie_side_by_side),
        cmocka_unit_test(without_a_header_segments_are_empty),
        cmocka_unit_test(constants_lie_inside_their_segment),
        cmocka_unit_test(initial_data_lie_inside_their_segment),
        cmocka_unit_test(named_data_have_a_segment),
        cmocka_unit_test(a_placeholder_is_no_segment_of_constants),
        cmocka_unit_test(a_tensor_has_as_many_bytes_as_its_elements),
        cmocka_unit_test(impossible_tensors_are_refused),
        cmocka_unit_test(tensors_say_where_their_bytes_are),
        cmocka_unit_test(sizes_of_arenas_are_not_negative),
        cmocka_unit_test(values_are_of_all_kinds),
        cmocka_unit_test(lists_name_values_of_their_kind),
        cmocka_unit_test(optional_lists_may_have_nothing),
        cmocka_unit_test(instructions_are_of_all_kinds),
        cmocka_unit_test(instructions_name_what_there_is),
        cmocka_unit_test(a_method_has_a_chain),
        cmocka_unit_test(inputs_and_outputs_are_values),
        cmocka_unit_test(delegates_have_a_payload_that_there_is),
        cmocka_unit_test(messages_name_the_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
