#include "program_builder.h"

#include "program_files.h"

#include "plan_fixture.h"

#include "program_bytes.h"

#include "program/sizes.h"

#include <glob.h>

/* ==== sizes =================================================================================== */

static program_file program;
static eti_sizes sizes;

static void make_sizes(const char *path, const char *data) {
    eti_error err = ETI_ERROR_INIT;
    open_program(&program, path, data);
    assert_ok(
        eti__sizes_make(&sizes, &program.arena, &program.pte, &program.ptd, program.n_data, &err));
}

static void assert_adds_up(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sizes.n_rows; i++) {
        const eti_size_row *row = &sizes.rows[i];
        sum += row->bytes;
        if (row->data.data)
            assert_int_equal(row->data.size, row->bytes);
        if (i > 0)
            assert_true(row[-1].category < row->category ||
                        (row[-1].category == row->category && row[-1].bytes >= row->bytes));
    }
    assert_int_equal(sum, program.file.size + program.data_file.size);
    assert_int_equal(sizes.file_size, sum);
}

/* Returns row number `i` of a category. */
static const eti_size_row *find_row(eti_size_category category, size_t i) {
    for (uint32_t r = 0; r < sizes.n_rows; r++) {
        if (sizes.rows[r].category == category && i-- == 0)
            return &sizes.rows[r];
    }
    fail_msg("there is no such row of category %d", (int)category);
    return NULL;
}

static void rows_add_up_to_the_file(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("testdata/*/*.pte", 0, NULL, &found), 0);
    assert_int_equal(glob("testdata/*/*.bpte", GLOB_APPEND, NULL, &found), 0);
    assert_true(found.gl_pathc >= 15);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        make_sizes(found.gl_pathv[i], NULL);
        assert_adds_up();
        close_program(&program);
    }
    globfree(&found);
}

static void constants_have_the_bytes_of_their_tensors(void **state) {
    (void)state;
    static const char *const paths[] = {"testdata/mlp/model.pte", "testdata/mlp/inline.pte",
                                        "testdata/bundled-inputs/bundle.bpte"};
    static const uint64_t expected[] = {512, 256, 64, 64, 64, 16};
    for (size_t p = 0; p < COUNT_OF(paths); p++) {
        make_sizes(paths[p], NULL);
        assert_adds_up();
        assert_int_equal(sizes.by_category[ETI_SIZE_CONSTANT], 976);
        for (size_t i = 0; i < COUNT_OF(expected); i++) {
            const eti_size_row *row = find_row(ETI_SIZE_CONSTANT, i);
            eti_text bytes = constant_bytes(&program.pte, row->tensor);
            assert_int_equal(row->bytes, expected[i]);
            assert_ptr_equal(row->data.data, bytes.data);
            assert_int_equal(row->n_users, 1);
            assert_int_equal(row->n_methods, 1);
        }
        close_program(&program);
    }
}

static void blobs_and_named_data_are_apart(void **state) {
    (void)state;
    for (int is_inline = 0; is_inline < 2; is_inline++) {
        make_sizes(is_inline ? "testdata/xnnpack-conv/inline.pte"
                             : "testdata/xnnpack-conv/model.pte",
                   NULL);
        assert_adds_up();
        assert_int_equal(sizes.by_category[ETI_SIZE_DELEGATE_BLOB], 1568 + 1136);
        assert_int_equal(sizes.by_category[ETI_SIZE_NAMED_DATA], 576 + 432 + 16 + 16);
        assert_int_equal(sizes.by_category[ETI_SIZE_CONSTANT], 0);
        const eti_size_row *blob = find_row(ETI_SIZE_DELEGATE_BLOB, 0);
        assert_text(blob->name, "XnnpackBackend");
        assert_int_equal(blob->n_users, 1);
        assert_memory_equal(blob->data.data + 4, "XH00", 4);
        assert_int_equal(find_row(ETI_SIZE_NAMED_DATA, 0)->name.size, 64);
        close_program(&program);
    }
}

static void methods_share_constants(void **state) {
    (void)state;
    make_sizes("testdata/multi-method/model.pte", NULL);
    const eti_size_row *row = find_row(ETI_SIZE_CONSTANT, 0);
    assert_int_equal(row->n_methods, 2);
    assert_int_equal(row->n_users, 2);
    assert_int_equal(row->users[0].user.plan, 0);
    assert_int_equal(row->users[1].user.plan, 1);
    row = find_row(ETI_SIZE_CONSTANT, 2);
    assert_text(row->name, "(alignment)");
    assert_true(row->is_rest);
    close_program(&program);
}

