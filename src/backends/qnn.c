#include "backends/adapters.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

/* QNN logs each figure of its profile as an event from 0 to the value, with the unit in the name:
 *
 *     "QNN (execute) time (us)", "DDR spill (bytes)", "Input OpId_2 (cycles)",
 *     "aten_convolution_default_3:OpId_29 (cycles)"
 *
 * The measured times contain each other; all other figures stand beside the account. */

/* Level of the events of single nodes, which is above those of all wrappers. */
#define NODE_LEVEL 6u
/* Longest number of a node. */
#define MOST_DIGITS 20u

typedef struct unit_suffix {
    const char *text;
    uint8_t unit;
} unit_suffix;

static const unit_suffix suffixes[] = {
    {" (us)", ETI_UNIT_US},
    {" (bytes)", ETI_UNIT_BYTES},
    {" (count)", ETI_UNIT_COUNT},
    {" (cycles)", ETI_UNIT_CYCLES},
};

/* Times that contain each other, the outermost first; their levels are 1, 2, … */
static const char *const wrappers[] = {
    "QNN (execute) time",
    "RPC (execute) time",
    "QNN accelerator (execute) time",
    "Accelerator (execute) time",
    "Accelerator (execute excluding wait) time",
};
#define N_WRAPPERS (sizeof wrappers / sizeof *wrappers)
/* Number of wrappers that the host measures. */
#define HOST_LEVELS 2
_Static_assert(N_WRAPPERS + 1 == NODE_LEVEL, "nodes stand below all wrappers");

/* Takes the unit from the end of a name. Figures without one are cycles. */
static uint8_t take_unit(eti_text *name) {
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (eti__text_ends_with(*name, suffixes[i].text)) {
            name->size -= strlen(suffixes[i].text);
            return suffixes[i].unit;
        }
    }
    return ETI_UNIT_CYCLES;
}

/* Returns whether `name` ends with `mark` and a number, and cuts them off. */
static bool take_number(eti_text *name, const char *mark) {
    size_t n_digits = 0, n_mark = strlen(mark);
    while (n_digits < name->size && n_digits <= MOST_DIGITS &&
           eti__is_digit(name->data[name->size - 1 - n_digits]))
        n_digits++;
    eti_text rest = {name->data, name->size - n_digits};
    if (n_digits == 0 || n_digits > MOST_DIGITS || rest.size <= n_mark ||
        !eti__text_ends_with(rest, mark))
        return false;
    name->size = rest.size - n_mark;
    return true;
}

/* Returns the level of a wrapper, or 0. */
static uint8_t wrapper_level(eti_text name) {
    for (size_t i = 0; i < N_WRAPPERS; i++) {
        size_t n = strlen(wrappers[i]);
        if (name.size == n && strncasecmp(name.data, wrappers[i], n) == 0)
            return (uint8_t)(i + 1);
    }
    return 0;
}

bool eti__qnn_owns(const eti_logged_event *logged) {
    eti_text name = logged->name;
    if (!logged->has_id || logged->has_int_id)
        return false;
    (void)take_unit(&name);
    return take_number(&name, ":OpId_");
}

static void read_figure(eti_delegate_event *out) {
    static const uint8_t total_level = 4;
    uint8_t level = wrapper_level(out->label);
    out->role = ETI_DELEGATE_COUNTER;
    if (level > 0 && out->unit == ETI_UNIT_US) {
        out->role = ETI_DELEGATE_WRAPPER;
        out->level = level;
        out->compute_unit = eti__text_of(level <= HOST_LEVELS ? "CPU" : "accelerator");
    } else if (level == total_level && out->unit == ETI_UNIT_CYCLES) {
        out->is_total = true;
        out->level = NODE_LEVEL; /* beside the nodes */
    }
}

bool eti__qnn_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                         eti_arena *arena) {
    (void)arena;
    (void)logged;
    out->clock = ETI_CLOCK_NONE;
    out->unit = take_unit(&out->label);
    bool is_time = out->unit == ETI_UNIT_CYCLES || out->unit == ETI_UNIT_US;
    if (take_number(&out->label, ":OpId_")) {
        out->node = out->label;
        out->role = is_time ? ETI_DELEGATE_NODE : ETI_DELEGATE_COUNTER;
        out->level = is_time ? NODE_LEVEL : 0;
        out->compute_unit = eti__text_of("accelerator");
        return true;
    }
    eti_text direction = out->label;
    if (is_time && take_number(&direction, " OpId_") &&
        (eti__text_is(direction, "Input") || eti__text_is(direction, "Output"))) {
        out->label = direction;
        out->role = ETI_DELEGATE_TRANSFER;
        out->level = NODE_LEVEL;
        out->compute_unit = eti__text_of("accelerator");
        return true;
    }
    read_figure(out);
    return true;
}
