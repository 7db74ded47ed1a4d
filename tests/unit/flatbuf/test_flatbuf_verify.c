/* Rejects damaged buffers, and names the table, the field and the byte in the file. */
#include "flatbuf_fixture.h"

/* ---- damage ---------------------------------------------------------------------------------- */

static uint32_t get(const fixture *f, size_t at, size_t width) {
    uint32_t number = 0;
    for (size_t i = 0; i < width; i++)
        number |= (uint32_t)f->buffer.data[at + i] << (8 * i);
    return number;
}

static void set(fixture *f, size_t at, size_t width, uint32_t number) {
    for (size_t i = 0; i < width; i++)
        ((uint8_t *)(uintptr_t)f->buffer.data)[at + i] = (uint8_t)(number >> (8 * i));
}

/* Makes a prefixed buffer with the full node, verified. */
static fixture *new_full_node(void) {
    fixture *f = new_fixture();
    assert_ok(open_buffer(f, put_full_node(&f->b), true));
    return f;
}

static size_t vtable_of(const fixture *f, size_t table) {
    return table - get(f, table, 4);
}

/* Returns the place of the field in the root table. */
static size_t field_of(const fixture *f, size_t field) {
    return f->root + get(f, vtable_of(f, f->root) + 4 + 2 * field, 2);
}

/* Returns the target of the root field's offset. */
static size_t target_of(const fixture *f, size_t field) {
    return field_of(f, field) + get(f, field_of(f, field), 4);
}

/* Writes `number` at `at`: verification fails, and the message names the place in the file. */
static void assert_damage(size_t (*find)(const fixture *f), size_t width, uint32_t number,
                          const char *where, const char *what) {
    fixture *f = new_full_node();
    set(f, find(f), width, number);
    assert_fails(verify(f), ETI_ERROR_MALFORMED, what);
    assert_non_null(strstr(err.message, where));
    assert_memory_equal(err.message, "byte ", 5);
    free_fixture(f);
}

static size_t at_root(const fixture *f) {
    (void)f;
    return 0;
}
static size_t at_table(const fixture *f) {
    return f->root;
}
static size_t at_vtable(const fixture *f) {
    return vtable_of(f, f->root);
}
static size_t at_table_size(const fixture *f) {
    return vtable_of(f, f->root) + 2;
}
static size_t at_u64_slot(const fixture *f) {
    return vtable_of(f, f->root) + 4 + 2 * U64;
}
static size_t at_string_offset(const fixture *f) {
    return field_of(f, STRING);
}
static size_t at_string(const fixture *f) {
    return target_of(f, STRING);
}
static size_t at_string_end(const fixture *f) {
    return target_of(f, STRING) + 4 + 3;
}

static size_t at_bytes(const fixture *f) {
    return target_of(f, BYTES);
}
static size_t at_i64s(const fixture *f) {
    return target_of(f, I64S);
}
static size_t at_nodes(const fixture *f) {
    return target_of(f, NODES);
}
static size_t at_second_node_offset(const fixture *f) {
    return target_of(f, NODES) + 8;
}
static size_t at_node(const fixture *f) {
    return target_of(f, NODE);
}

static void offsets_must_lead_forward_and_stay_inside(void **state) {
    (void)state;
    assert_damage(at_root, 4, 0, "byte 4: Node:", "expected an offset, found 0");
    assert_damage(at_root, 4, 0x7fffffff, "Node:", "points outside");
    assert_damage(at_root, 4, UINT32_MAX, "Node:", "points outside");
    assert_damage(at_string_offset, 4, 0, "string:", "found 0");
    assert_damage(at_string_offset, 4, UINT32_MAX, "string:", "points outside");
    assert_damage(at_second_node_offset, 4, 0, "nodes[1]:", "found 0");
    assert_damage(at_second_node_offset, 4, 0x10000, "nodes[1]:", "points outside");
}

static void an_offset_to_the_last_3_bytes_is_outside(void **state) {
    (void)state;
    for (uint32_t left = 0; left < 4; left++) {
        fixture *f = new_full_node();
        size_t at = field_of(f, BYTES);
        set(f, at, 4, (uint32_t)(f->buffer.size - at) - left);
        assert_fails(verify(f), ETI_ERROR_MALFORMED, "points outside the file");
        free_fixture(f);
    }
}

