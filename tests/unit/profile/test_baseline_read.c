/* Tests the text of baselines: written baselines are read back to the last bit, and wrong ones are rejected. */
#include "locale_fixture.h"
#include "profile_fixture.h"

#include "profile/baseline_read.h"
#include "rollup/grouping.h"
#include "rollup/rollup.h"

#include <math.h>

#define SCALE "time_scale,ns\n"
#define DIGEST "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
#define OTHER_DIGEST "a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa"
#define TEXTS "name,op,op_type,module,backend,delegate_id,handles,file,line,code"
#define COLUMNS "columns," TEXTS ",step,fast,p50,p90,p95,p99,avg,min,max\n"

static void files_read_are_written_again(void **state) {
    (void)state;
    static const struct {
        bool samples;
        const char *text;
    } cases[] = {
        {false,
         "etinspect-baseline,4\ntime_scale,cycles,1000000.5\nmethod,forward\nlabel,board,x\n"
         "label,device,\"a,b\"\nprogram,file_size,18446744073709551615\nprogram,operators,0\n"
         "file,a b.etdp,12," DIGEST ",commit=1,date=2026-11-20=x\n"
         "file,c,12," OTHER_DIGEST "\nfile,unknown,,\n" COLUMNS "block,Execute,3,10;;7,1;;0\n"
         "execute,Method::execute,,,,,,,,,,5,5.1;;1e+300,6;;1e+300,7;;1e+300,"
         "7.5;;1e+300,8;;1e+300,"
         "6.000000000000001;;1e+300,5;;0,10;;1e+300\n"
         "delegated,d,o + p,\"o,\"\"\",m.n,B,17,1 2,f.py,12,\"x(a, "
         "b)\",,1;;,1;;,1;;,1;;,2;;,1;;,1;;,2.5;;\n"
         "allocated,allocated,,,,,,,,,,,64;;64,64;;64,64;;64,64;;64,64;;64,64;;64,64;;64,64;;64\n"
         "block,Default,,;1;,;0;\nloading,loading,,,,,,,,,,,;7;,;7;,;7;,;7;,;7;,;7;,;7;,;7;\n"},
        {true, "etinspect-baseline,4,samples\n" SCALE "file,a,1," DIGEST "\nfile,b,1," OTHER_DIGEST
               "\ncolumns," TEXTS ",ticks\nblock,Execute,,3;1,0;2\n"
               "kernel,k,o,o,m,,,,,,,18446744073709551615;0;7|9\nkernel,l,,l,,,,,,,,|12\n"},
        /* nodes of the exported program, if they are known */
        {true, "etinspect-baseline,4,samples\n" SCALE "file,a,1," DIGEST "\ncolumns," TEXTS
               ",ticks,node\nblock,Execute,,3,0\nkernel,k,o,o,m,,,,,,,5;0;7,conv2d_1\n"
               "kernel,l,,l,,,,,,,,1;1;1\n"},
        {false, "etinspect-baseline,4\n" SCALE "file,a,1," DIGEST "\n"
                "columns," TEXTS ",step,fast,p50,p90,p95,p99,avg,min,max,node\n"
                "block,Execute,,3,0\nkernel,k,o,o,m,,,,,,,5,6,7,8,8.5,9,9,5,10,\"a,b\"\n"},
        /* and the unit of events that count cycles */
        {true, "etinspect-baseline,4,samples\n" SCALE "file,a,1," DIGEST "\ncolumns," TEXTS
               ",ticks,node,unit\nblock,Execute,,2,0\nkernel,k,o,o,m,,,,,,,5;0,conv2d_1\n"
               "delegated,l,,l,,,,,,,,1;1,,cycles\ndelegated,n,,n,,,,,,,,1;1\n"},
    };
    static const eti_options cycles = {.target_time_scale = ETI_SCALE_CYCLES};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_text whole = baseline_text(cases[i].text, "a.csv");
        const eti_source source = {"a.csv", whole.data, whole.size};
        eti_profile *profile;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__profile_read(&profile, &source, i == 0 ? &cycles : NULL, &err));
        assert_int_equal(profile->has_ticks, cases[i].samples);
        assert_saved(profile, cases[i].samples, cases[i].text);
        eti_profile_free(profile);
    }
}

