#include "measure/machine.h"

#include "base/files.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define MOST_BYTES ((size_t)4096)
#define MOST_ZONES 64

static const eti_range nothing = {INFINITY, -INFINITY};

eti_machine eti__machine_start(const char *root) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return (eti_machine){.root = root,
                         .n_processors = n > 0 ? (size_t)n : 1,
                         .first_load = NAN,
                         .load = nothing,
                         .temperature = nothing};
}

/* Reads the first line of a small file; "" if the file cannot be read or is empty. */
static void read_line(const eti_machine *machine, const char *path, char *out, size_t size) {
    char whole[256];
    eti_buffer bytes = {0};
    snprintf(whole, sizeof whole, "%s%s", machine->root, path);
    out[0] = '\0';
    if (eti__small_file_read(whole, MOST_BYTES, &bytes) && bytes.size > 0)
        snprintf(out, size, "%.*s", (int)bytes.size, bytes.data);
    out[strcspn(out, "\n")] = '\0';
    eti__buffer_free(&bytes);
}

/* Returns the number at the beginning of a file, or NaN if there is none. */
static double read_number(const eti_machine *machine, const char *path) {
    char line[64], *end;
    read_line(machine, path, line, sizeof line);
    double number = eti__strtod(line, &end);
    return end == line ? NAN : number;
}

static void widen(eti_range *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static double hottest_zone(const eti_machine *machine) {
    double hottest = NAN;
    for (int zone = 0; zone < MOST_ZONES; zone++) {
        char path[64];
        snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp", zone);
        double thousandths = read_number(machine, path);
        if (isnan(thousandths))
            break;
        hottest = fmax(hottest, thousandths / 1000);
    }
    return hottest;
}

static void look_at_governor(eti_machine *machine) {
    char governor[sizeof machine->governor];
    read_line(machine, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
              sizeof governor);
    if (!machine->governor[0])
        memcpy(machine->governor, governor, sizeof governor);
    else if (strcmp(governor, machine->governor) != 0)
        memcpy(machine->other_governor, governor, sizeof governor);
}

void eti__machine_look(eti_machine *machine) {
    double load = read_number(machine, "/proc/loadavg");
    if (isnan(machine->first_load))
        machine->first_load = load;
    widen(&machine->load, load);
    widen(&machine->temperature, hottest_zone(machine));
    look_at_governor(machine);
}

bool eti__machine_was_busy(const eti_machine *machine) {
    return machine->first_load > 0.5 * (double)machine->n_processors;
}

static void describe_range(eti_buffer *out, const char *name, const eti_range *range,
                           int n_decimals, const char *unit) {
    if (range->low > range->high)
        return;
    eti__buffer_printf(out, ", %s%.*f", name, n_decimals, range->low);
    if (range->high > range->low)
        eti__buffer_printf(out, " to %.*f", n_decimals, range->high);
    eti__buffer_add_string(out, unit);
}

void eti__machine_describe(const eti_machine *machine, eti_buffer *out) {
    eti__buffer_printf(out, "%zu processor%s", machine->n_processors,
                       machine->n_processors == 1 ? "" : "s");
    if (machine->governor[0])
        eti__buffer_printf(out, ", governor %s", machine->governor);
    if (machine->other_governor[0])
        eti__buffer_printf(out, " and %s", machine->other_governor);
    describe_range(out, "load average ", &machine->load, 2, "");
    describe_range(out, "", &machine->temperature, 0, " °C");
}