static void vtables_must_be_inside_and_possible(void **state) {
    (void)state;
    assert_damage(at_table, 4, 0x7fffffff, "Node:", "the vtable lies outside the file");
    assert_damage(at_table, 4, 0x80000000, "Node:", "the vtable lies outside the file");
    assert_damage(at_node, 4, 0x70000000, "node:", "the vtable lies outside the file");
    assert_damage(at_vtable, 2, 2, "Node:", "impossible size");
    assert_damage(at_vtable, 2, 7, "Node:", "impossible size");
    assert_damage(at_vtable, 2, 0xfffe, "Node:", "impossible size");
    assert_damage(at_table_size, 2, 3, "Node:", "impossible size");
    assert_damage(at_table_size, 2, 0xffff, "Node:", "longer than the rest");
}

static void fields_must_lie_inside_their_table(void **state) {
    (void)state;
    fixture *f = new_full_node();
    uint32_t size = get(f, at_table_size(f), 2);
    free_fixture(f);
    assert_damage(at_u64_slot, 2, 1, "u64:", "the field lies outside its table");
    assert_damage(at_u64_slot, 2, 3, "u64:", "the field lies outside its table");
    assert_damage(at_u64_slot, 2, size - 7, "u64:", "the field lies outside its table");
    assert_damage(at_u64_slot, 2, 0xffff, "u64:", "the field lies outside its table");
    assert_damage(at_table_size, 2, 4, "i8:", "the field lies outside its table");
    f = new_full_node();
    set(f, at_u64_slot(f), 2, size - 8);
    assert_ok(verify(f));
    free_fixture(f);
}

static void vectors_must_fit_without_overflow(void **state) {
    (void)state;
    assert_damage(at_string, 4, UINT32_MAX, "string:", "longer than the rest");
    assert_damage(at_bytes, 4, 0x7fffffff, "bytes:", "longer than the rest");
    assert_damage(at_i64s, 4, 0x20000000, "i64s:", "longer than the rest");
    assert_damage(at_i64s, 4, 0x1fffffff, "i64s:", "longer than the rest");
    assert_damage(at_nodes, 4, 0x40000000, "nodes:", "longer than the rest");
}

static void strings_end_with_nul(void **state) {
    (void)state;
    assert_damage(at_string_end, 1, 'x', "string:", "expected a NUL after the string");
}

static void a_string_may_not_take_its_nul_from_beyond_the_end(void **state) {
    (void)state;
    fixture *f = new_fixture();
    slot slots[13] = {0};
    slots[STRING] = target_slot(put_string(&f->b, "abc")); /* the buffer's last bytes */
    assert_ok(open_buffer(f, put_table(&f->b, slots, 13), true));
    f->buffer.size--;
    assert_fails(verify(f), ETI_ERROR_MALFORMED, "expected a NUL");
    free_fixture(f);
}

static void bytes_need_not_be_utf8(void **state) {
    (void)state;
    fixture *f = new_full_node();
    assert_memory_equal(eti__flatbuf_text(&f->buffer, f->root, BYTES).data, "\xff", 1);
    free_fixture(f);
}

