#include "damage.h"

#include "record_builder.h"

#include "support.h"

#include "etrecord/etrecord.h"
#include "tensors/tensors.h"

/* ==== torch save ============================================================================== */
/* Tests archives of torch.save: their contents, hostile pickles, and damage. tests/parity/tensor_files.py compares with
 * torch itself. */

static char old_name[] = "old";
static char short_name[] = "x";

#define BYTES(literal)                                                                             \
    { (literal), sizeof(literal) - 1 }
#define TEXT(literal) ((eti_text)BYTES(literal))

/* A tensor on storage 0, which has 24 bytes: the part up to its hooks, and the rest. */
#define STORAGE(class, count)                                                                      \
    "((X\7\0\0\0storagectorch\n" class "Storage\nX\1\0\0\0000X\3\0\0\0cpuK" count "tQ"
#define HOOKS "\211ccollections\nOrderedDict\n)R"
#define V2 "ctorch._utils\n_rebuild_tensor_v2\n"
#define TENSOR V2 STORAGE("Float", "\6") "K\0K\2K\3\206K\3K\1\206" HOOKS "tR"

static void pack(record_builder *zip, eti_text pickle) {
    static const char storage[24] =
        "\0\0\200\077\0\0\0\100\0\0\100\100\0\0\200\100\0\0\240\100\0\0\300";
    add_sized_member(zip, "any/data.pkl", pickle.data, pickle.size);
    add_member(zip, "any/byteorder", "little");
    add_sized_member(zip, "any/data/0", storage, sizeof storage);
    finish_record(zip);
}

static eti_status read_pickle(record_builder *zip, eti_arena *arena, eti_text pickle,
                              const eti_saved_value **value, eti_error *err) {
    pack(zip, pickle);
    return eti__torch_save_read(value, arena, &zip->file, err);
}

/* Returns the value of a dict with this key. */
static const eti_saved_value *value_of_forward(const eti_saved_value *dict) {
    assert_int_equal(dict->kind, ETI_SAVED_DICT);
    assert_int_equal(dict->n_items, 2);
    assert_int_equal(dict->items[0]->kind, ETI_SAVED_TEXT);
    assert_text(eti__saved_text(dict->items[0]), "forward");
    return dict->items[1];
}

static void values_are_read(void **state) {
    (void)state;
    record_builder zip = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_saved_value *value;
    assert_ok(read_pickle(&zip, &arena,
                          TEXT("\x80\2}X\7\0\0\0forward](" TENSOR
                               "q\5J\377\377\377\377\x8a\5\0\0\0\0\x80G\77\370\0\0\0\0\0\0N\210h\5"
                               "X\1\0\0\0xes."),
                          &value, &err));
    const eti_saved_value *list = value_of_forward(value);
    assert_int_equal(list->kind, ETI_SAVED_LIST);
    assert_int_equal(list->n_items, 8);
    const eti_tensor_values *tensor = list->items[0]->tensor;
    assert_int_equal(tensor->scalar_type, 6);
    assert_int_equal(tensor->n_dims, 2);
    assert_int_equal(tensor->sizes[1], 3);
    assert_int_equal(tensor->n_elements, 6);
    assert_memory_equal(tensor->data + 4, "\0\0\0\100", 4);
    assert_int_equal(list->items[1]->as_int, -1);
    assert_int_equal(list->items[2]->as_int, -(INT64_C(1) << 39));
    assert_bits(list->items[3]->as_float, 1.5);
    assert_int_equal(list->items[4]->kind, ETI_SAVED_NONE);
    assert_true(list->items[5]->as_bool);
    assert_ptr_equal(list->items[6]->tensor, tensor);
    assert_text(eti__saved_text(list->items[7]), "x");
    free_record(&zip);
    eti__arena_free(&arena);
}

