#include "backends/backends.h"

#include "base/text.h"

#include <string.h>

#define PREFIX "native_call_"

eti_text eti__kernel_overload(eti_text event_name) {
    const size_t size = sizeof PREFIX - 1;
    if (event_name.size <= size || memcmp(event_name.data, PREFIX, size) != 0)
        return (eti_text){NULL, 0};
    return eti__text_from(event_name, size);
}

static eti_text until_dot(eti_text text) {
    const char *dot = text.size > 0 ? memchr(text.data, '.', text.size) : NULL;
    return dot ? (eti_text){text.data, (size_t)(dot - text.data)} : text;
}

static eti_text from(eti_text text, size_t at) {
    return eti__text_from(text, at);
}

/* Returns the name after its namespace and a colon or two; the whole name without a colon. */
static eti_text without_namespace(eti_text name) {
    const char *colon = name.size > 0 ? memchr(name.data, ':', name.size) : NULL;
    if (!colon)
        return name;
    size_t skipped = (size_t)(colon - name.data) + 1;
    skipped += skipped < name.size && name.data[skipped] == ':';
    return from(name, skipped);
}

eti_text eti__operator_name(eti_text name) {
    eti_text kernel = eti__kernel_overload(name);
    eti_text space = until_dot(name);
    if (name.size == 0 || name.size > ETI_LONGEST_OPERATOR)
        return (eti_text){NULL, 0};
    if (kernel.data)
        return until_dot(kernel);
    if (memchr(space.data, ':', space.size))
        return until_dot(without_namespace(name));
    return space.size < name.size ? until_dot(from(name, space.size + 1)) : (eti_text){NULL, 0};
}

eti_text eti__kernel_operator(eti_text event_name) {
    return eti__kernel_overload(event_name).data ? eti__operator_name(event_name)
                                                 : (eti_text){NULL, 0};
}

bool eti__is_kernel_of(eti_text op_type, eti_text kernel) {
    for (size_t at = 1; at + kernel.size < op_type.size; at++) {
        if (op_type.data[at - 1] == '.' && op_type.data[at + kernel.size] == '.' &&
            memcmp(op_type.data + at, kernel.data, kernel.size) == 0)
            return true;
    }
    return false;
}

bool eti__is_overload_of(eti_text name, eti_text overload, eti_text kernel) {
    name = without_namespace(name);
    if (overload.size == 0)
        return eti__text_equal(name, kernel);
    return kernel.size == name.size + 1 + overload.size &&
           eti__text_equal((eti_text){kernel.data, name.size}, name) &&
           kernel.data[name.size] == '.' && eti__text_equal(from(kernel, name.size + 1), overload);
}

static bool is_one_of(eti_text name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (eti__text_is(name, names[i]))
            return true;
    }
    return false;
}

bool eti__is_main_operator(eti_text op_type) {
    static const char *const names[] = {
        "convolution",
        "_convolution",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "linear",
        "addmm",
        "mm",
        "bmm",
        "baddbmm",
        "matmul",
        "scaled_dot_product_attention",
        "custom_sdpa",
    };
    return is_one_of(eti__operator_name(op_type), names, sizeof names / sizeof *names);
}

eti_text eti__whole_operator(eti_text op_type) {
    static const char *const names[] = {"aten.conv1d.default", "aten.conv2d.default",
                                        "aten.conv3d.default"};
    bool is_convolution = is_one_of(op_type, names, sizeof names / sizeof *names);
    return is_convolution ? eti__text_of("aten.convolution.default") : op_type;
}