static void mutable_data_have_names(void **state) {
    (void)state;
    make_sizes("testdata/state/model.pte", NULL);
    assert_int_equal(find_row(ETI_SIZE_MUTABLE_DATA, 0)->bytes, 12);
    assert_true(find_row(ETI_SIZE_MUTABLE_DATA, 0)->tensor->has_initial_data);
    close_program(&program);
}

static void external_weights_are_looked_for(void **state) {
    (void)state;
    const char *path = "testdata/external-weights/model.pte";
    make_sizes(path, NULL);
    assert_int_equal(sizes.n_missing, 6);
    assert_int_equal(sizes.missing, 976);
    close_program(&program);
    make_sizes(path, "testdata/external-weights/model.ptd");
    assert_adds_up();
    assert_int_equal(sizes.n_missing, 0);
    assert_int_equal(sizes.by_category[ETI_SIZE_EXTERNAL], 976);
    const eti_size_row *row = find_row(ETI_SIZE_EXTERNAL, 0);
    assert_text(row->name, "hidden.weight");
    assert_int_equal(row->file, 1);
    assert_int_equal(row->n_users, 1);
    close_program(&program);
}

static void test_data_surround_a_bundled_program(void **state) {
    (void)state;
    make_sizes("testdata/bundled-inputs/bundle.bpte", NULL);
    assert_int_equal(sizes.by_category[ETI_SIZE_TEST_DATA], program.file.size - program.pte.size);
    close_program(&program);
}

/* Segment 0 has constants: slot 1 a tensor of 8 bytes at 32, slot 4 one of 4 bytes at 8. Slots without a tensor end where the next
 * one begins, in the order of offsets: slot 2 from 0 to 8, slot 3 from 16 to 32, slot 5 from 40 to the end, with the bytes of slot 2.
 * Segment 1 is unused, and segment 2 a delegate's. */
static void unused_bytes_have_rows(void **state) {
    (void)state;
    static const char data[] = "same as5ABCDalgnabcdefghijklmnopTENSOR_1same as5unused!!the blob";
    static const struct {
        eti_size_category category;
        uint32_t number;
        const char *name, *bytes; /* NULL: the rest of a segment, which has no bytes of its own */
        uint64_t size;
    } expected[] = {
        {ETI_SIZE_CONSTANT, 3, NULL, "abcdefghijklmnop", 16},
        {ETI_SIZE_CONSTANT, 1, NULL, "TENSOR_1", 8},
        {ETI_SIZE_CONSTANT, 2, NULL, "same as5", 8},
        {ETI_SIZE_CONSTANT, 5, NULL, "same as5", 8},
        {ETI_SIZE_CONSTANT, 4, NULL, "ABCD", 4},
        {ETI_SIZE_CONSTANT, ETI_NO_ROW, "(alignment)", NULL, 4},
        {ETI_SIZE_DELEGATE_BLOB, 2, "Npu", "the blob", 8},
        {ETI_SIZE_PADDING, 1, "(unused segment)", NULL, 8},
    };
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    eti_arena arena = {NULL};
    eti_pte pte;
    eti_error err = ETI_ERROR_INIT;
    const place segments[] = {put_segment(b, 0, 48), put_segment(b, 48, 8), put_segment(b, 56, 8)};
    p.segments = put_tables(b, segments, COUNT_OF(segments));
    p.constant_segment = put_slots(b, 0, I64S(b, 0, 32, 0, 16, 8, 40));
    ADD_TENSOR(&p, .scalar_type = 6, .sizes = I32S(b, 2), .buffer = 1);
    ADD_TENSOR(&p, .scalar_type = 6, .sizes = I32S(b, 1), .buffer = 4);
    add_delegate_of(&p, "Npu", true, 2);
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, 0));
    finish_program_with(&p, 32, data, sizeof data - 1);
    assert_ok(eti__pte_open(&pte, &arena, &b->file, &err));
    assert_ok(eti__sizes_make(&sizes, &arena, &pte, NULL, 0, &err));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const eti_size_row *row = find_row(expected[i].category, i < 6 ? i : 0);
        assert_int_equal(row->number, expected[i].number);
        assert_int_equal(row->bytes, expected[i].size);
        assert_int_equal(row->is_rest, expected[i].bytes == NULL);
        if (expected[i].name)
            assert_text(row->name, expected[i].name);
        else
            assert_absent(row->name);
        if (expected[i].bytes)
            assert_text(row->data, expected[i].bytes);
        else
            assert_absent(row->data);
        assert_int_equal(row->n_users, expected[i].number == 1 && i == 1 ? 1 : 0);
        assert_int_equal(row->n_methods, i == 1 || i == 4 || i == 6 ? 1 : 0);
        assert_int_equal(row->tensor != NULL, i == 1 || i == 4);
        assert_int_equal(row->copy_of, i == 3
                                           ? (uint32_t)(find_row(ETI_SIZE_CONSTANT, 2) - sizes.rows)
                                           : ETI_NO_ROW);
    }
    assert_int_equal(sizes.duplicated, 8);
    assert_int_equal(sizes.by_category[ETI_SIZE_CONSTANT], 48);
    assert_int_equal(sizes.by_category[ETI_SIZE_METADATA], b->file.size - 64);
    assert_int_equal(sizes.file_size, b->file.size);
    assert_int_equal(find_row(ETI_SIZE_CONSTANT, 1)->users[0].user.instruction, 0);
    eti__arena_free(&arena);
    builder_free(b);
}