static void hostile_pickles_are_refused(void **state) {
    (void)state;
    static const struct {
        eti_text pickle;
        const char *part;
    } cases[] = {
        {BYTES("\x80\2cposix\nsystem\n(X\2\0\0\0lstR."), "byte 2: posix.system: only tensors"},
        {BYTES("\x80\2c__builtin__\neval\n."), "__builtin__.eval"},
        {BYTES("\x80\2ctorch\nload\n."), "torch.load"},
        {BYTES("\x80\2}}b."), "byte 4: opcode BUILD"}, /* a dict has no attributes */
        {BYTES("\x80\2]}b."), "opcode BUILD"},
        {BYTES("\x80\2" TENSOR "}b."), "opcode BUILD"},
        {BYTES("\x80\2cposix\nsystem\n}b."), "posix.system"},
        {BYTES("\x80\2ccollections\nOrderedDict\n}b."), "opcode BUILD"}, /* of the class */
        {BYTES("\x80\2ccollections\nOrderedDict\n)RNb."), "opcode BUILD"},
        {BYTES("\x80\2ccollections\nOrderedDict\n)RN}\x86"
               "b."),
         "opcode BUILD"}, /* slots */
        {BYTES("\x80\2ccollections\nOrderedDict\n)R}(X\1\0\0\0xcposix\nsystem\nub."),
         "posix.system"},
        {BYTES("\x80\2}b."), "more items than the stack has"},
        {BYTES("\x80\2}i"), "opcode 0x69"},
        {BYTES("\x80\4N."), "a pickle of protocol 2"},
        {BYTES("N."), "a pickle of protocol 2"},
        {BYTES("\x80\2"), "cut short"},
        {BYTES("\x80\2X\377\377\377\377a."), "cut short"},
        {BYTES("\x80\2ctorch"), "cut short"},
        {BYTES("\x80\2."), "more or less than one value"},
        {BYTES("\x80\2NN."), "more or less than one value"},
        {BYTES("\x80\2(N."), "more or less than one value"},
        {BYTES("\x80\2N.N"), "bytes follow"},
        {BYTES("\x80\2\x85."), "more items than the stack has"},
        {BYTES("\x80\2N(\x85."), "more items than the stack has"},
        {BYTES("\x80\2t."), "there is no mark"},
        {BYTES("\x80\2NNa."), "a value that is not a list"},
        {BYTES("\x80\2]NNs."), "a value that is not a dict"},
        {BYTES("\x80\2}(Nu."), "a key has no value"},
        {BYTES("\x80\2h\0."), "a memo number that was never stored"},
        {BYTES("\x80\2Nr\377\377\377\177."), "larger than the number of opcodes"},
        {BYTES("\x80\2q\0."), "more items than the stack has"},
        {BYTES("\x80\2X\1\0\0\0\377."), "not UTF-8"},
        {BYTES("\x80\2\x8a\11\0\0\0\0\0\0\0\0\1."), "more than 64 bits"},
        {BYTES("\x80\2NQ."), "as a persistent id"},
        {BYTES("\x80\2N)R."), "not a function with its arguments"},
        {BYTES("\x80\2ctorch\nFloatStorage\n)R."), "a class is called"},
        {BYTES("\x80\2ctorch\nTensor\n)R."), "a class is called"},
        {BYTES("\x80\2ctorch._tensor\n_rebuild_from_type_v2\n)R."),
         "a tensor with attributes is not built as torch builds it"},
        {BYTES("\x80\2ctorch\nFloatStorage\n."), "in the place of a value"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\7") "."),
         "expected 7 elements of 4 bytes, found 24 bytes"},
        {BYTES("\x80\2" V2 STORAGE("Double", "\6") "."), "expected 6 elements of 8 bytes"},
        {BYTES("\x80\2" V2 STORAGE("Quint8", "\6") "."), "torch.Quint8Storage"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\6") "K\1K\2K\3\206K\3K\1\206" HOOKS "tR."),
         "exceeds its storage of 6"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\6") "J\377\377\377\377K\2K\3\206K\3K\1\206" HOOKS
                                                  "tR."),
         "exceeds its storage of 6"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\6") "K\0K\2K\3\206K\4K\1\206" HOOKS "tR."),
         "exceeds its storage of 6"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\6") "K\0J\377\377\377\377\x85K\1\x85" HOOKS "tR."),
         "a size is negative"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\6") "K\0K\2\x85J\377\377\377\377\x85" HOOKS "tR."),
         "a stride is negative"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\6") "K\0K\2\x85K\1K\1\206" HOOKS "tR."),
         "not two tuples of one length"},
        {BYTES("\x80\2" V2 STORAGE(
             "Float", "\6") "K\0K\2\x85\x8a\10\377\377\377\377\377\377\377\177\x85" HOOKS "tR."),
         "too large for any memory"},
        {BYTES("\x80\2" V2 STORAGE("Float", "\6") "K\0K\2\x85K\1\x85" HOOKS
                                                  "}(X\4\0\0\0conj\210utR."),
         "conjugated"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        record_builder zip = {0};
        eti_arena arena = {0};
        eti_error err = ETI_ERROR_INIT;
        const eti_saved_value *value;
        assert_fails(read_pickle(&zip, &arena, cases[i].pickle, &value, &err), ETI_ERROR_MALFORMED,
                     cases[i].part);
        assert_null(value);
        assert_non_null(strstr(err.message, "test.etrecord: member data.pkl: "));
        free_record(&zip);
        eti__arena_free(&arena);
    }
}

