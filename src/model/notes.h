/*
 * notes.h - explains in notes why the result of an inspector is empty, unlabelled or surprising.
 */
#ifndef ETI_MODEL_NOTES_H
#define ETI_MODEL_NOTES_H

#include "etinspect.h"

/* Fills inspector->notes, in the arena. ETI_ERROR_MEMORY. */
eti_status eti__notes_collect(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
