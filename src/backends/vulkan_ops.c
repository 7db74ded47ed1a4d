#include "backends/backends.h"

#include "base/text.h"

#include <string.h>

/* Families of operators. */
enum {
    CONVOLUTION = 1 << 0,
    LINEAR = 1 << 1,
    ADDMM = 1 << 2,
    PRODUCT = 1 << 3, /* mm, matmul */
    BATCHED = 1 << 4, /* bmm */
    CLAMP = 1 << 5,
    RESHAPE = 1 << 6,
    MOVE = 1 << 7, /* it moves data */
    REDUCE = 1 << 8,
};

/* ---- names ----------------------------------------------------------------------------------- */

static eti_text cut_front(eti_text name, const char *prefix) {
    eti__text_take(&name, prefix);
    return name;
}

static eti_text cut_back(eti_text name, const char *suffix) {
    size_t n = strlen(suffix);
    if (name.size > n && memcmp(name.data + name.size - n, suffix, n) == 0)
        name.size -= n;
    return name;
}

/* Returns "view" for "aten.view_copy.default", and "to" for "dim_order_ops._to_dim_order_copy.default". */
static eti_text name_of(eti_text op) {
    eti_text name = eti__operator_name(op);
    name = cut_front(cut_front(name, "q8ta_"), "_");
    return cut_back(cut_back(name, "_copy"), "_dim_order");
}

/* Returns a kernel up to the parts that name storages and types. */
static eti_text cut_kernel(eti_text kernel) {
    static const char *const parts[] = {"_texture3d", "_buffer", "_float", "_half", "_int8"};
    for (size_t at = 1; at < kernel.size; at++) {
        const eti_text rest = eti__text_from(kernel, at);
        for (size_t i = 0; i < sizeof parts / sizeof *parts && rest.data[0] == '_'; i++) {
            if (eti__text_begins_with(rest, parts[i]))
                return (eti_text){kernel.data, at};
        }
    }
    return kernel;
}

/* ---- families -------------------------------------------------------------------------------- */

/* A rule for names; the first that fits decides. */
typedef struct rule {
    const char *name;
    bool is_prefix; /* the name only begins so */
    uint16_t family, takes;
    bool is_light;
} rule;

static const rule rules[] = {
    {"conv", true, CONVOLUTION, CONVOLUTION, false},
    {"linear", true, LINEAR, LINEAR | ADDMM | PRODUCT, false},
    {"addmm", false, ADDMM, ADDMM, false},
    {"mm", false, PRODUCT, PRODUCT | ADDMM, false},
    {"matmul", false, PRODUCT, PRODUCT | BATCHED, false},
    {"bmm", false, BATCHED, BATCHED, false},
    {"clamp", false, CLAMP, CLAMP, false},
    {"hardtanh", false, CLAMP, CLAMP, false},
    {"relu", false, CLAMP, CLAMP, false},
    {"relu6", false, CLAMP, CLAMP, false},
    {"mean", false, REDUCE, 0, false},
    {"sum", false, REDUCE, 0, false},
    {"view", false, RESHAPE | MOVE, RESHAPE, true},
    {"squeeze", false, RESHAPE | MOVE, RESHAPE, true},
    {"unsqueeze", false, RESHAPE | MOVE, RESHAPE, true},
    {"expand", false, RESHAPE | MOVE, RESHAPE, true},
    {"permute", false, MOVE, 0, true},
    {"clone", false, MOVE, 0, true},
    {"prepack", false, MOVE, 0, true},
    {"to", false, MOVE, 0, true},
    {"slice", false, MOVE, 0, true},
    {"select", false, MOVE, 0, true},
    {"select_as_symint", false, MOVE, 0, true},
    {"cat", false, MOVE, 0, false},
    {"split", true, MOVE, 0, false},
    {"repeat", false, MOVE, 0, false},
    {"flip", false, MOVE, 0, false},
    {"t", false, MOVE, 0, true},
    {"transpose", false, MOVE, 0, true},
};

/* Kernels by the beginning of their names. */
static const rule kernel_rules[] = {
    {"conv", true, 0, CONVOLUTION, false},
    {"linear", true, 0, LINEAR | ADDMM | PRODUCT | BATCHED, false},
    {"addmm", true, 0, LINEAR | ADDMM | PRODUCT | BATCHED, false},
    {"matmul", true, 0, LINEAR | ADDMM | PRODUCT | BATCHED, false},
    {"mm", true, 0, LINEAR | ADDMM | PRODUCT | BATCHED, false},
    {"bmm", true, 0, LINEAR | ADDMM | PRODUCT | BATCHED, false},
    {"mean2d", true, 0, REDUCE, false},
    {"reduce", true, 0, REDUCE, false},
    {"view", true, 0, MOVE, true},
    {"clone", true, 0, MOVE, true},
    {"permute", true, 0, MOVE, true},
    {"slice", true, 0, MOVE, true},
    {"select", true, 0, MOVE, true},
    {"copy", true, 0, MOVE, true},
    {"concat", true, 0, MOVE, true},
    {"split", true, 0, MOVE, true},
    {"repeat", true, 0, MOVE, true},
    {"flip", true, 0, MOVE, true},
    {"transfer", true, 0, MOVE, true},
    {"buffer_to", true, 0, MOVE, true},
    {"image_to", true, 0, MOVE, true},
};

static void apply(const rule *list, size_t n, eti_vulkan_op *op) {
    for (size_t i = 0; i < n; i++) {
        const rule *of = &list[i];
        if (of->is_prefix ? !eti__text_begins_with(op->name, of->name)
                          : !eti__text_is(op->name, of->name))
            continue;
        op->family = of->family;
        op->takes = of->takes;
        op->is_light = of->is_light;
        return;
    }
}

/* ---- operators ------------------------------------------------------------------------------- */

eti_vulkan_op eti__vulkan_op_of(eti_text op) {
    eti_vulkan_op out = {.name = name_of(op)};
    apply(rules, sizeof rules / sizeof *rules, &out);
    out.is_prepack = eti__text_is(out.name, "prepack");
    out.is_product = (out.family & (CONVOLUTION | LINEAR | ADDMM | PRODUCT | BATCHED)) != 0 ||
                     eti__text_contains(out.name, eti__text_of("attention")) ||
                     eti__text_contains(out.name, eti__text_of("sdpa"));
    out.joins_producer =
        out.family == CLAMP || eti__text_contains(out.name, eti__text_of("batch_norm"));
    out.joins_user = eti__text_is(out.name, "permute") || eti__text_is(out.name, "t") ||
                     eti__text_is(out.name, "transpose") ||
                     eti__text_begins_with(out.name, "dequantize");
    return out;
}

eti_vulkan_op eti__vulkan_op_of_kernel(eti_text kernel) {
    eti_vulkan_op out = {.name = cut_front(cut_kernel(kernel), "binary_")};
    out.name = cut_front(cut_front(out.name, "q8ta_"), "_");
    apply(kernel_rules, sizeof kernel_rules / sizeof *kernel_rules, &out);
    out.name = cut_back(cut_back(out.name, "_copy"), "_dim_order");
    return out;
}

eti_vulkan_fit eti__vulkan_fit(const eti_vulkan_op *made, const eti_vulkan_op *of) {
    if (made->name.size > 0 && eti__text_equal(made->name, of->name))
        return ETI_VULKAN_EQUAL;
    return (made->takes & of->family) != 0 ? ETI_VULKAN_FITS : ETI_VULKAN_UNLIKE;
}
