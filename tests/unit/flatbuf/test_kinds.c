/* Tests every kind of field that a schema may have: described by schema/make_tables.awk, written by flatc, verified and
 * read by this library. Invalid unions, structs and vectors are rejected. */
#include "etdump_builder.h"
#include "support.h"

#include "flatbuf/flatbuf.h"
#include "kinds_schema.inc"

#include <unistd.h>

static eti_error err = ETI_ERROR_INIT;

/* ---- output of flatc ------------------------------------------------------------------------- */

static const char content[] =
    "{scalars: {a_bool: false, an_i8: -8, a_u8: 200, an_i16: -16000, a_u16: 60000, an_i32: "
    "-2000000000,"
    " a_u32: 4000000000, an_i64: -9000000000000000000, a_u64: 18000000000000000000, an_f32: 1.5,"
    " an_f64: -2.25, colour: BLUE, wide: TWO, scalar_type: HALF},"
    " vectors: {text: \"a\", texts: [\"one\", \"\", \"three\"], bytes: [1, 255], bools: [true, "
    "false, true],"
    " blob: [9, 8], i16s: [-1, 2], wides: [ONE, TWO, ONE], u32s: [4000000000], f64s: [0.5, -0.5],"
    " leaves: [{number: 3}, {}]},"
    " structs: {point: {x: -2, y: -3, z: -4}, far: {x: 5, y: 6.5},"
    " points: [{x: 1, y: 2, z: 3}, {x: 4, y: 5, z: 6}]},"
    " chosen: [{choice_type: Leaf, choice: {number: 11}, after: -1},"
    " {before: 1, choice_type: Text, choice: {text: \"said\"}},"
    " {choice_type: Again, choice: {number: 12}}, {after: 2}], empty: {}}";

static char folder[] = "/tmp/etinspect-kinds-XXXXXX";

