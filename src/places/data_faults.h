/*
 * data_faults.h - adds notes about data files that the program does not need, and about weights that are missing.
 */
#ifndef ETI_PLACES_DATA_FAULTS_H
#define ETI_PLACES_DATA_FAULTS_H

#include "model/model.h"

/* Adds a note about each data file of the inspector: a warning if the program needs none of its names. Also adds a
 * warning if the program needs names that are in no data file, or an information if there is no data file at all.
 * Fails with ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__data_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
