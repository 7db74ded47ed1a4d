/*
 * data_faults.h - says what data files hold, and whether it is what the program asks for.
 */
#ifndef ETI_ACCOUNT_PROGRAM_DATA_FAULTS_H
#define ETI_ACCOUNT_PROGRAM_DATA_FAULTS_H

#include "model/inspector.h"

/* Adds a note about each data file of the inspector: a warning if the program asks for none of its names. Adds a warning if
 * the program asks for names that none has; without any data file it is an information. ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__data_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
