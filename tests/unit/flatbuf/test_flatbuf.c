#include "flatbuf_fixture.h"

/* ---- reading --------------------------------------------------------------------------------- */

static void assert_full_node(const fixture *f) {
    const eti_flatbuf *buffer = &f->buffer;
    assert_int_equal(eti__flatbuf_i8(buffer, f->root, I8, 1), INT8_MIN);
    assert_int_equal(eti__flatbuf_u8(buffer, f->root, U8, 1), 255);
    assert_int_equal(eti__flatbuf_i32(buffer, f->root, I32, 1), INT32_MIN);
    assert_int_equal(eti__flatbuf_u32(buffer, f->root, U32, 1), UINT32_MAX);
    assert_true(eti__flatbuf_i64(buffer, f->root, I64, 1) == INT64_MIN);
    assert_true(eti__flatbuf_u64(buffer, f->root, U64, 1) == UINT64_MAX);
    assert_bits((double)eti__flatbuf_f32(buffer, f->root, F32, 1), 1.5);
    assert_bits(eti__flatbuf_f64(buffer, f->root, F64, 1), -2.5);
    eti_text string = eti__flatbuf_text(buffer, f->root, STRING);
    assert_int_equal(string.size, 3);
    assert_memory_equal(string.data, "a\0b", 4);
    assert_int_equal(eti__flatbuf_text(buffer, f->root, BYTES).size, 1);
    eti_vector sizes = eti__flatbuf_vector(buffer, f->root, I64S);
    assert_int_equal(sizes.count, 2);
    assert_true(eti__flatbuf_vector_i64(buffer, sizes, 0) == -1);
    assert_true(eti__flatbuf_vector_i64(buffer, sizes, 1) == INT64_MAX);
    eti_position child = eti__flatbuf_table(buffer, f->root, NODE);
    assert_int_equal(eti__flatbuf_i8(buffer, child, I8, 0), 7);
    eti_vector children = eti__flatbuf_vector(buffer, f->root, NODES);
    assert_int_equal(children.count, 3);
    assert_int_equal(eti__flatbuf_vector_table(buffer, children, 0), child);
    assert_int_equal(eti__flatbuf_i8(buffer, eti__flatbuf_vector_table(buffer, children, 1), I8, 0),
                     8);
    assert_int_equal(eti__flatbuf_vector_table(buffer, children, 2), child);
}

static void every_kind_is_read_in_every_layout(void **state) {
    (void)state;
    for (int layout = 0; layout < 8; layout++) {
        fixture *f = new_fixture();
        f->b.vtables_behind = layout & 1;
        f->b.vtables_shared = layout & 2;
        assert_ok(open_buffer(f, put_full_node(&f->b), layout & 4));
        assert_int_equal(f->buffer.file_offset, layout & 4 ? 4 : 0);
        assert_full_node(f);
        free_fixture(f);
    }
}

static void absent_fields_have_the_default_asked_for(void **state) {
    (void)state;
    fixture *f = new_fixture();
    assert_ok(open_buffer(f, PUT_TABLE(&f->b, (slot){0}, (slot){1, 3, 0}), true));
    const eti_flatbuf *buffer = &f->buffer;
    assert_false(eti__flatbuf_has(buffer, f->root, I8));
    assert_true(eti__flatbuf_has(buffer, f->root, U8));
    assert_int_equal(eti__flatbuf_i8(buffer, f->root, I8, -5), -5);
    assert_int_equal(eti__flatbuf_i32(buffer, f->root, I32, -1), -1);
    assert_int_equal(eti__flatbuf_u32(buffer, f->root, U32, 9), 9);
    assert_true(eti__flatbuf_i64(buffer, f->root, I64, -7) == -7);
    assert_true(eti__flatbuf_u64(buffer, f->root, U64, 8) == 8);
    assert_bits((double)eti__flatbuf_f32(buffer, f->root, F32, 0.5f), 0.5);
    assert_bits(eti__flatbuf_f64(buffer, f->root, F64, 0.25), 0.25);
    assert_absent(eti__flatbuf_text(buffer, f->root, STRING));
    assert_int_equal(eti__flatbuf_table(buffer, f->root, NODE), 0);
    assert_int_equal(eti__flatbuf_vector(buffer, f->root, NODES).first, 0);
    free_fixture(f);
}