static void files_have_a_decimal_point_in_any_locale(void **state) {
    enter_comma_locale();
    files_read_are_written_again(state);
}

static void lists_have_a_value_for_each_file(void **state) {
    (void)state;
    eti_profile *profile = read_profile(
        "etinspect-baseline,4\n" SCALE "file,a,,\nfile,b,,\nfile,c,,\n" COLUMNS
        "block,E,,4;;6,1;;2\nkernel,k,,t,,,,,,,,3,4;;16,5;;20,8;;30,8;;40,9;;50,6;;25,3;;15,9;;60\n"
        "kernel,l,,t,,,,,,,,,;;2,;;3,;;4,;;5,;;5.5,;;3.5,;;1,;;6\n");
    const eti_profile_block *block = &profile->blocks[0];
    assert_int_equal(block->n_files, 2);
    assert_int_equal(block->n_runs, 10);
    assert_int_equal(block->n_skipped, 3);
    assert_int_equal(block->files[1].file, 2);
    assert_int_equal(block->files[1].first, 4);
    assert_int_equal(block->files[1].n, 6);
    assert_int_equal(block->files[1].n_skipped, 2);
    const eti_entry *first = &block->entries[0], *second = &block->entries[1];
    assert_int_equal(first->step, 3);
    assert_int_equal(second->step, 0);
    assert_text(first->op_type, "t");
    assert_true(first->times[0].fast == 4 && first->times[1].fast == 16);
    assert_true(first->times[1].p50 == 20 && first->times[1].p90 == 30 &&
                first->times[1].p95 == 40 && first->times[1].p99 == 50 &&
                first->times[1].avg == 25 && first->times[1].min == 15 &&
                first->times[1].max == 60);
    assert_false(eti__file_lacks_entry(&first->times[1]));
    assert_true(eti__file_lacks_entry(&second->times[0]));
    /* in ms */
    assert_true(first->summary.p50 == 12.5e-6 && first->summary.min == 3e-6 &&
                first->summary.max == 60e-6);
    assert_true(second->summary.p50 == 3e-6 && isnan(second->summary.p10));
    eti_profile_free(profile);
}

/* Labels that may differ belong to a file, and labels that all files share to the profile. */
static void labels_of_builds_are_those_of_files(void **state) {
    (void)state;
    eti_profile *profile =
        read_profile("etinspect-baseline,4\n" SCALE "label,device,x\n"
                     "file,a,,,commit=1,branch=main\nfile,b,,,branch=main,commit=2\n" COLUMNS
                     "block,E,,1;1,0;0\nkernel,k,,t,,,,,,,,,1;1,1;1,1;1,1;1,1;1,1;1,1;1,1;1\n");
    assert_int_equal(profile->n_labels, 2);
    assert_string_equal(profile->labels[0].key, "branch");
    assert_string_equal(profile->labels[1].key, "device");
    assert_int_equal(profile->files[1].n_labels, 2);
    assert_string_equal(
        eti__find_label(profile->files[1].labels, profile->files[1].n_labels, "commit")->value,
        "2");
    eti_profile_free(profile);
}

/* The times of a merged push are medians, so that its min and max need not be multiples of the step. */
static void a_file_may_stand_for_a_push(void **state) {
    (void)state;
    static const char text[] = "etinspect-baseline,4\n" SCALE "file,a,,,commit=1,files=5\n"
                               "file,b,1," DIGEST ",commit=2,pair=3\n" COLUMNS
                               "block,E,,5;1,0;0\nkernel,k,,k,,,,,,,,3,10;9,10;9,10;9,10;9,10;9,"
                               "10;9,10;9,10;9\n";
    eti_profile *profile = read_profile(text);
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(profile->files[0].n_merged, 5);
    assert_int_equal(profile->files[0].n_labels, 1);
    assert_int_equal(profile->files[1].n_merged, 0);
    assert_int_equal(profile->files[1].n_labels, 2);
    assert_saved(profile, false, text);
    assert_fails(eti__profile_check_unmerged(profile, &err), ETI_ERROR_USAGE,
                 "a.csv: a stands for the 5 files of a push");
    eti_profile_free(profile);
    static const char *const wrong[] = {"0", "", "x", "-1", "4294967296"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        char of_file[200];
        snprintf(of_file, sizeof of_file,
                 "etinspect-baseline,4\n" SCALE "file,a,,,files=%s\nblock,E,,1,0\n", wrong[i]);
        assert_fails(try_read(&profile, of_file, &err), ETI_ERROR_MALFORMED,
                     "files= of a file is followed by a number from 1 on");
    }
}

