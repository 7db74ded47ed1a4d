/* Joins profiles of the same model; files lack the events that they did not run. */
#include "profile_fixture.h"

#define HEAD "etinspect-baseline,4,samples\ntime_scale,ns\n"
#define FILE_A "file,a,1,\n"
#define FILE_B "file,b,2,\n"
#define FILE_C "file,c,3,\n"
#define COLUMNS "columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,ticks\n"
#define EVENT(name, ticks) "kernel," name ",," name ",,,,,,,," ticks "\n"

typedef struct merged {
    eti_profile *parts[3], *whole;
    size_t n;
} merged;

static merged merge(const char *first, const char *second, const char *third) {
    merged m = {.n = third ? 3 : 2};
    eti_error err = ETI_ERROR_INIT;
    m.parts[0] = read_profile(first);
    m.parts[1] = read_profile(second);
    if (third)
        m.parts[2] = read_profile(third);
    assert_ok(eti__profile_merge(&m.whole, (const eti_profile *const *)m.parts, m.n, false, &err));
    return m;
}

static void assert_merged(const char *first, const char *second, const char *third,
                          const char *text) {
    merged m = merge(first, second, third);
    assert_saved(m.whole, true, text);
    eti_profile_free(m.whole);
    for (size_t i = 0; i < m.n; i++)
        eti_profile_free(m.parts[i]);
}

static void runs_of_the_same_block_are_joined(void **state) {
    (void)state;
    assert_merged(HEAD FILE_A "block,E,3,2,4\n" EVENT("x", "10;11"),
                  HEAD FILE_B FILE_C "block,E,3,1;2,0;5\n" EVENT("x", "20|30;31"), NULL,
                  HEAD "file,a,1,\nfile,b,2,\nfile,c,3,\n" COLUMNS
                       "block,E,3,2;1;2,4;0;5\n" EVENT("x", "10;11|20|30;31"));
}

/* Events are in the order of the last file that has them; a moved event is still one event. */
static void files_lack_the_events_of_others(void **state) {
    (void)state;
    assert_merged(
        HEAD FILE_A "block,E,,1,0\nexecute,t,,,,,,,,,,9\n" EVENT("x", "1") EVENT("y", "2")
            EVENT("z", "3"),
        HEAD FILE_B
        "block,E,,2,0\nexecute,t,,,,,,,,,,8;8\nloading,l,,,,,,,,,,5;6\n" EVENT("x", "4;5")
            EVENT("new", "6;6") EVENT("y", "7;7"),
        HEAD FILE_C "block,E,,1,0\n" EVENT("z", "30") EVENT("x", "10") EVENT("y", "20"),
        HEAD "file,a,1,\nfile,b,2,\nfile,c,3,\n" COLUMNS
             "block,E,,1;2;1,0;0;0\nexecute,t,,,,,,,,,,9|8;8|\nloading,l,,,,,,,,,,|5;6|\n" EVENT(
                 "z", "3||30") EVENT("x", "1|4;5|10") EVENT("new", "|6;6|") EVENT("y", "2|7;7|20"));
}

/* Each second block has fewer than half of its events in common with the first. */
static void blocks_with_little_in_common_stay_apart(void **state) {
    (void)state;
    static const char *const others[] = {
        "block,F,,1,0\n" EVENT("x", "2"),
        "block,E,0,1,0\n" EVENT("x", "2"),
        "block,E,,1,0\n" EVENT("other", "2"),
        "block,E,,1,0\n" EVENT("x", "2") EVENT("y", "2") EVENT("z", "2"),
    };
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD FILE_B "%s", others[i]);
        merged m = merge(HEAD FILE_A "block,E,,1,0\n" EVENT("x", "1"), text, NULL);
        assert_int_equal(m.whole->n_blocks, 2);
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(m.whole->blocks[k].n_files, 1);
            assert_int_equal(m.whole->blocks[k].files[0].file, k);
            assert_int_equal(m.whole->blocks[k].entries[0].ticks[0], k + 1);
        }
        eti_profile_free(m.whole);
        eti_profile_free(m.parts[0]);
        eti_profile_free(m.parts[1]);
    }
}

/* Both ran in the same process: two paths through a model, or the same path twice. */
static void blocks_of_one_file_stay_apart(void **state) {
    (void)state;
    assert_merged(HEAD FILE_A "block,E,,1,0\n" EVENT("x", "1")
                      EVENT("y", "2") "block,E,,1,0\n" EVENT("x", "3")
                          EVENT("y", "4") "block,E,,1,0\n" EVENT("x", "5"),
                  HEAD FILE_B "block,E,,1,0\n" EVENT("x", "6") "block,E,,1,0\n" EVENT("x", "7")
                      EVENT("y", "8") "block,E,,1,0\n" EVENT("x", "9") EVENT("y", "10"),
                  NULL,
                  HEAD "file,a,1,\nfile,b,2,\n" COLUMNS "block,E,,1;1,0;0\n" EVENT("x", "1|7")
                      EVENT("y", "2|8") "block,E,,1;1,0;0\n" EVENT("x", "3|9")
                          EVENT("y", "4|10") "block,E,,1;1,0;0\n" EVENT("x", "5|6"));
}

static void assert_last(const char *text, size_t n, const char *expected) {
    eti_profile *profile = read_profile(text), *last;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_last_files(&last, profile, n, &err));
    assert_saved(last, true, expected);
    eti_profile_free(last);
    eti_profile_free(profile);
}

