#include "model/kernel_name.h"

#include "base/text.h"

#include <string.h>

#define PREFIX "native_call_"

eti_text eti__kernel_overload(eti_text event_name) {
    const size_t size = sizeof PREFIX - 1;
    if (event_name.size <= size || memcmp(event_name.data, PREFIX, size) != 0)
        return (eti_text){NULL, 0};
    return (eti_text){event_name.data + size, event_name.size - size};
}

eti_text eti__kernel_operator(eti_text event_name) {
    eti_text name = eti__kernel_overload(event_name);
    const char *dot = name.data ? memchr(name.data, '.', name.size) : NULL;
    return dot ? (eti_text){name.data, (size_t)(dot - name.data)} : (eti_text){NULL, 0};
}

bool eti__is_kernel_of(eti_text op_type, eti_text kernel) {
    for (size_t at = 1; at + kernel.size < op_type.size; at++) {
        if (op_type.data[at - 1] == '.' && op_type.data[at + kernel.size] == '.' &&
            memcmp(op_type.data + at, kernel.data, kernel.size) == 0)
            return true;
    }
    return false;
}

/* Returns the name without its namespace. */
static eti_text without_namespace(eti_text name) {
    const char *colon = name.size > 0 ? memchr(name.data, ':', name.size) : NULL;
    if (!colon)
        return name;
    size_t skipped = (size_t)(colon - name.data) + 1;
    skipped += skipped < name.size && name.data[skipped] == ':';
    return (eti_text){name.data + skipped, name.size - skipped};
}

bool eti__is_overload_of(eti_text name, eti_text overload, eti_text kernel) {
    name = without_namespace(name);
    if (overload.size == 0)
        return eti__text_equal(name, kernel);
    return kernel.size == name.size + 1 + overload.size &&
           eti__text_equal((eti_text){kernel.data, name.size}, name) &&
           kernel.data[name.size] == '.' &&
           eti__text_equal((eti_text){kernel.data + name.size + 1, overload.size}, overload);
}