/* Returns the bytes that flatc makes of `content`. */
static uint8_t *encode(size_t *size) {
    char json[64], binary[64], command[256];
    assert_non_null(mkdtemp(folder));
    snprintf(json, sizeof json, "%s/kinds.json", folder);
    snprintf(binary, sizeof binary, "%s/kinds.bin", folder);
    FILE *file = fopen(json, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    fclose(file);
    snprintf(command, sizeof command,
             "flatc --binary --force-defaults -I schema -o %s tests/unit/flatbuf/kinds.fbs %s",
             folder, json);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
    uint8_t *bytes = read_whole_file(binary, size);
    unlink(json);
    unlink(binary);
    rmdir(folder);
    return bytes;
}

static void expect_scalars(const eti_flatbuf *b, eti_position table) {
    assert_int_equal(eti__flatbuf_u8(b, table, SCALARS_A_BOOL, 9), 0);
    assert_int_equal(eti__flatbuf_i8(b, table, SCALARS_AN_I8, 0), -8);
    assert_int_equal(eti__flatbuf_u8(b, table, SCALARS_A_U8, 0), 200);
    assert_int_equal(eti__flatbuf_i16(b, table, SCALARS_AN_I16, 0), -16000);
    assert_int_equal((uint16_t)eti__flatbuf_i16(b, table, SCALARS_A_U16, 0), 60000);
    assert_int_equal(eti__flatbuf_i32(b, table, SCALARS_AN_I32, 0), -2000000000);
    assert_true(eti__flatbuf_u32(b, table, SCALARS_A_U32, 0) == 4000000000);
    assert_true(eti__flatbuf_i64(b, table, SCALARS_AN_I64, 0) == -9000000000000000000);
    assert_true(eti__flatbuf_u64(b, table, SCALARS_A_U64, 0) == 18000000000000000000u);
    assert_true(eti__flatbuf_f32(b, table, SCALARS_AN_F32, 0) == 1.5f);
    assert_true(eti__flatbuf_f64(b, table, SCALARS_AN_F64, 0) == -2.25);
    assert_int_equal(eti__flatbuf_u8(b, table, SCALARS_COLOUR, 0), 2);
    assert_int_equal(eti__flatbuf_i16(b, table, SCALARS_WIDE, 0), 2);
    assert_int_equal(eti__flatbuf_i8(b, table, SCALARS_SCALAR_TYPE, 0), 5);
}

static void expect_text(eti_text found, const char *expected, size_t size) {
    assert_int_equal(found.size, size);
    assert_memory_equal(found.data, expected, size);
}

static void expect_vectors(const eti_flatbuf *b, eti_position table) {
    eti_vector texts = eti__flatbuf_vector(b, table, VECTORS_TEXTS);
    eti_vector shorts = eti__flatbuf_vector(b, table, VECTORS_I16S);
    eti_vector wides = eti__flatbuf_vector(b, table, VECTORS_WIDES);
    eti_vector doubles = eti__flatbuf_vector(b, table, VECTORS_F64S);
    eti_vector leaves = eti__flatbuf_vector(b, table, VECTORS_LEAVES);
    expect_text(eti__flatbuf_text(b, table, VECTORS_TEXT), "a", 1);
    assert_int_equal(texts.count, 3);
    size_t third = eti__flatbuf_vector_table(b, texts, 2);
    assert_int_equal(eti__flatbuf_load_u32(b, third), 5);
    assert_memory_equal(b->data + third + 4, "three", 6);
    expect_text(eti__flatbuf_text(b, table, VECTORS_BYTES), "\1\377", 2);
    expect_text(eti__flatbuf_text(b, table, VECTORS_BOOLS), "\1\0\1", 3);
    expect_text(eti__flatbuf_text(b, table, VECTORS_BLOB), "\11\10", 2);
    assert_int_equal(shorts.count, 2);
    assert_int_equal((int16_t)eti__flatbuf_load_u16(b, shorts.first), -1);
    assert_int_equal(wides.count, 3);
    assert_int_equal(eti__flatbuf_load_u16(b, wides.first + 2), 2);
    assert_true(eti__flatbuf_load_u32(b, eti__flatbuf_vector(b, table, VECTORS_U32S).first) ==
                4000000000);
    assert_int_equal(doubles.count, 2);
    assert_true(eti__flatbuf_load_u64(b, doubles.first) == 0x3fe0000000000000);
    assert_int_equal(leaves.count, 2);
    assert_int_equal(eti__flatbuf_i32(b, eti__flatbuf_vector_table(b, leaves, 0), LEAF_NUMBER, 0),
                     3);
}

static void expect_structs(const eti_flatbuf *b, eti_position table) {
    size_t point = eti__flatbuf_place(b, table, STRUCTS_POINT);
    size_t away = eti__flatbuf_place(b, table, STRUCTS_FAR);
    eti_vector points = eti__flatbuf_vector(b, table, STRUCTS_POINTS);
    assert_int_equal((int16_t)eti__flatbuf_load_u16(b, point), -2);
    assert_int_equal((int32_t)eti__flatbuf_load_u32(b, point + 4), -3);
    assert_int_equal((int8_t)b->data[point + 8], -4);
    assert_true(eti__flatbuf_load_u64(b, away + 8) == 0x401a000000000000); /* 6.5 */
    assert_int_equal(points.count, 2);
    assert_int_equal(b->data[points.first + point_schema.struct_size + 8], 6);
    assert_int_equal(far_schema.struct_size, 16);
}

static void expect_unions(const eti_flatbuf *b, eti_vector chosen) {
    assert_int_equal(chosen.count, 4);
    eti_position first = eti__flatbuf_vector_table(b, chosen, 0);
    eti_position second = eti__flatbuf_vector_table(b, chosen, 1);
    eti_position third = eti__flatbuf_vector_table(b, chosen, 2);
    eti_position fourth = eti__flatbuf_vector_table(b, chosen, 3);
    eti_position leaf = eti__flatbuf_union(b, first, CHOSEN_CHOICE, 1);
    eti_position text = eti__flatbuf_union(b, second, CHOSEN_CHOICE, 2);
    eti_position again = eti__flatbuf_union(b, third, CHOSEN_CHOICE, 3);
    assert_int_equal(eti__flatbuf_union(b, first, CHOSEN_CHOICE, 2), 0);
    assert_int_equal(eti__flatbuf_union(b, fourth, CHOSEN_CHOICE, 1), 0);
    assert_int_equal(eti__flatbuf_i32(b, leaf, LEAF_NUMBER, 0), 11);
    assert_true(eti__flatbuf_i64(b, first, CHOSEN_AFTER, 0) == -1);
    assert_int_equal(eti__flatbuf_i8(b, second, CHOSEN_BEFORE, 0), 1);
    expect_text(eti__flatbuf_text(b, text, TEXT_TEXT), "said", 4);
    assert_int_equal(eti__flatbuf_i32(b, again, LEAF_NUMBER, 0), 12);
}

static void the_descriptions_fit_what_flatc_writes(void **state) {
    (void)state;
    if (system("flatc --version > /dev/null 2>&1") != 0) {
        print_message("flatc is missing (Debian: flatbuffers-compiler)\n");
        skip();
    }
    size_t size;
    uint8_t *bytes = encode(&size);
    eti_flatbuf buffer;
    eti_position root = 0;
    assert_ok(eti__flatbuf_find(&buffer, bytes, size, "TEST", &err));
    assert_ok(eti__flatbuf_verify(&buffer, &xml_kinds_schema, 1, &root, &err));
    expect_scalars(&buffer, eti__flatbuf_table(&buffer, root, XML_KINDS_SCALARS));
    expect_vectors(&buffer, eti__flatbuf_table(&buffer, root, XML_KINDS_VECTORS));
    expect_structs(&buffer, eti__flatbuf_table(&buffer, root, XML_KINDS_STRUCTS));
    expect_unions(&buffer, eti__flatbuf_vector(&buffer, root, XML_KINDS_CHOSEN));
    assert_true(eti__flatbuf_has(&buffer, root, XML_KINDS_EMPTY));
    free(bytes);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* Opens a buffer whose root is a table of `schema`. */
typedef struct fixture {
    builder b;
    eti_flatbuf buffer;
    eti_position root;
} fixture;

static eti_status open_as(fixture *f, const eti_table_schema *schema, place root) {
    finish_as(&f->b, root, "TEST", false);
    f->buffer = (eti_flatbuf){.data = f->b.file.data,
                              .size = f->b.file.size,
                              .has_unsure_sizes = f->buffer.has_unsure_sizes};
    return eti__flatbuf_verify(&f->buffer, schema, 1, &f->root, &err);
}

static void expect_refused(fixture *f, const eti_table_schema *schema, place root,
                           const char *why) {
    assert_int_equal(open_as(f, schema, root), ETI_ERROR_MALFORMED);
    if (!strstr(err.message, why))
        fail_msg("expected \"%s\" in \"%s\"", why, err.message);
    builder_free(&f->b);
}

static place put_leaf(builder *b, int32_t number) {
    return PUT_TABLE(b, (slot){4, (uint32_t)number, 0});
}

/* Writes a Chosen; a type of 0 is absent. */
static place put_chosen(builder *b, uint8_t type, place value) {
    return PUT_TABLE(b, (slot){0}, (slot){type > 0, type, 0}, target_slot(value));
}

static void a_type_without_a_value_is_nothing(void **state) {
    (void)state;
    fixture f = {0};
    assert_ok(open_as(&f, &chosen_schema, put_chosen(&f.b, 1, 0)));
    assert_int_equal(eti__flatbuf_union(&f.buffer, f.root, CHOSEN_CHOICE, 1), 0);
    builder_free(&f.b);
}

static void a_value_without_a_type_is_passed_over(void **state) {
    (void)state;
    fixture f = {0};
    /* as a table it would be invalid */
    place odd = put_bytes(&f.b, "\377\377\377\177", 4);
    assert_ok(open_as(&f, &chosen_schema, put_chosen(&f.b, 0, odd)));
    assert_int_equal(eti__flatbuf_union(&f.buffer, f.root, CHOSEN_CHOICE, 1), 0);
    builder_free(&f.b);
}

static void a_value_of_an_unknown_type_is_passed_over(void **state) {
    (void)state;
    fixture f = {0};
    place odd = put_bytes(&f.b, "\377\377\377\177", 4);
    assert_ok(open_as(&f, &chosen_schema, put_chosen(&f.b, 4, odd)));
    for (uint8_t type = 1; type < 4; type++)
        assert_int_equal(eti__flatbuf_union(&f.buffer, f.root, CHOSEN_CHOICE, type), 0);
    builder_free(&f.b);
}

static void a_value_is_verified_as_its_type(void **state) {
    (void)state;
    fixture f = {0};
    /* a number that is not the offset of a text */
    expect_refused(&f, &chosen_schema, put_chosen(&f.b, 2, put_leaf(&f.b, 0x7fffffff)),
                   "choice.text: the offset points outside");
    assert_ok(open_as(&f, &chosen_schema, put_chosen(&f.b, 1, put_leaf(&f.b, 0x7fffffff))));
    builder_free(&f.b);
    expect_refused(&f, &chosen_schema, put_chosen(&f.b, 1, put_bytes(&f.b, "\377\377\377\177", 4)),
                   "choice: the table has an impossible size");
}

/* Returns the place of the field according to the root's vtable. */
static uint8_t *entry_of(const fixture *f, unsigned field) {
    uint8_t *data = (uint8_t *)(uintptr_t)f->buffer.data;
    size_t vtable = f->root - eti__flatbuf_load_u32(&f->buffer, f->root);
    return data + vtable + 4 + (size_t)2 * field;
}

static void a_type_lies_inside_its_table(void **state) {
    (void)state;
    fixture f = {0};
    assert_ok(open_as(&f, &chosen_schema, put_chosen(&f.b, 1, put_leaf(&f.b, 1))));
    uint8_t *entry = entry_of(&f, CHOSEN_CHOICE_TYPE), *size = entry_of(&f, 0) - 2;
    for (unsigned at = *size; at < 256; at++) {
        *entry = (uint8_t)at;
        assert_int_equal(eti__flatbuf_verify(&f.buffer, &chosen_schema, 1, &f.root, &err),
                         ETI_ERROR_MALFORMED);
        assert_non_null(strstr(err.message, "choice_type: the field lies outside its table"));
    }
    *entry = 3; /* in the offset of the vtable */
    assert_int_equal(eti__flatbuf_verify(&f.buffer, &chosen_schema, 1, &f.root, &err),
                     ETI_ERROR_MALFORMED);
    builder_free(&f.b);
}

static void a_struct_lies_inside_its_table(void **state) {
    (void)state;
    fixture f = {0};
    /* inserts fields that the schema does not have */
    assert_ok(open_as(&f, &structs_schema,
                      PUT_TABLE(&f.b, (slot){8, 1, 0}, (slot){0}, (slot){0}, (slot){4, 2, 0})));
    builder_free(&f.b);
    assert_ok(open_as(&f, &structs_schema,
                      PUT_TABLE(&f.b, (slot){0}, (slot){8, 1, 0}, (slot){0}, (slot){8, 2, 0})));
    builder_free(&f.b);
    expect_refused(&f, &structs_schema,
                   PUT_TABLE(&f.b, (slot){8, 1, 0}, (slot){0}, (slot){0}, (slot){2, 2, 0}),
                   "point: the field lies outside its table");
    expect_refused(&f, &structs_schema,
                   PUT_TABLE(&f.b, (slot){0}, (slot){8, 1, 0}, (slot){0}, (slot){4, 2, 0}),
                   "far: the field lies outside its table");
}

/* Makes a table whose field `field` is a vector that claims `count` elements and has `size` bytes. */
static place put_vector(builder *b, unsigned field, uint32_t count, size_t size) {
    static const uint8_t bytes[64];
    slot slots[16] = {{0}};
    put(b, bytes, size);
    put_number(b, count, 4);
    slots[field] = target_slot(here(b));
    return put_table(b, slots, field + 1);
}

static void vectors_fit_to_the_byte(void **state) {
    (void)state;
    static const struct {
        const eti_table_schema *schema;
        unsigned field;
        size_t width;
    } vectors[] = {
        {&structs_schema, STRUCTS_POINTS, 12}, {&vectors_schema, VECTORS_I16S, 2},
        {&vectors_schema, VECTORS_WIDES, 2},   {&vectors_schema, VECTORS_U32S, 4},
        {&vectors_schema, VECTORS_F64S, 8},    {&vectors_schema, VECTORS_BLOB, 1},
        {&vectors_schema, VECTORS_BYTES, 1},
    };
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        size_t width = vectors[i].width;
        const eti_table_schema *schema = vectors[i].schema;
        const uint32_t too_many[] = {4, (uint32_t)(UINT32_MAX / width),
                                     (uint32_t)(UINT32_MAX / width - 1), 0x80000000, UINT32_MAX};
        fixture f = {0};
        assert_ok(open_as(&f, schema, put_vector(&f.b, vectors[i].field, 3, 3 * width)));
        builder_free(&f.b);
        for (size_t k = 0; k < COUNT_OF(too_many); k++)
            expect_refused(&f, schema, put_vector(&f.b, vectors[i].field, too_many[k], 3 * width),
                           "the vector is longer than the rest");
    }
}

static void each_text_of_a_vector_is_verified(void **state) {
    (void)state;
    fixture f = {0};
    put(&f.b, "x", 1); /* instead of the NUL */
    place odd = put_bytes(&f.b, "odd", 3);
    place texts[] = {put_string(&f.b, "fine"), put_string(&f.b, ""), odd};
    place vector = put_tables(&f.b, texts, 3);
    expect_refused(&f, &vectors_schema, PUT_TABLE(&f.b, (slot){0}, target_slot(vector)),
                   "texts[2]: expected a NUL");
    put_number(&f.b, 0x7fffffff, 4);
    put_number(&f.b, 1, 4);
    vector = here(&f.b);
    expect_refused(&f, &vectors_schema, PUT_TABLE(&f.b, (slot){0}, target_slot(vector)),
                   "texts[0]: the offset points outside");
}

/* Makes `n` Vectors with the same 4000 bytes. */
static eti_status share(unsigned field, size_t n) {
    static const uint8_t bytes[4000];
    static place many[2000];
    fixture f = {0};
    f.b.vtables_shared = true;
    slot slots[16] = {{0}};
    slots[field] = target_slot(put_bytes(&f.b, bytes, sizeof bytes));
    place vectors = put_table(&f.b, slots, field + 1);
    for (size_t i = 0; i < n; i++)
        many[i] = vectors;
    static const eti_field fields[] = {{"vectors", ETI_FIELD_TABLES, {.table = &vectors_schema}}};
    static const eti_table_schema list_schema = {"List", fields, 1, 0};
    eti_status status =
        open_as(&f, &list_schema, PUT_TABLE(&f.b, target_slot(put_tables(&f.b, many, n))));
    builder_free(&f.b);
    return status;
}

/* Bytes that are returned as a whole cost their number, those that may be printed 8 times as much. */
static void blobs_cost_less_than_bytes(void **state) {
    (void)state;
    assert_int_equal(share(VECTORS_BLOB, 8), ETI_OK);
    assert_int_equal(share(VECTORS_BYTES, 8), ETI_ERROR_LIMIT);
    assert_int_equal(share(VECTORS_BLOB, 2000), ETI_ERROR_LIMIT);
    assert_int_equal(share(VECTORS_BYTES, 1), ETI_OK);
}

/* Tables of different sizes may share a vtable, which has the size of one of them. */
static void a_size_may_be_unsure(void **state) {
    (void)state;
    fixture f = {0};
    assert_ok(open_as(&f, &chosen_schema, put_chosen(&f.b, 1, put_leaf(&f.b, 1))));
    uint8_t *size = entry_of(&f, 0) - 2;
    *size = 4;
    assert_int_equal(eti__flatbuf_verify(&f.buffer, &chosen_schema, 1, &f.root, &err),
                     ETI_ERROR_MALFORMED);
    f.buffer.has_unsure_sizes = true;
    assert_ok(eti__flatbuf_verify(&f.buffer, &chosen_schema, 1, &f.root, &err));
    /* but nothing may lie outside the buffer */
    f.buffer.size = f.root + 4 + 1 + 4;
    assert_ok(eti__flatbuf_verify(&f.buffer, &empty_schema, 1, &f.root, &err));
    f.buffer.size--;
    assert_int_equal(eti__flatbuf_verify(&f.buffer, &chosen_schema, 1, &f.root, &err),
                     ETI_ERROR_MALFORMED);
    assert_non_null(strstr(err.message, "the table is longer than the rest"));
    builder_free(&f.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_descriptions_fit_what_flatc_writes),
        cmocka_unit_test(a_type_without_a_value_is_nothing),
        cmocka_unit_test(a_value_without_a_type_is_passed_over),
        cmocka_unit_test(a_value_of_an_unknown_type_is_passed_over),
        cmocka_unit_test(a_value_is_verified_as_its_type),
        cmocka_unit_test(a_type_lies_inside_its_table),
        cmocka_unit_test(a_struct_lies_inside_its_table),
        cmocka_unit_test(vectors_fit_to_the_byte),
        cmocka_unit_test(each_text_of_a_vector_is_verified),
        cmocka_unit_test(blobs_cost_less_than_bytes),
        cmocka_unit_test(a_size_may_be_unsure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
