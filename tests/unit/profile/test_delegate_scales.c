/* Tests the time scales of delegates: baselines keep them, and they must be equal in a comparison. */
#include "profile_fixture.h"

#include "profile/delegate_scales.h"

#define PROFILE(scales, file)                                                                      \
    "etinspect-baseline,3,samples\ntime_scale,ns" scales "\nfile," file ",1,\n"                    \
    "columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,ticks\n"            \
    "block,E,,1,0\ndelegated,d,,d,,Npu,,,,,,5\n"

static void scales_are_kept(void **state) {
    (void)state;
    const char *const text = PROFILE(",,Npu=us,a=b=cycles,=ns", "a");
    eti_profile *profile = read_profile(text);
    assert_int_equal(profile->n_delegate_scales, 3);
    assert_text(profile->delegate_scales[0].backend, "Npu");
    assert_int_equal(profile->delegate_scales[0].scale, ETI_SCALE_US);
    assert_text(profile->delegate_scales[1].backend, "a=b");
    assert_int_equal(profile->delegate_scales[1].scale, ETI_SCALE_CYCLES);
    assert_absent(profile->delegate_scales[2].backend);
    assert_saved(profile, true, text);
    eti_profile_free(profile);
}

static void a_thousand_scales_are_kept(void **state) {
    (void)state;
    eti_profile *profile = read_profile(PROFILE("", "a"));
    char name[16];
    for (int i = 0; i < 2 * ETI_MOST_DELEGATE_SCALES; i++) {
        snprintf(name, sizeof name, "b%d", i);
        assert_true(eti__delegate_scales_add(profile, eti__text_of(name), ETI_SCALE_MS));
        assert_true(eti__delegate_scales_add(profile, eti__text_of(name), ETI_SCALE_S));
    }
    assert_int_equal(profile->n_delegate_scales, ETI_MOST_DELEGATE_SCALES);
    for (int i = 0; i < ETI_MOST_DELEGATE_SCALES; i++) {
        snprintf(name, sizeof name, "b%d", i);
        assert_text(profile->delegate_scales[i].backend, name);
        assert_int_equal(profile->delegate_scales[i].scale, ETI_SCALE_MS);
    }
    eti_profile_free(profile);
}

static void what_is_no_scale_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {PROFILE(",,Npu", "a"), PROFILE(",,Npu=", "a"),
                                        PROFILE(",,Npu=min", "a"), PROFILE(",,", "a")};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        eti_error err = ETI_ERROR_INIT;
        eti_profile *profile;
        eti_text whole = baseline_text(texts[i], "a.csv");
        const eti_source source = {"a.csv", whole.data, whole.size};
        assert_fails(eti__profile_read(&profile, &source, NULL, &err), ETI_ERROR_MALFORMED,
                     "record 2: expected the time scale of a delegate, BACKEND=SCALE");
    }
}

static void assert_alike(const char *base_text, const char *new_text, const char *message) {
    eti_profile *base = read_profile(base_text), *new_side = read_profile(new_text);
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profiles_check_alike(base, new_side, &err);
    if (message)
        assert_fails(status, ETI_ERROR_USAGE, message);
    else
        assert_ok(status);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void scales_of_one_backend_must_be_equal(void **state) {
    (void)state;
    const char *const us = PROFILE(",,Npu=us", "b");
    assert_alike(PROFILE(",,Npu=us", "a"), us, NULL);
    assert_alike(PROFILE(",,Npu=ns", "a"), us,
                 "differ: the time scales of delegate Npu are ns and us; use");
    assert_alike(us, PROFILE(",,Npu=ns", "a"), "delegate Npu are us and ns");
    assert_alike(PROFILE(",,Gpu=ns,Npu=us", "a"), us, NULL);
    assert_alike(PROFILE(",,Gpu=us,Npu=ns", "a"), us, "delegate Npu are ns and us");
    /* a baseline of an older version does not have them */
    assert_alike(PROFILE("", "a"), us, NULL);
    /* without an ETRecord, backends are unknown */
    assert_alike(PROFILE(",,=ns", "a"), us, "delegate Npu are ns and us");
    assert_alike(us, PROFILE(",,=ns", "a"), "delegate Npu are us and ns");
    assert_alike(PROFILE(",,=us", "a"), us, NULL);
    assert_alike(PROFILE(",,=us", "a"), PROFILE(",,=ns", "b"),
                 "the time scales of their delegates are us and ns");
    assert_alike(PROFILE(",,=ns,Npu=us", "a"), PROFILE(",,Npu=us,=ns", "b"), NULL);
}

static void merged_profiles_have_the_scales_of_all_parts(void **state) {
    (void)state;
    eti_profile *parts[] = {read_profile(PROFILE(",,Npu=us,Gpu=ns", "a")),
                            read_profile(PROFILE(",,Npu=ms,Dsp=s,Gpu=ns", "b"))};
    eti_profile *whole;
    eti_error err = ETI_ERROR_INIT;
    const eti_profile *const both[] = {parts[0], parts[1]};
    assert_fails(eti__profile_merge(&whole, both, 2, false, &err), ETI_ERROR_USAGE,
                 "delegate Npu are us and ms");
    assert_ok(eti__profile_merge(&whole, both, 2, true, &err));
    assert_int_equal(whole->n_delegate_scales, 2);
    assert_text(whole->delegate_scales[0].backend, "Gpu");
    assert_text(whole->delegate_scales[1].backend, "Dsp");
    eti_profile_free(whole);
    eti_profile_free(parts[0]);
    eti_profile_free(parts[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_are_kept),
        cmocka_unit_test(a_thousand_scales_are_kept),
        cmocka_unit_test(what_is_no_scale_is_refused),
        cmocka_unit_test(scales_of_one_backend_must_be_equal),
        cmocka_unit_test(merged_profiles_have_the_scales_of_all_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
