/* rollup_fixture.h - two runs of a model with modules, source lines and a delegate, for everything that groups events. */
#ifndef ETI_TESTS_ROLLUP_FIXTURE_H
#define ETI_TESTS_ROLLUP_FIXTURE_H

#include "inspector_fixture.h"

#include "places/kernel_nodes.h"

#define FRAME(file, line, code)                                                                    \
    "  File \\\"" file "\\\", line " #line ", in forward\\n    " code "\\n"
#define OP(name, op, handle, modules, trace, input)                                                \
    "{\"name\": \"" name "\", \"target\": \"executorch.exir.dialects.edge.ops.aten." op            \
    "\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"" input           \
    "\"}}}], \"outputs\": [{\"as_tensor\": {\"name\": \"" name                                     \
    "\"}}], \"metadata\": {\"debug_handle\": \"" handle "\", \"stack_trace\": \"" trace            \
    "\", \"nn_module_stack\": \"" modules "\"}}"

#define MODEL "L,,my.Model"
#define BLOCK MODEL ";L_a,a,my.Block"
#define LINEAR BLOCK ";L_a_fc,a.fc,torch.nn.Linear"
#define LIBRARY FRAME("/site-packages/torch/nn/modules/linear.py", 125, "return F.linear(x)")
#define EDGE                                                                                       \
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], "           \
    "\"tensor_values\": {\"x\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 2}, {\"as_expr\": "        \
    "{\"expr_str\": \"s0\"}}]}, \"mm\": {\"dtype\": 13, \"sizes\": []}}, \"nodes\": [" OP(         \
        "permute", "permute.default", "1", LINEAR, FRAME("/m/a.py", 7, "self.fc(x)") LIBRARY,      \
        "x") ", " OP("mm", "mm.default", "1", LINEAR, FRAME("/m/a.py", 7, "self.fc(x)") LIBRARY,   \
                     "permute") ", " OP("relu", "relu.default", "2", BLOCK,                        \
                                        FRAME("/m/a.py", 9, "relu(y)"),                            \
                                        "mm") ", " OP("tan", "tan.default", "3", MODEL,            \
                                                      FRAME("/m/b.py", 3, "tan(y)"),               \
                                                      "relu") "]}}}"
#define HANDLES "{\"0\": 1, \"1\": 1, \"2\": [2, 3], \"3\": 3}"
#define DELEGATES "{\"2\": {\"name\": \"Npu\", \"delegate_map\": {}}}"

#define MS_EVENT(b, event_name, start, end)                                                        \
    TIMED(b, .name = (event_name), .start_time = (start)*UINT64_C(1000000),                        \
          .end_time = (end)*UINT64_C(1000000))
#define MS_CALL(b, event_name, id, start, end)                                                     \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id),                                     \
          .start_time = (start)*UINT64_C(1000000), .end_time = (end)*UINT64_C(1000000))
#define MS_DELEGATED(b, debug_id, id, start, end)                                                  \
    TIMED(b, .delegate_id_str = (debug_id), .instruction_id = SOME(id),                            \
          .start_time = (start)*UINT64_C(1000000), .end_time = (end)*UINT64_C(1000000))

/* Adds a run of 128 ms: 16 + 8 in kernels below a.fc, 64 in the delegate, of which 32 are logged, 4 in tan; `longer`
 * extends the run. */
static inline place put_one_run(builder *b, uint64_t longer) {
    return RUN(b, "Execute", MS_CALL(b, "native_call_permute.out", 0, 10, 26),
               MS_CALL(b, "OPERATOR_CALL", 0, 9, 26), MS_CALL(b, "native_call_mm.out", 1, 26, 34),
               MS_CALL(b, "OPERATOR_CALL", 1, 26, 34), MS_DELEGATED(b, "conv #1", 2, 40, 56),
               MS_DELEGATED(b, "conv #2", 2, 60, 76), MS_CALL(b, "DELEGATE_CALL", 2, 36, 100),
               MS_CALL(b, "native_call_tan.out", 3, 100, 104),
               MS_CALL(b, "OPERATOR_CALL", 3, 100, 104),
               MS_EVENT(b, "Method::execute", 0, 128 + longer));
}

/* Opens a block that only loads, and "Execute" with two runs of 128 and 130 ms. */
static inline void open_two_runs(session *s) {
    builder *b = &s->b;
    open_session(s,
                 DUMP(b, RUN(b, "Default", MS_EVENT(b, "Method::init", 0, 1000)), put_one_run(b, 0),
                      put_one_run(b, 2)),
                 &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE});
    assert_int_equal(eti__resolve_kernels(s->inspector, &s->err), ETI_OK);
}

#endif
