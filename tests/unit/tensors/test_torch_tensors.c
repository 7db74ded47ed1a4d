/* Reads archives of torch.save as files of tensors: sources of names, and values that are not tensors. */
#include "tensors/tensor_file.h"

#include "record_builder.h"
#include "support.h"

#define BYTES(literal)                                                                             \
    { (literal), sizeof(literal) - 1 }
#define TEXT(literal) ((eti_text)BYTES(literal))

/* A tensor of two floats on storage 0. */
#define TENSOR                                                                                     \
    "ctorch._utils\n_rebuild_tensor_v2\n"                                                          \
    "((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0000X\3\0\0\0cpuK\2tQ"                        \
    "K\0K\2\205K\1\205\211ccollections\nOrderedDict\n)RtR"
#define KEY(letter) "X\1\0\0\0" letter

typedef struct opened {
    record_builder zip;
    eti_arena arena;
    eti_tensor_file file;
    eti_error err;
} opened;

static eti_status try_open(opened *o, eti_text pickle) {
    *o = (opened){.err = ETI_ERROR_INIT};
    add_sized_member(&o->zip, "any/data.pkl", pickle.data, pickle.size);
    add_sized_member(&o->zip, "any/data/0", "\0\0\200\077\0\0\0\100", 8);
    finish_record(&o->zip);
    return eti__tensor_file_open(&o->file, &o->arena, &o->zip.file, &o->err);
}

static void release(opened *o) {
    eti__tensor_file_close(&o->file);
    eti__arena_free(&o->arena);
    free_record(&o->zip);
}

/* Checks the names of all tensors, separated by spaces. */
static void expect_names(eti_text pickle, const char *names) {
    opened o;
    char found[128] = "";
    if (try_open(&o, pickle) != ETI_OK)
        fail_msg("%s", o.err.message);
    assert_true(o.file.is_ordered);
    for (size_t i = 0; i < o.file.n_tensors; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%.*s", i ? " " : "",
                 ETI_TEXT_ARGS(o.file.tensors[i].name));
    assert_string_equal(found, names);
    release(&o);
}

static void names_are_keys_and_positions(void **state) {
    (void)state;
    expect_names(TEXT("\x80\2}(" KEY("b") TENSOR KEY("a") TENSOR "K\7" TENSOR "u."), "b a 7");
    expect_names(TEXT("\x80\2}" KEY("a") "](" TENSOR TENSOR "es."), "a#0 a#1");
    expect_names(TEXT("\x80\2](" TENSOR "K\5(" TENSOR TENSOR "te."), "0 1 2#0 2#1");
    expect_names(TEXT("\x80\2" TENSOR "\205."), "0");
    expect_names(TEXT("\x80\2" TENSOR "."), "");
    expect_names(TEXT("\x80\2}."), "");
}

static void numbers_are_tensors_without_dimensions(void **state) {
    (void)state;
    static const struct {
        const char *type;
        const char *bytes;
        size_t size;
    } expected[] = {
        {"float32", "\0\0\200\077\0\0\0\100", 8},
        {"int64", "\377\377\377\377\377\377\377\377", 8},
        {"bool", "\1", 1},
        {"float64", "\0\0\0\0\0\0\370\077", 8},
    };
    opened o;
    assert_int_equal(
        try_open(&o, TEXT("\x80\2](" TENSOR "J\377\377\377\377\210G\77\370\0\0\0\0\0\0e.")),
        ETI_OK);
    assert_int_equal(o.file.n_tensors, 4);
    for (size_t i = 0; i < 4; i++) {
        eti_tensor_values values;
        assert_int_equal(eti__tensor_file_load(&values, &o.file, i, &o.arena, &o.err), ETI_OK);
        assert_string_equal(eti__element_type(values.scalar_type)->name, expected[i].type);
        assert_int_equal(values.n_dims, i == 0);
        assert_int_equal(eti__tensor_values_size(&values), expected[i].size);
        assert_memory_equal(values.data, expected[i].bytes, expected[i].size);
    }
    release(&o);
}

static void values_other_than_tensors_are_refused(void **state) {
    (void)state;
    static const struct {
        eti_text pickle;
        const char *part;
    } cases[] = {
        {BYTES("\x80\2}" KEY("a") "}s."),
         "a: expected a tensor, or a list of tensors, found a dict"},
        {BYTES("\x80\2}" KEY("a") "]]as."),
         "a#0: expected a tensor, or a list of tensors, found a list"},
        {BYTES("\x80\2](" TENSOR "Ne."), "1: expected a tensor, or a list of tensors, found None"},
        {BYTES("\x80\2" KEY("a") "."),
         "test.etrecord: expected a tensor, or a list of tensors, found a text"},
        {BYTES("\x80\2ctorch\nuint16\n."), "found a dtype"},
        {BYTES("\x80\2}" TENSOR TENSOR "s."), "as keys of a dict of tensors, found a tensor"},
        {BYTES("\x80\2}(K\1" TENSOR KEY("1") TENSOR "u."), "two tensors are called 1"},
        {BYTES("\x80\2}(" KEY("a") TENSOR KEY("a") TENSOR "u."), "two tensors are called a"},
        {BYTES("\x80\2cposix\nsystem\n."), "posix.system: only tensors"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opened o;
        assert_int_equal(try_open(&o, cases[i].pickle), ETI_ERROR_MALFORMED);
        if (!strstr(o.err.message, cases[i].part))
            fail_msg("expected \"%s\" in: %s", cases[i].part, o.err.message);
        release(&o);
    }
}

/* For a pickle outside a ZIP the message says what is wrong; a header of safetensors may begin with the same bytes. */
static void old_archives_are_named(void **state) {
    (void)state;
    static char name[] = "old.pt", safe_name[] = "x.safetensors";
    static uint8_t safe[8 + 0x280] = {0x80, 2, 0, 0, 0, 0, 0, 0, '{', '}'};
    const struct eti_file old = {.name = name, .data = (const uint8_t *)"\x80\2]q\0.", .size = 6};
    const struct eti_file other = {.name = safe_name, .data = safe, .size = sizeof safe};
    eti_arena arena = {0};
    eti_tensor_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__tensor_file_open(&file, &arena, &old, &err), ETI_ERROR_MALFORMED);
    assert_non_null(
        strstr(err.message, "old.pt: expected a ZIP written by torch.save, found a plain"));
    memset(safe + 10, ' ', sizeof safe - 10);
    assert_int_equal(eti__tensor_file_open(&file, &arena, &other, &err), ETI_OK);
    assert_int_equal(file.n_tensors, 0);
    eti__tensor_file_close(&file);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_keys_and_positions),
        cmocka_unit_test(numbers_are_tensors_without_dimensions),
        cmocka_unit_test(values_other_than_tensors_are_refused),
        cmocka_unit_test(old_archives_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
