#include "rollup_fixture.h"

#include "account/account.h"
#include "places/places.h"
#include "rollup/rollup.h"

/* Two layers of one type, the second with one module more, a layer of another type, and heads in both. */
#define LAYER(number) MODEL ";k" number ",layers." number ",my.Layer"
#define OTHER MODEL ";k2,layers.2,my.Other"
#define IN(number, name, type) LAYER(number) ";n" number ",layers." number "." name "," type
#define KERNEL_OP(name, handle, modules) OP(name, name ".default", handle, modules, "", "x")
#define NODE_OF(name, op, handle, modules) OP(name, op ".default", handle, modules, "", "x")
#define LAYERS                                                                                                                                            \
    EDGE_PROGRAM(KERNEL_OP("a", "1", IN("0", "fc", "my.Linear")) "," KERNEL_OP("b", "2", IN("0", "heads.0", "my.Head")) "," KERNEL_OP(                    \
        "c", "3",                                                                                                                                         \
        IN("1", "fc",                                                                                                                                     \
           "my.Linear")) "," KERNEL_OP("d", "4",                                                                                                          \
                                       IN("1", "heads.0",                                                                                                 \
                                          "my.Head")) "," KERNEL_OP("e", "5",                                                                             \
                                                                    IN("1", "heads.1",                                                                    \
                                                                       "my.Head")) "," KERNEL_OP("f",                                                     \
                                                                                                 "6",                                                     \
                                                                                                 IN("1",                                                  \
                                                                                                    "norm",                                               \
                                                                                                    "my.Norm")) "," KERNEL_OP("g",                        \
                                                                                                                              "7",                        \
                                                                                                                              OTHER) "," KERNEL_OP("h",   \
                                                                                                                                                   "8",   \
                                                                                                                                                   LAYER( \
                                                                                                                                                       "1")))
#define LAYER_HANDLES                                                                              \
    "{\"1\": 1, \"2\": 2, \"3\": 3, \"4\": 4, \"5\": 5, \"6\": 6, \"7\": 7, \"8\": 8}"

/* A rollup of the modules, and its tree. */
typedef struct forest {
    session s;
    eti_places places;
    eti_rollup rollup;
    eti_module_tree tree;
} forest;

static bool group_by_module(void *context, const eti_account *account, uint32_t *groups) {
    eti_place *places = eti__places_of_block(context, account);
    assert_non_null(places);
    for (size_t i = 0; i < account->block->n_events; i++)
        groups[i] = places[i].module; /* 0: of none */
    free(places);
    return true;
}

/* Makes the tree of eight kernels that take powers of two, so that a sum shows which terms it has. */
static void grow_with(forest *f, const char *edge, const char *const kernels[8],
                      bool folds_layers) {
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    builder *b = &f->s.b;
    place calls[8];
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        calls[i] = MS_CALL(b, kernels[i], i + 1, (1u << i) - 1, (2u << i) - 1);
    place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, calls, 8)});
    open_session(&f->s, DUMP(b, run), &(record_spec){.handles = LAYER_HANDLES, .edge = edge});
    assert_true(eti__places_init(&f->places));
    assert_int_equal(eti__rollup_make(&f->rollup, f->s.inspector, &options, group_by_module,
                                      &f->places, &f->s.err),
                     ETI_OK);
    assert_true(eti__module_tree_make(&f->tree, &f->places, &f->rollup, 1, folds_layers));
}

static void grow_of(forest *f, const char *edge, bool folds_layers) {
    static const char *const kernels[8] = {
        "native_call_a.out", "native_call_b.out", "native_call_c.out", "native_call_d.out",
        "native_call_e.out", "native_call_f.out", "native_call_g.out", "native_call_h.out"};
    grow_with(f, edge, kernels, folds_layers);
}

static void grow(forest *f, bool folds_layers) {
    grow_of(f, LAYERS, folds_layers);
}

static void cut(forest *f) {
    eti__module_tree_free(&f->tree);
    eti__rollup_free(&f->rollup);
    eti__places_free(&f->places);
    close_session(&f->s);
}

static const eti_tree_module *module_called(const forest *f, const char *name) {
    for (size_t i = 1; i < f->tree.n_modules; i++) {
        const eti_tree_module *module = &f->tree.modules[i];
        if (module->n_same > 0 && eti__text_is(module->name, name))
            return module;
    }
    return NULL;
}

static void add(eti_group *sum, const eti_group *added) {
    eti__time_sum_add(&sum->time, &added->time);
    sum->n_events += added->n_events;
    sum->n_calls += added->n_calls;
}

