/* The bytes come from https://protobuf.dev/programming-guides/encoding/. */
#include "base/text.h"
#include "support.h"
#include "trace/slice_args.h"

static void assert_bytes(eti_buffer *found, const char *expected, size_t size) {
    assert_false(found->failed);
    assert_int_equal(found->size, size);
    assert_memory_equal(found->data, expected, size);
    eti__buffer_free(found);
}

static void varints_have_seven_bits_a_byte(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti__protobuf_add_varint(&out, 0);
    eti__protobuf_add_varint(&out, 127);
    eti__protobuf_add_varint(&out, 128);
    eti__protobuf_add_varint(&out, 150);
    eti__protobuf_add_varint(&out, UINT64_MAX);
    assert_bytes(&out, "\0\x7f\x80\1\x96\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 16);
}

static void fields_begin_with_their_number(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti__protobuf_add_number(&out, 1, 150);
    eti__protobuf_add_number(&out, 16, 0);
    eti__protobuf_add_number(&out, 2, (uint64_t)INT64_C(-2));
    assert_bytes(&out, "\x08\x96\1\x80\1\0\x10\xfe\xff\xff\xff\xff\xff\xff\xff\xff\1", 17);
}

static void texts_and_messages_have_a_length(void **state) {
    (void)state;
    eti_buffer out = {0}, inner = {0};
    eti__protobuf_add_bytes(&out, 2, eti__text_of("testing"));
    eti__protobuf_add_bytes(&out, 4, (eti_text){NULL, 0});
    eti__protobuf_add_number(&inner, 1, 150);
    eti__protobuf_add_bytes(&out, 3, eti__buffer_text(&inner));
    eti__buffer_free(&inner);
    assert_bytes(&out, "\x12\7testing\x22\0\x1a\3\x08\x96\1", 16);
}

static void fixed_numbers_have_eight_bytes(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti__protobuf_add_fixed64(&out, 47, UINT64_C(0x8877665544332211));
    assert_bytes(&out, "\xf9\2\x11\x22\x33\x44\x55\x66\x77\x88", 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints_have_seven_bits_a_byte),
        cmocka_unit_test(fields_begin_with_their_number),
        cmocka_unit_test(texts_and_messages_have_a_length),
        cmocka_unit_test(fixed_numbers_have_eight_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
