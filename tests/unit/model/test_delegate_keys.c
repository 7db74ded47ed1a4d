#include "support.h"

#include "model/delegate_keys.h"

#define MOST 12

/* Entries whose handles are their own numbers, in file order. */
typedef struct keys {
    char texts[MOST][16];
    int64_t numbers[MOST];
    eti_delegate_entry entries[MOST];
    eti_delegate_call call;
    eti_delegate_keys found_by;
} keys;

static void open_keys(keys *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        k->numbers[i] = (int64_t)i;
        k->entries[i] = (eti_delegate_entry){
            eti__text_of(k->texts[i]),
            {ETI_HANDLES_INT, &k->numbers[i], 1},
        };
    }
    k->call = (eti_delegate_call){eti__text_of("backend"), k->entries, n};
    assert_true(eti__delegate_keys_init(&k->found_by, &k->call));
}

static void close_keys(keys *k) {
    eti__delegate_keys_free(&k->found_by);
}

/* Returns the number of the entry, or -1. */
static int64_t find(const keys *k, const char *identifier, bool is_string) {
    eti_debug_handles handles =
        eti__delegate_keys_find(&k->found_by, eti__text_of(identifier), is_string);
    return handles.kind == ETI_HANDLES_NONE ? -1 : handles.handles[0];
}

/* Searches exactly as the Inspector's source does. */
static int64_t find_slowly(const keys *k, const char *identifier, bool is_string) {
    int64_t found = -1;
    for (size_t i = 0; i < k->call.n_entries; i++) {
        if (is_string && strcmp(k->texts[i], identifier) == 0)
            return (int64_t)i;
        if (strstr(identifier, k->texts[i]))
            found = (int64_t)i;
    }
    return found;
}

static void the_last_key_that_is_part_of_the_text_wins(void **state) {
    (void)state;
    keys k = {.texts = {"tan", "an", "nt", "sin.tan.cos"}};
    open_keys(&k, 4);
    assert_int_equal(find(&k, "tan", true), 0);
    assert_int_equal(find(&k, "tan", false), 1);
    assert_int_equal(find(&k, "tant", true), 2);
    assert_int_equal(find(&k, "sin.tan.co", true), 1);
    assert_int_equal(find(&k, "sin.tan.cost", true), 3);
    assert_int_equal(find(&k, "ta", true), -1);
    assert_int_equal(find(&k, "", true), -1);
    close_keys(&k);
}

static void an_empty_key_is_part_of_everything(void **state) {
    (void)state;
    keys k = {.texts = {"a", "", "b"}};
    open_keys(&k, 3);
    assert_int_equal(find(&k, "", true), 1);
    assert_int_equal(find(&k, "xa", true), 1);
    assert_int_equal(find(&k, "a", true), 0);
    assert_int_equal(find(&k, "ab", true), 2);
    close_keys(&k);
}

static void a_null_entry_is_passed_over_only_as_the_own_one(void **state) {
    (void)state;
    keys k = {.texts = {"a", "ab"}};
    open_keys(&k, 2);
    k.entries[1].handles = (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
    assert_int_equal(find(&k, "ab", true), -1);
    k.entries[1].handles = k.entries[0].handles;
    k.entries[0].handles = (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
    assert_int_equal(find(&k, "a", true), -1);
    assert_int_equal(find(&k, "ab", true), 0);
    close_keys(&k);
}

static void no_keys_find_nothing(void **state) {
    (void)state;
    keys k = {0};
    open_keys(&k, 0);
    assert_int_equal(find(&k, "a", true), -1);
    close_keys(&k);
}

/* Returns a text of up to `most` letters out of two. */
static void draw_text(char *out, uint64_t *random, size_t most) {
    *random = eti__hash_mix(*random, 1);
    size_t n = (size_t)(*random % (most + 1));
    for (size_t i = 0; i < n; i++)
        out[i] = "ab"[*random >> (i + 8) & 1];
    out[n] = '\0';
}

static bool has_equal_keys(const keys *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(k->texts[i], k->texts[j]) == 0)
                return true;
        }
    }
    return false;
}

static void every_set_of_keys_finds_what_a_search_for_each_finds(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 3000; round++) {
        keys k = {0};
        size_t n = 1 + (size_t)round % MOST;
        for (size_t i = 0; i < n; i++)
            draw_text(k.texts[i], &random, 6);
        if (has_equal_keys(&k, n))
            n = 1;
        open_keys(&k, n);
        for (int i = 0; i < 20; i++) {
            char identifier[32];
            draw_text(identifier, &random, 24);
            assert_int_equal(find(&k, identifier, i % 2), find_slowly(&k, identifier, i % 2));
        }
        close_keys(&k);
    }
}

/* Different bytes stay different. */
static void keys_may_branch_into_every_byte(void **state) {
    (void)state;
    static char texts[255][3];
    static eti_delegate_entry entries[255];
    static int64_t numbers[255];
    for (int i = 0; i < 255; i++) {
        texts[i][0] = 'x';
        texts[i][1] = (char)(i + 1);
        numbers[i] = i;
        entries[i] = (eti_delegate_entry){{texts[i], 2}, {ETI_HANDLES_INT, &numbers[i], 1}};
    }
    eti_delegate_call call = {eti__text_of(""), entries, 255};
    eti_delegate_keys found_by;
    assert_true(eti__delegate_keys_init(&found_by, &call));
    for (int i = 0; i < 255; i++) {
        char identifier[] = {'y', 'x', (char)(i + 1), '\0'};
        eti_debug_handles handles =
            eti__delegate_keys_find(&found_by, eti__text_of(identifier), true);
        assert_int_equal(handles.kind, ETI_HANDLES_INT);
        assert_int_equal(handles.handles[0], i);
    }
    eti__delegate_keys_free(&found_by);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_key_that_is_part_of_the_text_wins),
        cmocka_unit_test(an_empty_key_is_part_of_everything),
        cmocka_unit_test(a_null_entry_is_passed_over_only_as_the_own_one),
        cmocka_unit_test(no_keys_find_nothing),
        cmocka_unit_test(every_set_of_keys_finds_what_a_search_for_each_finds),
        cmocka_unit_test(keys_may_branch_into_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
