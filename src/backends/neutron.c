#include "backends/adapters.h"

#include "base/text.h"

/* Neutron numbers its events 0, 1, … and adds the number of the kernel as one byte of metadata. Kernel 0 writes
 * the profile itself; its end has ticks of the processor added, so that its value means nothing. */

#define LONGEST_KERNEL 24u

bool eti__neutron_owns(const eti_logged_event *logged) {
    return logged->has_int_id && logged->metadata.size == 1;
}

bool eti__neutron_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                             eti_arena *arena) {
    out->clock = ETI_CLOCK_DEVICE;
    out->unit = ETI_UNIT_CYCLES;
    out->wraps_at_32 = true;
    out->node = logged->name;
    if (logged->metadata.size != 1)
        return true;
    unsigned kernel = (unsigned char)logged->metadata.data[0];
    if (kernel == 0) {
        out->role = ETI_DELEGATE_PROFILING;
        out->kernel = out->label = eti__text_of("Profiling dump");
        return true;
    }
    char name[LONGEST_KERNEL];
    int n = eti__snprintf(name, sizeof name, "Neutron kernel %u", kernel);
    if (!eti__arena_copy_text(arena, (eti_text){name, (size_t)n}, &out->kernel))
        return false;
    out->label = out->kernel;
    out->is_numbered = true;
    out->compute_unit = eti__text_of("NPU");
    return true;
}
