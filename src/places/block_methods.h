/*
 * block_methods.h - distinguishes methods with the same instructions by the payloads of the
 * delegates that they call: the method that ran is the one with the nodes that the delegates
 * logged.
 */
#ifndef ETI_PLACES_BLOCK_METHODS_H
#define ETI_PLACES_BLOCK_METHODS_H

#include "model/model.h"

/* Sets the method of each block that fits several methods, where the payloads of one fit better than those of the
 * others. Fails with ETI_ERROR_MEMORY, or with any status of reading a graph. */
eti_status eti__tell_methods_apart(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