/* ==== size names ============================================================================== */
/* Finds the names that programs request, of payloads of XNNPACK and of tensors. */

static eti_size_names names;

static void start(const char *path) {
    open_program(&program, path, NULL);
    names = (eti_size_names){.arena = &program.arena, .n_left = program.file.size};
}

static void end(void) {
    eti__size_names_free(&names);
    close_program(&program);
}

static eti_row_list ask(size_t delegate) {
    eti_error err = ETI_ERROR_INIT;
    eti_row_list rows;
    assert_ok(eti__size_names_ask_delegate(&names, &program.pte.plans[0].delegates[delegate], &rows,
                                           &err));
    return rows;
}

static void payloads_ask_for_their_weights(void **state) {
    (void)state;
    start("testdata/xnnpack-conv/model.pte");
    assert_true(program.pte.n_named_data > 0);
    for (uint32_t i = 0; i < program.pte.n_named_data; i++)
        assert_true(eti__size_names_add(&names, program.pte.named_data[i].key, i));
    assert_false(eti__size_names_is_asked_for(&names, program.pte.named_data[0].key));
    uint32_t n = ask(0).n + ask(1).n;
    assert_int_equal(ask(0).n + ask(1).n, n); /* a payload is read once */
    assert_int_equal(n, program.pte.n_named_data);
    for (uint32_t i = 0; i < program.pte.n_named_data; i++)
        assert_true(eti__size_names_is_asked_for(&names, program.pte.named_data[i].key));
    assert_int_equal(eti__size_names_count_missing(&names), 0);
    assert_false(names.is_unsure);
    end();
}

static void entries_in_no_file_are_missing(void **state) {
    (void)state;
    uint32_t row;
    start("testdata/xnnpack-conv/model.pte");
    assert_int_equal(ask(0).n + ask(1).n, 0);
    assert_int_equal(eti__size_names_count_missing(&names), program.pte.n_named_data);
    uint64_t before = names.n_missing;
    for (int i = 0; i < 2; i++) {
        assert_true(eti__size_names_ask(&names, eti__text_of("weight"), 12, &row));
        assert_int_equal(row, ETI_NO_ROW);
    }
    assert_int_equal(names.n_missing, before + 12);
    assert_true(eti__size_names_ask(&names, eti__text_of("bias"), ETI_PTE_UNKNOWN_SIZE, &row));
    assert_int_equal(names.n_missing, before + 12);
    end();
}

static void nothing_is_sure_of_payloads_that_are_not_read(void **state) {
    (void)state;
    start("testdata/xnnpack-conv/model.pte");
    names.n_left = 1;
    assert_int_equal(ask(0).n, 0);
    assert_true(names.is_unsure);
    end();
    start("testdata/delegate-ids/model.pte"); /* payloads of other backends */
    assert_int_equal(ask(0).n, 0);
    assert_true(names.is_unsure);
    end();
}

/* ==== size users ============================================================================== */

static plan_fixture f;

static void uses_come_in_order_and_once(void **state) {
    (void)state;
    static const eti_size_use expected[] = {{0, {3, 0}}, {0, {3, 1}}, {1, {3, 1}},
                                            {7, {3, 2}}, {8, {3, 2}}, {9, {3, 2}}};
    uint32_t value_rows[] = {0, 1, ETI_NO_ROW, ETI_NO_ROW}, delegate_rows[] = {7};
    uint32_t named_rows[] = {9, 8};
    const eti_row_list delegate_names[] = {{named_rows, 2}};
    eti_size_users users = {0};
    eti_error err = ETI_ERROR_INIT;
    start_plan(&f);
    int32_t a = add_tensor(&f, 0, 4), b = add_tensor(&f, 4, 4), c = add_tensor(&f, 8, 4);
    int32_t list = add_list(&f, b, -1, a, b);
    add_kernel(&f, ADD, a, a, c);
    add_kernel(&f, ADD, list, c);
    add_plan_delegate(&f, c);
    assert_ok(eti__size_users_add(&users, &f.arena, &f.plan, 3, value_rows, delegate_rows,
                                  delegate_names, &err));
    eti__size_users_sort(&users);
    assert_int_equal(users.n_uses, COUNT_OF(expected));
    assert_memory_equal(users.uses, expected, sizeof expected);
    eti__size_users_free(&users);
    end_plan(&f);
}