static void a_missing_operator_is_that_of_other_fields(void **state) {
    (void)state;
    static const char *const expected[] = {
        "aten.add",           ETI_GROUP_SEVERAL_OPS, "conv",
        ETI_GROUP_NOT_LOGGED, ETI_GROUP_FRAMEWORK,   ETI_GROUP_NO_NAME};
    eti_profile *profile =
        read_profile(SCALE "block,E,,1,0\nkernel,k,aten.add,,,,,,,,1\n"
                           "kernel,k,aten.add + aten.mul,,,,,,,,1\ndelegated,conv #2,,,,,,,,,1\n"
                           "delegate_call,DELEGATE_CALL,,,,,,,,,1\ninstruction,MOVE_CALL,,,,,,,,,"
                           "1\nkernel,,,,,,,,,,1\n");
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_text(profile->blocks[0].entries[i].op_type, expected[i]);
    eti_profile_free(profile);
    profile = read_profile(SCALE "block,E,,1,0\ndelegate_call,DELEGATE_CALL,,,,,,,,,1\n");
    assert_text(profile->blocks[0].entries[0].op_type, "DELEGATE_CALL");
    eti_profile_free(profile);
}

/* ---- errors ---------------------------------------------------------------------------------- */

#define FILES "file,a,,\nfile,b,,\n"
#define BLOCK FILES "block,E,,2;,0;\n"
#define KERNEL "kernel,k,,t,,,,,,,,"

static void wrong_values_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"block,E,,1,0\n", "record 3: expected file,NAME,BYTES,SHA256 before the first block"},
        {"file,a,x,\n", "record 3: expected file,NAME,BYTES,SHA256,LABELS"},
        {"file,a,1,2d71\n", "record 3: expected file,NAME,BYTES,SHA256,LABELS"},
        {"file,a,1,,commit\n", "record 3: expected labels of the file, KEY=VALUE"},
        {"file,a,1,,=x\n", "record 3: expected labels of the file, KEY=VALUE"},
        {"file,a,1,,commit=1,commit=2\n", "record 3: a label of the file is given twice"},
        {"file,a,1,,device=x\n", "record 3: a label shared by all files must be in a label record"},
        {"file,a,1,,commit=\xff\n", "record 3: a label of the file is not UTF-8"},
        {BLOCK KERNEL "1,1;,1;,1;,1;,1;,1;,1;,1;\nfile,c,,\n",
         "record 7: files must come before the first block"},
        {FILES "block,E,,1,0\n", "one number per file"},
        {FILES "block,E,,1;1;1,0;0;0\n", "one number per file"},
        {FILES "block,E,,1;0,0;0\n", "expected numbers of runs (at least 1)"},
        {FILES "block,E,,1;x,0;0\n", "expected numbers of runs (at least 1)"},
        {FILES "block,E,,1;,0;1\n", "expected numbers of runs (at least 1)"},
        {FILES "block,E,,2147483647;1,0;0\n", "expected numbers of runs (at least 1)"},
        {FILES "block,E,,;,;\n", "no file has this block"},
        {"program,file_size,many\n", "expected a figure of the program and its value"},
        {FILES "block,E,,1;1,0;0\nprogram,file_size,1\n", "before the first block"},
        {BLOCK KERNEL "x,1;,1;,1;,1;,1;,1;,1;,1;\n", "expected the step of the ticks, a number"},
        {BLOCK KERNEL "1,1,1;,1;,1;,1;,1;,1;,1;\n", "expected one value per file"},
        {BLOCK KERNEL "1,1;,1;1,1;,1;,1;,1;,1;,1;\n", "a value for a file without this block"},
        {BLOCK KERNEL "1,1;,1;,-1;,-1;,-1;,1;,1;,1;\n", "expected values: numbers of at least 0"},
        {BLOCK KERNEL "1,1;,1;,1;,1;,1;,;,1;,1;\n", "some of the values of an event, but not all"},
        {BLOCK KERNEL "1,1;,;,;,;,;,;,;,;\n", "some of the values of an event, but not all"},
        {BLOCK KERNEL "1,;,;,;,;,;,;,;,;\n", "no file has this event"},
        {"file,a,1," DIGEST "\nfile,b,1," DIGEST "\nblock,E,,1;1,0;0\n" KERNEL
         ",1;1,1;1,1;1,1;1,1;1,1;1,1;1,1;1\n",
         "a.csv: a and b are identical"},
    };
    static const struct {
        const char *text, *message;
    } samples[] = {
        {BLOCK KERNEL "1;2\n", "expected the ticks of each file"},
        {BLOCK KERNEL "1;2|3\n", "ticks for a file without this block"},
        {BLOCK KERNEL "1|\n", "as many numbers as the file has runs"},
        {BLOCK KERNEL "1;2;3|\n", "more ticks than the file has runs"},
        {BLOCK KERNEL "1;x|\n", "as many numbers as the file has runs"},
        {BLOCK KERNEL "|\n", "no file has this event"},
        {FILES "block,E,,1;2000000000,0;0\n" KERNEL "1|\n",
         "most ticks of the baseline are missing"},
    };
    for (size_t i = 0; i < COUNT_OF(cases) + COUNT_OF(samples); i++) {
        bool has_samples = i >= COUNT_OF(cases);
        size_t k = i - COUNT_OF(cases);
        char text[1024];
        eti_profile *profile;
        eti_error err = ETI_ERROR_INIT;
        snprintf(text, sizeof text, "etinspect-baseline,4%s\n" SCALE "%s",
                 has_samples ? ",samples" : "", has_samples ? samples[k].text : cases[i].text);
        eti_status status = try_read(&profile, text, &err);
        assert_null(profile);
        assert_fails(status,
                     i + 1 == COUNT_OF(cases) + COUNT_OF(samples) ? ETI_ERROR_LIMIT
                                                                  : ETI_ERROR_MALFORMED,
                     has_samples ? samples[k].message : cases[i].message);
    }
}