static void expect_limit(eti_buffer *pickle, const char *part) {
    record_builder zip = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_saved_value *value;
    assert_fails(read_pickle(&zip, &arena, eti__buffer_text(pickle), &value, &err), ETI_ERROR_LIMIT,
                 part);
    free_record(&zip);
    eti__arena_free(&arena);
    pickle->size = 2;
}

static void bombs_are_refused(void **state) {
    (void)state;
    eti_buffer pickle = {0};
    eti__buffer_add(&pickle, "\x80\2", 2);
    eti__buffer_add(&pickle, "]q\0h\0a.", 7); /* a list that contains itself */
    expect_limit(&pickle, "or one contains itself");

    eti__buffer_add_string(&pickle, "N");
    eti__buffer_add_repeated(&pickle, "\x85", 65);
    eti__buffer_add_char(&pickle, '.');
    expect_limit(&pickle, "nested more than 64 deep");

    eti__buffer_add_string(&pickle, "N"); /* 2^40 items */
    for (unsigned i = 0; i < 40; i++)
        eti__buffer_add(&pickle, "q\1h\1\x86", 5);
    eti__buffer_add_char(&pickle, '.');
    expect_limit(&pickle, "more than 2000000 would be visited");

    eti__buffer_add_repeated(&pickle, "N", 1000001);
    expect_limit(&pickle, "more than 1000000 opcodes");

    eti__buffer_add(&pickle, V2 STORAGE("Float", "\6"), sizeof V2 STORAGE("Float", "\6") - 1);
    static const char expanded[] = "K\0J\0\0\0\177\x85K\0\x85" HOOKS "tR.";
    eti__buffer_add(&pickle, expanded, sizeof expanded - 1);
    expect_limit(&pickle, "share so many bytes");
    eti__buffer_free(&pickle);
}

static void other_files_are_refused(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_saved_value *value;
    struct eti_file file = {.name = old_name, .data = (const uint8_t *)"\x80\2N.", .size = 4};
    assert_fails(eti__torch_save_read(&value, &arena, &file, &err), ETI_ERROR_MALFORMED,
                 "old: expected a ZIP written by torch.save, found a plain pickle");
    file.size = 0;
    assert_fails(eti__torch_save_read(&value, &arena, &file, &err), ETI_ERROR_MALFORMED,
                 "other bytes");

    record_builder zip = {0};
    add_member(&zip, "data.pkl.txt", "");
    finish_record(&zip);
    assert_fails(eti__torch_save_read(&value, &arena, &zip.file, &err), ETI_ERROR_MALFORMED,
                 "expected a member data.pkl");
    free_record(&zip);
    add_member(&zip, "a/data.pkl", "");
    add_member(&zip, "a/byteorder", "big");
    finish_record(&zip);
    assert_fails(eti__torch_save_read(&value, &arena, &zip.file, &err), ETI_ERROR_MALFORMED,
                 "expected little, found big");
    free_record(&zip);
    static const char lost[] = "\x80\2" TENSOR ".";
    add_sized_member(&zip, "a/data.pkl", lost, sizeof lost - 1);
    finish_record(&zip);
    assert_fails(eti__torch_save_read(&value, &arena, &zip.file, &err), ETI_ERROR_MALFORMED,
                 "has no storage data/0");
    free_record(&zip);
    eti__arena_free(&arena);
}

static void members_of_records_are_read(void **state) {
    (void)state;
    struct eti_file file;
    eti_arena arena = {0};
    eti_etrecord *record;
    eti_error err = ETI_ERROR_INIT;
    const eti_saved_value *value;
    const eti_source source = {.path = "testdata/bundled-inputs/record.etrecord"};
    assert_ok(eti__file_open_source(&file, &source, &err));
    assert_ok(eti__etrecord_open(&record, &arena, &file, &err));
    assert_ok(eti__etrecord_read_saved(record, "reference_outputs", &value, &err));
    const eti_saved_value *cases = value_of_forward(value);
    assert_non_null(cases);
    assert_true(cases->kind == ETI_SAVED_LIST && cases->n_items > 0);
    assert_int_equal(cases->items[0]->items[0]->kind, ETI_SAVED_TENSOR);
    assert_ok(eti__etrecord_read_saved(record, "nothing", &value, &err));
    assert_null(value);
    assert_fails(eti__etrecord_read_saved(record, "debug_handle_map", &value, &err),
                 ETI_ERROR_MALFORMED, "member debug_handle_map: torch.save: expected a ZIP");
    eti__etrecord_close(record);
    eti__file_release(&file);
    eti__arena_free(&arena);
}

static void read_damaged(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_saved_value *value;
    const struct eti_file file = {.name = short_name, .data = data, .size = size};
    eti_status status = eti__torch_save_read(&value, &arena, &file, &err);
    counts->tried++;
    counts->refused[status]++;
    assert_true(status == ETI_OK || (err.status == status && err.message[0] != '\0'));
    eti__arena_free(&arena);
}

