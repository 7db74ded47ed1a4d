/*
 * machine.h - reads the state of this machine that disturbs measurements: load, temperature and governor of the clock, as far
 * as Linux has them. Unknown facts are left out.
 */
#ifndef ETI_MEASURE_MACHINE_H
#define ETI_MEASURE_MACHINE_H

#include "base/text.h"

/* Lowest and highest value; low > high: none was read. */
typedef struct eti_range {
    double low, high;
} eti_range;

typedef struct eti_machine {
    const char *root; /* of the file system; "" except in tests */
    size_t n_processors;
    double first_load;       /* NaN: unknown */
    eti_range load;          /* average of the last minute */
    eti_range temperature;   /* of the hottest zone, in degrees Celsius */
    char governor[32];       /* of the first processor, when it was read first; "": unknown */
    char other_governor[32]; /* that was read later; "": none */
} eti_machine;

/* Starts with nothing read. */
eti_machine eti__machine_start(const char *root);

/* Reads the present state, and widens the ranges. */
void eti__machine_look(eti_machine *machine);

/* Whether the machine was busy before the measurement began: more than half of its processors. */
bool eti__machine_was_busy(const eti_machine *machine);

/* Adds "2 processors, governor performance, load average 0.2 to 1.1, 48 to 53 °C". */
void eti__machine_describe(const eti_machine *machine, eti_buffer *out);

#endif
