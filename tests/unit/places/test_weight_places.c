/* Finds the modules of weights in two payloads of XNNPACK: those of the layers "first" and "second". */
#include "places/weight_places.h"

#include "support.h"

#define FOLDER "testdata/xnnpack-conv/"
#define FIRST "d82e730beb44d7d3b56c9a0d4cdebd364108bfccefa3a311bbf307e25172823e"
#define FIRST_BIAS "0ae45a4c6a97f96648fa9bd34b21c4d990c9c0f7111673729f84466cc3de047e"
#define SECOND "1b085f180a62a4212ddffa155a4ea9a7d8dea075865bac750d4ed30f222c1566"

typedef struct found {
    eti_inspector *inspector;
    eti_arena arena;
    eti_planned_method method;
    eti_call_places places;
    eti_payloads payloads;
    eti_weight_places weights;
} found;

static void find(found *f, const char *record_path, uint64_t most) {
    eti_error err = ETI_ERROR_INIT;
    const eti_source program = {.path = FOLDER "model.pte"}, record = {.path = record_path};
    const eti_inputs inputs = {.programs = &program, .n_programs = 1, .etrecord = &record};
    *f = (found){0};
    assert_ok(eti__inspector_open(&f->inspector, &inputs, NULL, &err));
    assert_ok(eti__planned_method_make(&f->method, &f->arena, f->inspector,
                                       &f->inspector->programs[0], 0, &err));
    assert_ok(eti__call_places_init(&f->places, f->inspector, &f->method, &err));
    assert_true(eti__weight_places_init(&f->weights, &f->places, most));
    f->payloads.arena = &f->arena;
    for (uint32_t i = 0; i < f->method.liveness.calls.n; i++)
        assert_ok(eti__weight_places_add(&f->weights, &f->places, &f->payloads, i, &err));
}

static void end(found *f) {
    eti__weight_places_free(&f->weights);
    eti__payloads_free(&f->payloads);
    eti__call_places_free(&f->places);
    eti__arena_free(&f->arena);
    eti_inspector_close(f->inspector);
}

static eti_text module_of(const found *f, uint32_t delegate, const char *key) {
    return eti__weight_places_find(&f->weights, delegate, eti__text_of(key));
}

static void weights_have_the_module_of_their_nodes(void **state) {
    (void)state;
    found f;
    find(&f, FOLDER "record.etrecord", UINT64_MAX);
    assert_text(module_of(&f, 0, FIRST), "first");
    assert_text(module_of(&f, 0, FIRST_BIAS), "first");
    assert_text(module_of(&f, 1, SECOND), "second");
    assert_null(module_of(&f, 1, FIRST).data); /* of the other delegate */
    assert_null(module_of(&f, 0, "x").data);
    end(&f);
}

/* The payloads have 1,136 and 1,568 bytes. */
static void the_bytes_to_examine_are_limited(void **state) {
    (void)state;
    found f;
    find(&f, FOLDER "record.etrecord", 1136 + 1567);
    assert_text(module_of(&f, 0, FIRST), "first");
    assert_null(module_of(&f, 1, SECOND).data);
    end(&f);
}

/* Its handles are numbers of other nodes. */
static void records_of_other_exports_are_not_used(void **state) {
    (void)state;
    found f;
    find(&f, "testdata/mlp/record.etrecord", UINT64_MAX);
    assert_null(module_of(&f, 0, FIRST).data);
    assert_null(module_of(&f, 1, SECOND).data);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_have_the_module_of_their_nodes),
        cmocka_unit_test(the_bytes_to_examine_are_limited),
        cmocka_unit_test(records_of_other_exports_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