/* Values that no runs can have. */
static void values_that_contradict_each_other_are_refused(void **state) {
    (void)state;
    static const struct {
        const char
            *values; /* step, fast, p50, p90, p95 and p99 alike, avg, min, max of two files */
        const char *message; /* NULL: they do not contradict each other */
    } cases[] = {
        {"10,20;30,20;30,20;30,20;30,20;30,20;30,20;30,20;30", NULL},
        {",20;30,20;31,21;32,21;32,21;32,21.5;33,20;30,22;34", NULL},
        /* rounded averages and values between two runs */
        {",20.000000000000004;30,20;30,20;30,20;30,20;30,19.999999999999996;30,20;30,20;30", NULL},
        {"0,0;30,0;30,0;30,0;30,0;30,0;30,0;30,0;30", NULL},
        /* the step is not known of large numbers */
        {"3,30;1e17,30;1e17,30;1e17,30;1e17,30;1e17,30;1e17,30;1e17,30;1e17", NULL},
        {",19;30,20;30,20;30,20;30,20;30,20;30,20;30,20;30", "contradict each other"},
        {",20;31,20;30,20;30,20;30,20;30,20;30,20;30,20;30", "contradict each other"},
        {",20;30,0;30,20;30,20;30,20;30,20;30,20;30,20;30", "contradict each other"},
        {",20;30,22;30,21;30,21;30,21;30,20;30,20;30,25;30", "contradict each other"},
        {",20;30,20;30,26;30,26;30,26;30,20;30,20;30,25;30", "contradict each other"},
        {",20;30,20;30,22;30,21;30,22;30,22;30,20;30,25;30", "contradict each other"},
        {",20;30,20;30,20;30,22;30,21;30,22;30,20;30,25;30", "contradict each other"},
        {",20;30,20;30,20;30,20;30,26;30,22;30,20;30,25;30", "contradict each other"},
        {",20;30,20;30,20;30,20;30,20;30,26;30,20;30,25;30", "contradict each other"},
        {",20;30,20;30,20;30,20;30,20;30,19;30,20;30,25;30", "contradict each other"},
        {",20;30,20;30,20;30,20;30,20;30,20;30,21;30,20;30", "contradict each other"},
        {"7,21;30,21;30,21;30,21;30,21;30,21;30,21;28,21;35", NULL},
        {"7,21;30,21;30,21;30,21;30,21;30,21;30,21;29,21;35", "are not multiples"},
        {"7,21;30,21;30,21;30,21;30,21;30,21;30,21;28,21;34", "are not multiples"},
        {"1000000,20;30,20;30,20;30,20;30,20;30,20;30,20;30,20;30", "are not multiples"},
        {",0x14;30,20;30,20;30,20;30,20;30,20;30,20;30,20;30", "numbers of at least 0"},
        {",20;0X1E,20;30,20;30,20;30,20;30,20;30,20;30,20;30", "numbers of at least 0"},
        {",20;nan,20;30,20;30,20;30,20;30,20;30,20;30,20;30", "numbers of at least 0"},
        {",20;30,20;30,20;30,20;30,20;30,20;30,20;30,20;inf", "numbers of at least 0"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[512];
        eti_error err = ETI_ERROR_INIT;
        eti_profile *profile;
        snprintf(text, sizeof text,
                 "etinspect-baseline,4\n" SCALE "file,a,,\nfile,b,,\n" COLUMNS
                 "block,E,,4;4,0;0\nkernel,k,,t,,,,,,,,%s\n",
                 cases[i].values);
        eti_status status = try_read(&profile, text, &err);
        if (cases[i].message)
            assert_fails(status, ETI_ERROR_MALFORMED, cases[i].message);
        else
            assert_ok(status);
        eti_profile_free(profile);
    }
}

/* They are refused before anything else is read, so that the message names the version. */
static void other_versions_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "\n" SCALE "block,E,,2,0\nkernel,k,,,,,,,,,1;2\n",
        ",summary\n" SCALE "block,E,,2,0\nkernel,k,,,,,,,,,1;1;1;1;1;1\n",
        ",samples\n" SCALE "file,a,,\nblock,E,,2,0\nkernel,k,,k,,,,,,,,1;2\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        for (int version = 0; version <= ETI_BASELINE_VERSION + 1; version++) {
            char text[200], message[100];
            eti_profile *profile;
            eti_error err = ETI_ERROR_INIT;
            if (version == ETI_BASELINE_VERSION)
                continue;
            snprintf(text, sizeof text, "etinspect-baseline,%d%s", version, texts[i]);
            snprintf(message, sizeof message,
                     "a.csv: a baseline of version %d, but only version 4 is supported", version);
            assert_fails(try_read(&profile, text, &err), ETI_ERROR_MALFORMED, message);
            assert_null(profile);
        }
    }
}