static void damage_is_refused(void **state) {
    (void)state;
    static const char pickle[] = "\x80\2](" TENSOR "q\5h\5K\1}X\1\0\0\0aNse.";
    record_builder zip = {0};
    damage_counts cut = {0}, flipped = {0};
    prepare_for_many_readings();
    pack(&zip, (eti_text){pickle, sizeof pickle - 1});
    cut_everywhere(zip.file.data, zip.file.size, read_damaged, &cut);
    assert_int_equal(cut.refused[ETI_OK], 0);
    flip_everywhere(zip.file.data, zip.file.size, read_damaged, &flipped);
    assert_true(flipped.refused[ETI_ERROR_MALFORMED] > flipped.tried / 2);
    /* Flips each bit of the pickle, in a valid ZIP. */
    for (size_t bit = 0; bit < (sizeof pickle - 1) * 8; bit++) {
        char copy[sizeof pickle];
        memcpy(copy, pickle, sizeof copy);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        free_record(&zip);
        pack(&zip, (eti_text){copy, sizeof pickle - 1});
        read_damaged(&flipped, zip.file.data, zip.file.size);
    }
    free_record(&zip);
}

/* ==== torch tensors =========================================================================== */
/* Reads archives of torch.save as files of tensors: sources of names, and values that are not tensors. */

/* A tensor of two floats on storage 0. */
#define TORCH_TENSOR                                                                               \
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
    expect_names(
        TEXT("\x80\2}(" KEY("b") TORCH_TENSOR KEY("a") TORCH_TENSOR "K\7" TORCH_TENSOR "u."),
        "b a 7");
    expect_names(TEXT("\x80\2}" KEY("a") "](" TORCH_TENSOR TORCH_TENSOR "es."), "a#0 a#1");
    expect_names(TEXT("\x80\2](" TORCH_TENSOR "K\5(" TORCH_TENSOR TORCH_TENSOR "te."),
                 "0 1 2#0 2#1");
    expect_names(TEXT("\x80\2" TORCH_TENSOR "\205."), "0");
    expect_names(TEXT("\x80\2" TORCH_TENSOR "."), "test.etrecord"); /* as a .npy file */
    expect_names(TEXT("\x80\2}."), "");
}

/* The bytes are those that torch.save(torch.nn.Linear(2, 1).state_dict()) writes, without storages of their own. */
static void state_dicts_are_read(void **state) {
    (void)state;
    expect_names(TEXT("\x80\2ccollections\nOrderedDict\nq\0)Rq\1("
                      "X\6\0\0\0weightq\2" TORCH_TENSOR "X\4\0\0\0biasq\3" TORCH_TENSOR "u"
                      "}q\4X\11\0\0\0_metadataq\5h\0)Rq\6X\0\0\0\0q\7}q\10X\7\0\0\0versionq\11"
                      "K\1sssb."),
                 "weight bias");
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
        try_open(&o, TEXT("\x80\2](" TORCH_TENSOR "J\377\377\377\377\210G\77\370\0\0\0\0\0\0e.")),
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
        {BYTES("\x80\2](" TORCH_TENSOR "Ne."),
         "1: expected a tensor, or a list of tensors, found None"},
        {BYTES("\x80\2" KEY("a") "."),
         "test.etrecord: expected a tensor, or a list of tensors, found a text"},
        {BYTES("\x80\2ctorch\nuint16\n."), "found a dtype"},
        {BYTES("\x80\2}" TORCH_TENSOR TORCH_TENSOR "s."),
         "as keys of a dict of tensors, found a tensor"},
        {BYTES("\x80\2}(K\1" TORCH_TENSOR KEY("1") TORCH_TENSOR "u."),
         "two tensors are called 1, by an int and by a string: rename"},
        {BYTES("\x80\2}(" KEY("1") TORCH_TENSOR "K\1" TORCH_TENSOR "u."),
         "called 1, by a string and by an int: rename"},
        {BYTES("\x80\2}(" KEY("a") "]" TORCH_TENSOR "aX\3\0\0\0a#0" TORCH_TENSOR "u."),
         "called a#0, by an item of a list and by a string: rename"},
        {BYTES("\x80\2}(" KEY("a") TORCH_TENSOR KEY("a") TORCH_TENSOR "u."),
         "two tensors are called a"},
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
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(hostile_pickles_are_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(members_of_records_are_read),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(names_are_keys_and_positions),
        cmocka_unit_test(state_dicts_are_read),
        cmocka_unit_test(numbers_are_tensors_without_dimensions),
        cmocka_unit_test(values_other_than_tensors_are_refused),
        cmocka_unit_test(old_archives_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