static void messages_count_bytes_from_the_start_of_the_file(void **state) {
    (void)state;
    for (int prefixed = 0; prefixed < 2; prefixed++) {
        fixture *f = new_fixture();
        assert_ok(open_buffer(f, put_full_node(&f->b), prefixed));
        size_t at = at_string_end(f);
        set(f, at, 1, 'x');
        char where[32];
        snprintf(where, sizeof where, "byte %zu: ", at + (prefixed ? 4 : 0));
        assert_fails(verify(f), ETI_ERROR_MALFORMED, where);
        free_fixture(f);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Verifies `n` nodes that share `n_shared` tables of one byte, beside `n_bytes` that nothing refers to. */
static eti_status share(size_t n, size_t n_shared, size_t n_bytes) {
    fixture *f = new_fixture();
    f->b.vtables_shared = true;
    place *many = malloc(n * sizeof *many);
    uint8_t *bytes = calloc(n_bytes + 1, 1);
    assert_true(many && bytes);
    put(&f->b, bytes, n_bytes);
    for (size_t i = 0; i < n; i++)
        many[i] = i < n_shared ? PUT_TABLE(&f->b, (slot){1, 1, 0}) : many[i % n_shared];
    slot root[13] = {0};
    root[NODES] = target_slot(put_tables(&f->b, many, n));
    eti_status status = open_buffer(f, put_table(&f->b, root, 13), true);
    if (status != ETI_OK)
        assert_fails(status, ETI_ERROR_LIMIT, "8 times the file");
    free(many);
    free(bytes);
    free_fixture(f);
    return status;
}

/* A visit costs 65 of the permitted 8 times the size. */
static void sharing_is_legal_but_bounded(void **state) {
    (void)state;
    assert_int_equal(share(50, 1, 0), ETI_OK);
    assert_int_equal(share(1000, 1, 10000), ETI_OK);
    assert_int_equal(share(20000, 1, 10000), ETI_ERROR_LIMIT);
    assert_int_equal(share(20000, 18000, 0), ETI_OK);
    assert_int_equal(share(20000, 1000, 0), ETI_ERROR_LIMIT);
}

static void files_without_sharing_are_never_refused(void **state) {
    (void)state;
    assert_int_equal(share(100000, 100000, 0), ETI_OK);
    fixture *f = new_fixture();
    f->b.vtables_shared = true;
    static place smallest[100000];
    for (size_t i = 0; i < COUNT_OF(smallest); i++)
        smallest[i] = put_table(&f->b, NULL, 0);
    slot root[13] = {0};
    root[NODES] = target_slot(put_tables(&f->b, smallest, COUNT_OF(smallest)));
    assert_ok(open_buffer(f, put_table(&f->b, root, 13), true));
    free_fixture(f);
}

/* Verifies `n` nodes with the same 4000 bytes, as a string or as a vector of bytes. */
static eti_status share_bytes(size_t n, int field) {
    static place many[1000];
    static char text[4000];
    memset(text, 'x', sizeof text);
    fixture *f = new_fixture();
    slot slots[13] = {0};
    slots[field] = target_slot(put_string_of(&f->b, text, sizeof text));
    place shared = put_table(&f->b, slots, 13);
    for (size_t i = 0; i < n; i++)
        many[i] = shared;
    slot root[13] = {0};
    root[NODES] = target_slot(put_tables(&f->b, many, n));
    eti_status status = open_buffer(f, put_table(&f->b, root, 13), true);
    if (status != ETI_OK)
        assert_fails(status, ETI_ERROR_LIMIT, "8 times the file");
    free_fixture(f);
    return status;
}

/* Each byte of a vector, which is metadata, counts as 8 bytes of a string. */
static void long_texts_count_each_time(void **state) {
    (void)state;
    assert_int_equal(share_bytes(8, STRING), ETI_OK);
    assert_int_equal(share_bytes(1000, STRING), ETI_ERROR_LIMIT);
    assert_int_equal(share_bytes(1, BYTES), ETI_OK);
    assert_int_equal(share_bytes(8, BYTES), ETI_ERROR_LIMIT);
}

/* Each level refers 40 times to the next: 40^14 nodes in three kilobytes. */
static void doubling_at_every_level_is_refused_quickly(void **state) {
    (void)state;
    fixture *f = new_fixture();
    place node = PUT_TABLE(&f->b, (slot){1, 1, 0});
    for (int level = 0; level < 14; level++) {
        static place copies[40];
        for (size_t i = 0; i < COUNT_OF(copies); i++)
            copies[i] = node;
        slot slots[13] = {0};
        slots[NODES] = target_slot(put_tables(&f->b, copies, COUNT_OF(copies)));
        node = put_table(&f->b, slots, 13);
    }
    assert_fails(open_buffer(f, node, true), ETI_ERROR_LIMIT, "8 times the file");
    free_fixture(f);
}

static eti_status nest(int depth) {
    fixture *f = new_fixture();
    place node = PUT_TABLE(&f->b, (slot){1, 1, 0});
    for (int i = 1; i < depth; i++) {
        slot slots[13] = {0};
        slots[NODE] = target_slot(node);
        node = put_table(&f->b, slots, 13);
    }
    eti_status status = open_buffer(f, node, true);
    if (status != ETI_OK)
        assert_fails(status, ETI_ERROR_LIMIT, "nested deeper than 16");
    free_fixture(f);
    return status;
}

static void depth_is_bounded(void **state) {
    (void)state;
    assert_int_equal(nest(16), ETI_OK);
    assert_int_equal(nest(17), ETI_ERROR_LIMIT);
    assert_int_equal(nest(5000), ETI_ERROR_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_must_lead_forward_and_stay_inside),
        cmocka_unit_test(an_offset_to_the_last_3_bytes_is_outside),
        cmocka_unit_test(vtables_must_be_inside_and_possible),
        cmocka_unit_test(fields_must_lie_inside_their_table),
        cmocka_unit_test(vectors_must_fit_without_overflow),
        cmocka_unit_test(strings_end_with_nul),
        cmocka_unit_test(a_string_may_not_take_its_nul_from_beyond_the_end),
        cmocka_unit_test(bytes_need_not_be_utf8),
        cmocka_unit_test(messages_count_bytes_from_the_start_of_the_file),
        cmocka_unit_test(sharing_is_legal_but_bounded),
        cmocka_unit_test(files_without_sharing_are_never_refused),
        cmocka_unit_test(long_texts_count_each_time),
        cmocka_unit_test(doubling_at_every_level_is_refused_quickly),
        cmocka_unit_test(depth_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
