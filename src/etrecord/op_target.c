#include "etrecord/op_target.h"

#include "base/text.h"

#include <string.h>

/* A rule for targets; the first matching prefix decides. The displayed part follows the prefix and `drop` more dotted
 * parts, and must have `least` to `most` parts; otherwise the target is unknown. */
typedef struct rule {
    const char *prefix;
    eti_op_kind kind;
    size_t drop;
    size_t least, most;
} rule;

static const rule rules[] = {
    {"executorch.exir.dialects.edge.ops.", ETI_OP_EDGE, 0, 1, SIZE_MAX},
    {"executorch.exir.dialects.backend.ops.", ETI_OP_EDGE, 0, 1, SIZE_MAX},
    {"torch.ops.higher_order.", ETI_OP_TORCH, 0, 1, 1},
    {"torch.ops.", ETI_OP_TORCH, 1, 1, 2},
    {"torch.", ETI_OP_TORCH, 0, 1, 1},
    {"_operator.", ETI_OP_TORCH, 0, 1, 1},
};

static size_t count_parts(eti_text text) {
    size_t n = 1;
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == '.';
    return n;
}

static eti_text behind(eti_text text, size_t size) {
    return (eti_text){text.data + size, text.size - size};
}

/* Returns the parts after the first `n`; empty if there are no more. */
static eti_text drop_parts(eti_text text, size_t n) {
    for (; n > 0 && text.size > 0; n--) {
        const char *dot = memchr(text.data, '.', text.size);
        text = behind(text, dot ? (size_t)(dot - text.data) + 1 : text.size);
    }
    return text;
}

static eti_op_target apply(const rule *applied, eti_text target) {
    eti_text op = drop_parts(behind(target, strlen(applied->prefix)), applied->drop);
    size_t n_parts = count_parts(op);
    if (op.size == 0 || n_parts < applied->least || n_parts > applied->most)
        return (eti_op_target){ETI_OP_UNKNOWN, target};
    return (eti_op_target){applied->kind, op};
}

eti_op_target eti__op_target_of(eti_text target) {
    if (eti__text_is(target, "memory.alloc"))
        return (eti_op_target){ETI_OP_ALLOC, eti__text_of("alloc")};
    if (eti__text_is(target, "executorch.exir.memory.view"))
        return (eti_op_target){ETI_OP_UNKNOWN, eti__text_of("view")};
    if (eti__text_is(target, ETI_DELEGATE_TARGET))
        return (eti_op_target){ETI_OP_DELEGATE, drop_parts(target, 3)};
    if (eti__text_is(target, "torch.sym_sqrt")) /* its __name__ differs */
        return (eti_op_target){ETI_OP_TORCH, eti__text_of("_sym_sqrt")};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (eti__text_begins_with(target, rules[i].prefix))
            return apply(&rules[i], target);
    }
    return (eti_op_target){ETI_OP_UNKNOWN, target};
}