/* Checks times in ms; `all` is the time of the module with everything inside it. */
static void assert_module(const forest *f, const char *name, double self, double all, size_t n_same,
                          size_t n_children) {
    const eti_tree_module *module = module_called(f, name);
    if (!module)
        fail_msg("there is no module %s", name);
    assert_bits(eti__rollup_time(&f->rollup, module->self.total), self);
    assert_bits(eti__rollup_time(&f->rollup, module->all.time.total), all);
    assert_int_equal(module->n_same, n_same);
    assert_int_equal(module->n_children, n_children);
    eti_group sum = {.n_events = 0};
    for (size_t i = 0; i < module->n_groups; i++) {
        uint32_t group = f->tree.groups[module->first_group + i];
        if (group < f->rollup.n_groups)
            add(&sum, &f->rollup.groups[group]);
    }
    assert_bits(eti__rollup_time(&f->rollup, sum.time.total), all);
    assert_int_equal(module->all.n_events, sum.n_events);
    assert_int_equal(module->all.n_calls, sum.n_calls);
}

static void modules_hold_those_inside(void **state) {
    (void)state;
    forest f = {0};
    grow(&f, false);
    assert_module(&f, "my.Model", 0, 255, 1, 3);
    assert_module(&f, "layers.0", 0, 3, 1, 2);
    assert_module(&f, "layers.1", 128, 188, 1, 4);
    assert_module(&f, "layers.1.norm", 32, 32, 1, 0);
    assert_module(&f, "layers.2", 64, 64, 1, 0);
    /* the most expensive first */
    const eti_tree_module *model = module_called(&f, "my.Model");
    static const char *const names[] = {"layers.1", "layers.2", "layers.0"};
    for (size_t i = 0; i < 3; i++)
        assert_text(f.tree.modules[f.tree.children[model->first_child + i]].name, names[i]);
    cut(&f);
}

/* clang-format off */
#define FC(name, number, handle) NODE_OF(name, "f", handle, IN(number, "fc", "my.Linear"))
#define HEAD(name, number, head, handle) NODE_OF(name, "h", handle, IN(number, "heads." head, "my.Head"))
#define ALIKE(rest)                                                                                \
    EDGE_PROGRAM(FC("a", "0", "1") "," HEAD("b", "0", "0", "2") "," HEAD("c", "0", "1", "3") ","   \
                 FC("d", "1", "4") "," HEAD("e", "1", "0", "5") "," HEAD("i", "1", "1", "6") ","   \
                 rest)
/* clang-format on */
#define OF_ALIKE                                                                                   \
    "native_call_f.out", "native_call_h.out", "native_call_h.out", "native_call_f.out",            \
        "native_call_h.out", "native_call_h.out"

static void layers_are_one(void **state) {
    (void)state;
    static const char *const kernels[8] = {OF_ALIKE, "native_call_g.out", "native_call_f.out"};
    forest f = {0};
    grow_with(&f, ALIKE(NODE_OF("k", "g", "7", OTHER) "," FC("l", "3", "8")), kernels, true);
    assert_module(&f, "my.Model", 0, 255, 1, 3);
    assert_module(&f, "layers.*", 0, 63, 2, 2);
    assert_module(&f, "layers.*.fc", 1 + 8, 1 + 8, 2, 0);
    assert_module(&f, "layers.*.heads.*", 2 + 4 + 16 + 32, 2 + 4 + 16 + 32, 4, 0);
    /* a layer of another type, and one without heads */
    assert_module(&f, "layers.2", 64, 64, 1, 0);
    assert_module(&f, "layers.3", 0, 128, 1, 1);
    assert_null(module_called(&f, "layers.0"));
    assert_true(module_called(&f, "layers.*")->is_layers);
    assert_false(module_called(&f, "layers.*.fc")->is_layers);
    cut(&f);
}

/* Both layers have type and names in common, but the second has a module more. */
static void a_layer_with_another_module_is_apart(void **state) {
    (void)state;
    static const char *const kernels[8] = {OF_ALIKE, "native_call_g.out", "native_call_g.out"};
    forest f = {0};
    grow_with(
        &f,
        ALIKE(NODE_OF("k", "g", "7", IN("1", "norm", "my.Norm")) "," NODE_OF("l", "g", "8", OTHER)),
        kernels, true);
    assert_null(module_called(&f, "layers.*"));
    assert_module(&f, "layers.0", 0, 7, 1, 2);
    assert_module(&f, "layers.0.heads.*", 2 + 4, 2 + 4, 2, 0);
    assert_module(&f, "layers.1", 0, 8 + 16 + 32 + 64, 1, 3);
    assert_module(&f, "layers.1.norm", 64, 64, 1, 0);
    cut(&f);
}

