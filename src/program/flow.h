/*
 * flow.h - distinguishes the arguments that an instruction reads from those that it writes, and counts their bytes.
 */
#ifndef ETI_PROGRAM_FLOW_H
#define ETI_PROGRAM_FLOW_H

#include "program/program.h"
#include "pte/pte.h"

/* Returns the total bytes of `values`, each counted as often as it occurs. */
eti_value_sum eti__values_bytes(const eti_value_bytes *bytes, eti_pte_indices values);

#endif