/* Events that only these files have are removed, too. */
static void the_first_files_are_forgotten(void **state) {
    (void)state;
#define THREE                                                                                      \
    HEAD "file,a,1,,commit=1\n" FILE_B FILE_C "block,D,,1;;,0;;\n" EVENT(                          \
        "d", "7||") "block,E,,2;1;1,1;2;3\nexecute,t,,,,,,,,,,9;9||\n" EVENT("old", "1;2||")       \
        EVENT("x", "3;4|5|6") EVENT("new", "||8")
    assert_last(THREE, 2,
                HEAD "file,b,2,\nfile,c,3,\n" COLUMNS "block,E,,1;1,2;3\n" EVENT("x", "5|6")
                    EVENT("new", "|8"));
    assert_last(THREE, 1,
                HEAD "file,c,3,\n" COLUMNS "block,E,,1,3\n" EVENT("x", "6") EVENT("new", "8"));
}

/* A block without entries could not be read again. */
static void blocks_of_which_the_last_files_have_nothing_are_forgotten(void **state) {
    (void)state;
    assert_last(HEAD FILE_A FILE_B
                "block,D,,1;1,0;0\n" EVENT("d", "7|") "block,E,,1;1,0;0\n" EVENT("x", "1|2"),
                1, HEAD "file,b,2,\n" COLUMNS "block,E,,1,0\n" EVENT("x", "2"));
}

static void allocations_are_known_for_all_or_none(void **state) {
    (void)state;
#define BYTES(ticks) "allocated,allocated,,,,,,,,,," ticks "\n"
    assert_merged(HEAD FILE_A "block,E,,1,0\n" EVENT("x", "1") BYTES("64"),
                  HEAD FILE_B "block,E,,1,0\n" EVENT("x", "2") BYTES("128"), NULL,
                  HEAD "file,a,1,\nfile,b,2,\n" COLUMNS "block,E,,1;1,0;0\n" EVENT("x", "1|2")
                      BYTES("64|128"));
    assert_merged(HEAD FILE_A "block,E,,1,0\n" EVENT("x", "1") BYTES("64"),
                  HEAD FILE_B "block,E,,1,0\n" EVENT("x", "2"), NULL,
                  HEAD "file,a,1,\nfile,b,2,\n" COLUMNS "block,E,,1;1,0;0\n" EVENT("x", "1|2"));
}

/* ---- several ETDumps ------------------------------------------------------------------------- */

/* Makes a profile. Each dump runs these kernels, one letter each, for as many ticks as its position among the dumps. */
static eti_profile *profile_of(const char *const *kernels, size_t n, session *sessions) {
    eti_source sources[4];
    for (size_t i = 0; i < n; i++) {
        builder *b = &sessions[i].b;
        place events[8];
        size_t n_events = strlen(kernels[i]);
        for (uint32_t k = 0; k < n_events; k++) {
            char name[] = "native_call_?";
            name[sizeof name - 2] = kernels[i][k];
            events[k] = TIMED(b, .name = name, .instruction_id = SOME(k), .start_time = 10 * k,
                              .end_time = 10 * k + 1 + i);
        }
        place run =
            put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, n_events)});
        finish_dump(b, DUMP(b, run), true);
        sources[i] = (eti_source){b->file.name, b->file.data, b->file.size};
    }
    const eti_inputs inputs = {.etdumps = sources, .n_etdumps = n};
    eti_inspector *inspector;
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_ok(eti__profile_from_inspector(&profile, inspector, NULL, &err));
    eti_inspector_close(inspector);
    return profile;
}

static void dumps_lack_the_events_of_others(void **state) {
    (void)state;
    static const char *const kernels[] = {"abc", "abxc", "ac", "uvw"};
    session sessions[4] = {0};
    eti_profile *profile = profile_of(kernels, 4, sessions);
    assert_int_equal(profile->n_blocks, 2);
    const eti_profile_block *block = &profile->blocks[0];
    static const char *const names[] = {"native_call_a", "native_call_b", "native_call_x",
                                        "native_call_c"};
    static const bool has[][3] = {
        {true, true, true}, {true, true, false}, {false, true, false}, {true, true, true}};
    assert_int_equal(block->n_files, 3);
    assert_int_equal(block->n_entries - block->n_totals, 4);
    for (size_t i = 0; i < 4; i++) {
        const eti_entry *entry = &block->entries[block->n_totals + i];
        assert_text(entry->name, names[i]);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(eti__file_lacks_entry(&entry->times[k]), !has[i][k]);
            assert_int_equal(entry->ticks[k], has[i][k] ? k + 1 : 0);
        }
    }
    /* from the files that have it */
    assert_true(block->entries[block->n_totals + 1].summary.p50 == 1.5e-6);
    assert_true(block->entries[block->n_totals + 2].summary.max == 2e-6);
    assert_int_equal(profile->blocks[1].files[0].file, 3);
    eti_profile_free(profile);
    for (size_t i = 0; i < 4; i++)
        builder_free(&sessions[i].b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_the_same_block_are_joined),
        cmocka_unit_test(files_lack_the_events_of_others),
        cmocka_unit_test(blocks_with_little_in_common_stay_apart),
        cmocka_unit_test(blocks_of_one_file_stay_apart),
        cmocka_unit_test(the_first_files_are_forgotten),
        cmocka_unit_test(blocks_of_which_the_last_files_have_nothing_are_forgotten),
        cmocka_unit_test(allocations_are_known_for_all_or_none),
        cmocka_unit_test(dumps_lack_the_events_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
