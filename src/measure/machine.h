/*
 * machine.h - reads properties of this machine that disturb measurements: load, temperature and clock governor, as far as
 * Linux reports them. Unknown ones are omitted.
 */
#ifndef ETI_MEASURE_MACHINE_H
#define ETI_MEASURE_MACHINE_H

#include "base/text.h"

/* Lowest and highest value; low > high: no value was read. */
typedef struct eti_range {
    double low, high;
} eti_range;

typedef struct eti_machine {
    const char *root; /* root of the file system; "" except in tests */
    size_t n_processors;
    double first_load;     /* NaN if unknown */
    eti_range load;        /* load average of the last minute */
    eti_range temperature; /* temperature of the hottest zone, in degrees Celsius */
    char governor[32];     /* first governor that was read, of the first processor; "" if unknown */
    char other_governor[32]; /* another governor that was read later; "" if none */
} eti_machine;

/* Returns a state in which nothing has been read yet. */
eti_machine eti__machine_start(const char *root);

/* Reads the current state, and widens the ranges. */
void eti__machine_look(eti_machine *machine);

/* Returns whether the machine was busy before the measurement: the load was more than half the number of processors. */
bool eti__machine_was_busy(const eti_machine *machine);

/* Appends a text such as "2 processors, governor performance, load average 0.2 to 1.1, 48 to 53 °C". */
void eti__machine_describe(const eti_machine *machine, eti_buffer *out);

#endif