/* Some editors begin a file with the byte order mark of UTF-8. */
static void a_byte_order_mark_is_skipped(void **state) {
    (void)state;
    static const char text[] =
        "\xef\xbb\xbf"
        "etinspect-baseline,4,samples\n" SCALE "file,a,,\nblock,E,,1,0\nkernel,k,,,,,,,,,,4\n";
    eti_profile *profile = read_profile(text);
    assert_int_equal(profile->n_blocks, 1);
    eti_profile_free(profile);
    assert_int_equal(eti_file_kind_of(text, sizeof text - 1), ETI_FILE_BASELINE);
    assert_int_not_equal(eti_file_kind_of("\xef\xbb\xbf", 3), ETI_FILE_BASELINE);
}

static void samples_that_are_not_there_are_not_written(void **state) {
    (void)state;
    static const eti_baseline_options options = {.samples = true};
    eti_profile *profile = read_profile("etinspect-baseline,4\n" SCALE "file,a,,\n" COLUMNS
                                        "block,E,,60,2\nkernel,k,,k,,,,,,,,,1,2,3,3,3,4,0.5,9\n");
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__profile_save(profile, "/nowhere/a.csv", &options, &err), ETI_ERROR_USAGE,
                 "does not contain the times of runs");
    eti_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_read_are_written_again),
        cmocka_unit_test_teardown(files_have_a_decimal_point_in_any_locale, leave_comma_locale),
        cmocka_unit_test(lists_have_a_value_for_each_file),
        cmocka_unit_test(labels_of_builds_are_those_of_files),
        cmocka_unit_test(a_file_may_stand_for_a_push),
        cmocka_unit_test(a_missing_operator_is_that_of_other_fields),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(values_that_contradict_each_other_are_refused),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(samples_that_are_not_there_are_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