/* Both layers have the same modules, but one of these has an operator more in the second. */
static void a_layer_with_another_operator_is_apart(void **state) {
    (void)state;
    static const char *const kernels[8] = {OF_ALIKE, "native_call_g.out", "native_call_g.out"};
    forest f = {0};
    grow_with(
        &f,
        ALIKE(NODE_OF("k", "g", "7", IN("1", "fc", "my.Linear")) "," NODE_OF("l", "g", "8", OTHER)),
        kernels, true);
    assert_null(module_called(&f, "layers.*"));
    assert_module(&f, "layers.0.fc", 1, 1, 1, 0);
    assert_module(&f, "layers.1.fc", 8 + 64, 8 + 64, 1, 0);
    cut(&f);
    /* the same operator again is no difference */
    static const char *const repeated[8] = {OF_ALIKE, "native_call_f.out", "native_call_g.out"};
    grow_with(
        &f,
        ALIKE(NODE_OF("k", "f", "7", IN("1", "fc", "my.Linear")) "," NODE_OF("l", "g", "8", OTHER)),
        repeated, true);
    assert_module(&f, "layers.*.fc", 1 + 8 + 64, 1 + 8 + 64, 2, 0);
    cut(&f);
}

#define NAMED(name, type) MODEL ";k" name "," name "," type
#define INSIDE(outer, name) NAMED(outer, "my.Seq") ";n" outer name "," name ",my.Linear"
/* clang-format off */
#define NUMBERS                                                                                    \
    EDGE_PROGRAM(NODE_OF("a", "a", "1", NAMED("conv1", "my.Conv")) ","                                \
                 NODE_OF("b", "a", "2", NAMED("conv2", "my.Conv")) ","                                \
                 NODE_OF("c", "c", "3", INSIDE("0", "0.fc")) ","                                      \
                 NODE_OF("d", "c", "4", INSIDE("1", "1.fc")) ","                                      \
                 NODE_OF("e", "e", "5", INSIDE("0", "shared")) ","                                    \
                 NODE_OF("f", "e", "6", INSIDE("1", "shared")) ","                                    \
                 NODE_OF("g", "g", "7", NAMED("0x.fc", "my.Linear")) ","                              \
                 NODE_OF("h", "h", "8", NAMED("3.14", "my.Seq")))
/* clang-format on */

/* A number names a layer if it is the whole name inside the enclosing module, or follows a dot. */
static void layers_have_numbers_of_their_own(void **state) {
    (void)state;
    forest f = {0};
    static const char *const kernels[8] = {
        "native_call_a.out", "native_call_a.out", "native_call_c.out", "native_call_c.out",
        "native_call_e.out", "native_call_e.out", "native_call_g.out", "native_call_h.out"};
    grow_with(&f, NUMBERS, kernels, true);
    assert_module(&f, "conv1", 1, 1, 1, 0);
    assert_module(&f, "conv2", 2, 2, 1, 0);
    assert_module(&f, "*", 0, 4 + 8 + 16 + 32, 2, 2);
    assert_module(&f, "*.fc", 4 + 8, 4 + 8, 2, 0);
    /* This name does not begin with the name of the enclosing module. */
    assert_module(&f, "shared", 16 + 32, 16 + 32, 2, 0);
    assert_module(&f, "0x.fc", 64, 64, 1, 0);
    assert_module(&f, "3.14", 128, 128, 1, 0);
    assert_true(module_called(&f, "*")->is_layers);
    assert_text(module_called(&f, "*")->path, "*");
    assert_text(module_called(&f, "*.fc")->type, "my.Linear");
    assert_false(module_called(&f, "3.14")->is_layers);
    const eti_tree_module *model = module_called(&f, "my.Model");
    assert_int_equal(model->n_children, 5);
    static const char *const names[] = {"3.14", "0x.fc", "*", "conv2", "conv1"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_text(f.tree.modules[f.tree.children[model->first_child + i]].name, names[i]);
    cut(&f);
}

static void names_are_those_inside(void **state) {
    (void)state;
    eti_text name = eti__text_of("a.b");
    assert_text(eti__module_name_inside(name, eti__text_of("a")), "b");
    assert_text(eti__module_name_inside(name, eti__text_of("")), "a.b");
    assert_text(eti__module_name_inside(name, eti__text_of("a.b")), "a.b");
    assert_text(eti__module_name_inside(name, eti__text_of("b")), "a.b");
    assert_text(eti__module_name_inside(eti__text_of("a."), eti__text_of("a")), "a.");
    assert_text(eti__module_name_inside(eti__text_of("ax.b"), eti__text_of("a")), "ax.b");
    assert_text(eti__module_name_inside(eti__text_of("a.bc"), eti__text_of("a.b")), "a.bc");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_hold_those_inside),
        cmocka_unit_test(layers_are_one),
        cmocka_unit_test(a_layer_with_another_module_is_apart),
        cmocka_unit_test(a_layer_with_another_operator_is_apart),
        cmocka_unit_test(layers_have_numbers_of_their_own),
        cmocka_unit_test(names_are_those_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