/* ==== extents ================================================================================= */
/* Compares random extents with assigning one byte after the other. */

#define BYTES 60
#define N 12

/* Returns the extent that owns a byte, descending from one that contains it: of the extents inside, the one that begins
 * first. */
static uint32_t find_owner_in(const eti_extent *extents, uint32_t n, uint32_t holder,
                              uint64_t byte) {
    uint32_t best = holder;
    for (uint32_t i = 0; i < n; i++) {
        bool holds =
            extents[i].holder == holder && extents[i].begin <= byte && byte < extents[i].end;
        if (holds && (best == holder || extents[i].begin < extents[best].begin))
            best = i;
    }
    return best == holder ? holder : find_owner_in(extents, n, best, byte);
}

static void each_byte_belongs_to_one(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 3000; round++) {
        eti_extent extents[N], shared[N];
        uint64_t expected[N] = {0}, sum = 0;
        eti_error err = ETI_ERROR_INIT;
        uint32_t n = 1 + draw(&seed, N);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t begin = draw(&seed, BYTES);
            extents[i] = (eti_extent){begin, begin + draw(&seed, BYTES), i ? draw(&seed, i) : 0, 0};
        }
        extents[0] = (eti_extent){0, BYTES, ETI_NO_HOLDER, 0};
        memcpy(shared, extents, sizeof shared);
        assert_ok(eti__extents_share(shared, n, &err));
        for (uint64_t byte = 0; byte < BYTES; byte++)
            expected[find_owner_in(extents, n, 0, byte)]++;
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(shared[i].bytes, expected[i]);
            sum += shared[i].bytes;
        }
        assert_int_equal(sum, BYTES);
    }
}

/* ==== copies ================================================================================== */

#define LARGE 10000 /* more bytes than are read of texts that differ at the beginning */

static char large[4][LARGE];

static eti_text large_text(int i) {
    return (eti_text){large[i], LARGE};
}

static void copies_name_the_first(void **state) {
    (void)state;
    large[1][LARGE - 1] = 1; /* differs in the last byte */
    large[2][0] = 1;
    const eti_text texts[] = {
        eti__text_of("abc"), large_text(0),    eti__text_of(""),    large_text(1),
        eti__text_of("abd"), large_text(3),    large_text(2),       {NULL, 0},
        eti__text_of("abc"), eti__text_of(""), eti__text_of("abc"), large_text(1),
        eti__text_of("a"),
    };
    static const uint32_t expected[COUNT_OF(texts)] = {
        ETI_NO_COPY, ETI_NO_COPY, ETI_NO_COPY, ETI_NO_COPY, ETI_NO_COPY, 1,          ETI_NO_COPY,
        ETI_NO_COPY, 0,           ETI_NO_COPY, 0,           3,           ETI_NO_COPY};
    uint32_t copies[COUNT_OF(texts)];
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__copies_find(copies, texts, COUNT_OF(texts), &err));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_int_equal(copies[i], expected[i]);
}

static int run_size_users(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(uses_come_in_order_and_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static int run_extents(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_byte_belongs_to_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static int run_copies(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_name_the_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_add_up_to_the_file),
        cmocka_unit_test(constants_have_the_bytes_of_their_tensors),
        cmocka_unit_test(blobs_and_named_data_are_apart),
        cmocka_unit_test(methods_share_constants),
        cmocka_unit_test(mutable_data_have_names),
        cmocka_unit_test(external_weights_are_looked_for),
        cmocka_unit_test(test_data_surround_a_bundled_program),
        cmocka_unit_test(unused_bytes_have_rows),
        cmocka_unit_test(payloads_ask_for_their_weights),
        cmocka_unit_test(entries_in_no_file_are_missing),
        cmocka_unit_test(nothing_is_sure_of_payloads_that_are_not_read),
    };
    return run_size_users() + run_extents() + run_copies() +
           cmocka_run_group_tests(tests, NULL, NULL);
}
