/* recorded_fixture.h - tensors that a run recorded, and their origins, from an ETRecord in memory. */
#ifndef ETI_TESTS_RECORDED_FIXTURE_H
#define ETI_TESTS_RECORDED_FIXTURE_H

#include "inspector_fixture.h"

#include "account/account.h"
#include "model/model.h"
#include "numerics/numerics.h"

/* Node of the edge program: `from` is its ancestor as the record writes it, or ""; inputs are T()s. */
#define T(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define ARG(name) "{\"name\": \"a\", \"arg\": " T(name) "}"
#define FROM(name, from)                                                                           \
    "{\\\"name\\\": \\\"" name "\\\", \\\"graph_id\\\": 1, \\\"from_node\\\": [" from "]}"
#define MADE(name, handle, from, inputs)                                                           \
    "{\"name\": \"" name "\", \"target\": \"executorch.exir.dialects.edge.ops.aten." name          \
    ".default\", \"inputs\": [" inputs "], \"outputs\": [" T(name) "], \"metadata\": "             \
                                                                   "{\"debug_handle\": \"" handle  \
                                                                   "\", \"from_node\": \"[" from   \
                                                                   "]\"}}"
#define GRAPH_OF(outputs, nodes)                                                                   \
    "{\"graph_module\": {\"graph\": {\"inputs\": [" T("x") "], \"outputs\": [" outputs             \
                                                           "], \"nodes\": [" nodes "]}}}"

#define TIMED_CALL(b, of, id)                                                                      \
    TIMED(b, .name = (of), .instruction_id = SOME(id), .start_time = 1, .end_time = 2)
/* Logs a tensor of `n` floats at byte `at` of the debug buffer. */
#define LOGGED_AT(b, of, id, at, n)                                                                \
    LOGGED(b, .name = (of), .instruction_id = SOME(id),                                            \
           .value = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, at, n)))

typedef struct found {
    session s;
    eti_recorded recorded;
    eti_origins origins;
} found;

static const float buffer_of_floats[64];

/* Finds the recorded tensors. The dump is made with &f->s.b. `record` may be NULL. */
static inline void find_recorded(found *f, place dump, const record_spec *record) {
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    static const eti_source buffer = {"debug.bin", buffer_of_floats, sizeof buffer_of_floats};
    static const eti_view_options all = {.table = ETI_TABLE_OPTIONS_DEFAULT, .run = "all"};
    eti_error err = ETI_ERROR_INIT;
    f->s.options = &options;
    f->s.debug_buffer = &buffer;
    open_session(&f->s, dump, record);
    assert_ok(eti__recorded_read(&f->recorded, f->s.inspector, &all, &err));
    assert_ok(eti__origins_find(&f->origins, &f->recorded, f->s.inspector, &err));
}

static inline void close_recorded(found *f) {
    eti__origins_free(&f->origins);
    eti__recorded_free(&f->recorded);
    close_session(&f->s);
}

#endif