static void an_empty_vector_differs_from_none(void **state) {
    (void)state;
    fixture *f = new_fixture();
    slot slots[13] = {0};
    slots[NODES] = target_slot(put_tables(&f->b, NULL, 0));
    slots[STRING] = target_slot(put_string(&f->b, ""));
    assert_ok(open_buffer(f, put_table(&f->b, slots, 13), true));
    assert_true(eti__flatbuf_vector(&f->buffer, f->root, NODES).first != 0);
    assert_int_equal(eti__flatbuf_vector(&f->buffer, f->root, NODES).count, 0);
    assert_text(eti__flatbuf_text(&f->buffer, f->root, STRING), "");
    free_fixture(f);
}

static void unknown_fields_are_passed_over(void **state) {
    (void)state;
    fixture *f = new_fixture();
    slot slots[16] = {{1, 5, 0}};
    slots[15] = (slot){4, 0xffffffff, 0}; /* as an offset it would point outside */
    assert_ok(open_buffer(f, put_table(&f->b, slots, 16), true));
    assert_int_equal(eti__flatbuf_i8(&f->buffer, f->root, I8, 0), 5);
    free_fixture(f);
}

/* ---- finding --------------------------------------------------------------------------------- */

static void the_identifier_is_looked_for_at_8_and_4(void **state) {
    (void)state;
    fixture *f = new_fixture();
    static const uint8_t prefixed[12] = "\0\0\0\0\0\0\0\0TEST", plain[8] = "\0\0\0\0TEST";
    assert_ok(eti__flatbuf_find(&f->buffer, prefixed, 12, "TEST", &err));
    assert_ptr_equal(f->buffer.data, prefixed + 4);
    assert_int_equal(f->buffer.size, 8);
    assert_ok(eti__flatbuf_find(&f->buffer, plain, 8, "TEST", &err));
    assert_ptr_equal(f->buffer.data, plain);
    assert_int_equal(f->buffer.file_offset, 0);
    assert_fails(eti__flatbuf_find(&f->buffer, prefixed, 11, "TEST", &err), ETI_ERROR_MALFORMED,
                 "expected the identifier TEST at byte 8 or 4 of 11");
    assert_fails(eti__flatbuf_find(&f->buffer, plain, 7, "TEST", &err), ETI_ERROR_MALFORMED,
                 "of 7");
    assert_fails(eti__flatbuf_find(&f->buffer, NULL, 0, "TEST", &err), ETI_ERROR_MALFORMED, "of 0");
    free_fixture(f);
}

static void the_size_in_front_is_not_believed(void **state) {
    (void)state;
    for (uint32_t size = 0; size < 3; size++) {
        fixture *f = new_fixture();
        finish_as(&f->b, put_full_node(&f->b), "TEST", false);
        static const uint32_t sizes[] = {0, 9, UINT32_MAX};
        put_number(&f->b, sizes[size], 4);
        const uint8_t *data = f->b.bytes + f->b.capacity - f->b.size;
        assert_ok(eti__flatbuf_find(&f->buffer, data, f->b.size, "TEST", &err));
        assert_ok(verify(f));
        assert_full_node(f);
        free_fixture(f);
    }
}

static void more_than_4_gib_are_refused(void **state) {
    (void)state;
    if (SIZE_MAX == UINT32_MAX)
        skip();
    fixture *f = new_fixture();
    assert_fails(eti__flatbuf_find(&f->buffer, NULL, (size_t)UINT32_MAX + 1, "TEST", &err),
                 ETI_ERROR_LIMIT, "4294967296 bytes");
    free_fixture(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read_in_every_layout),
        cmocka_unit_test(absent_fields_have_the_default_asked_for),
        cmocka_unit_test(an_empty_vector_differs_from_none),
        cmocka_unit_test(unknown_fields_are_passed_over),
        cmocka_unit_test(the_identifier_is_looked_for_at_8_and_4),
        cmocka_unit_test(the_size_in_front_is_not_believed),
        cmocka_unit_test(more_than_4_gib_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
