#include "backends/adapters.h"

#include "base/text.h"

#include <string.h>

/* ==== backend ================================================================================= */

/* Returns whether the name is that of an XNNPACK kernel, such as "Fully Connected (NC, F32) GEMM #1". */
static bool is_xnnpack_event(const eti_logged_event *logged) {
    return logged->has_id && !logged->has_int_id && logged->name.size > 0 &&
           memchr(logged->name.data, '(', logged->name.size) &&
           eti__xnnpack_kinds_that_run_as(eti__xnnpack_kernel(logged->name)) != 0;
}

static const eti_adapter adapters[ETI_N_BACKENDS] = {
    [ETI_BACKEND_XNNPACK] = {.id = "XnnpackBackend", .owns = is_xnnpack_event},
    [ETI_BACKEND_VULKAN] = {"VulkanBackend", eti__vulkan_owns_event, eti__vulkan_read_event},
    [ETI_BACKEND_COREML] = {"CoreMLBackend", eti__coreml_owns, eti__coreml_read_event},
    [ETI_BACKEND_QNN] = {"QnnBackend", eti__qnn_owns, eti__qnn_read_event},
    [ETI_BACKEND_ETHOSU] = {"EthosUBackend", eti__ethosu_owns, eti__ethosu_read_event},
    [ETI_BACKEND_VGF] = {"VgfBackend", eti__vgf_owns, eti__vgf_read_event},
    [ETI_BACKEND_NEUTRON] = {"NeutronBackend", eti__neutron_owns, eti__neutron_read_event},
    [ETI_BACKEND_NATIVE] = {.id = "NativeBackend", .read = eti__native_read_event},
};

eti_backend eti__backend_of_id(eti_text id) {
    for (int i = ETI_BACKEND_OTHER + 1; i < ETI_N_BACKENDS; i++) {
        if (eti__text_is(id, adapters[i].id))
            return (eti_backend)i;
    }
    return ETI_BACKEND_OTHER;
}

eti_text eti__backend_id(eti_backend backend) {
    return adapters[backend].id ? eti__text_of(adapters[backend].id) : (eti_text){NULL, 0};
}

eti_text eti__backend_label(eti_text backend) {
    static const char suffix[] = "Backend";
    static const char *const labels[ETI_N_BACKENDS] = {
        [ETI_BACKEND_XNNPACK] = "XNNPACK", [ETI_BACKEND_COREML] = "Core ML",
        [ETI_BACKEND_QNN] = "QNN",         [ETI_BACKEND_ETHOSU] = "Ethos-U",
        [ETI_BACKEND_VGF] = "VGF",
    };
    const size_t n = sizeof suffix - 1;
    const char *label = labels[eti__backend_of_id(backend)];
    if (label)
        return eti__text_of(label);
    if (backend.size > n && eti__text_ends_with(backend, suffix))
        backend.size -= n;
    return backend;
}

/* ==== delegate event ========================================================================== */

eti_text eti__delegate_unit_name(uint8_t unit) {
    static const char *const names[ETI_N_UNITS] = {
        [ETI_UNIT_NS] = "ns",       [ETI_UNIT_US] = "us",       [ETI_UNIT_CYCLES] = "cycles",
        [ETI_UNIT_BYTES] = "bytes", [ETI_UNIT_COUNT] = "count",
    };
    return names[unit] ? eti__text_of(names[unit]) : (eti_text){NULL, 0};
}

bool eti__backend_has_adapter(eti_backend backend) {
    return adapters[backend].read != NULL;
}

eti_backend eti__backend_of_event(const eti_logged_event *logged) {
    for (int i = ETI_BACKEND_OTHER + 1; i < ETI_N_BACKENDS; i++) {
        if (adapters[i].owns && adapters[i].owns(logged))
            return (eti_backend)i;
    }
    return ETI_BACKEND_OTHER;
}

bool eti__delegate_event_read(eti_delegate_event *out, eti_backend backend,
                              const eti_logged_event *logged, eti_arena *arena) {
    /* XNNPACK logs durations on a clock of its own, placed end to end. */
    bool is_other = backend == ETI_BACKEND_OTHER;
    *out = (eti_delegate_event){
        .backend = (uint8_t)backend,
        .role = ETI_DELEGATE_NODE,
        .unit = ETI_UNIT_TICKS,
        .clock = is_other ? ETI_CLOCK_UNKNOWN : ETI_CLOCK_DEVICE,
        .label = logged->name,
        .operator_number = -1,
    };
    return !adapters[backend].read || adapters[backend].read(out, logged, arena);
}
