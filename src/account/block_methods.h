/*
 * block_methods.h - distinguishes methods whose instructions are the same by the payloads of the
 * delegates that they call: the method that ran is the one whose nodes the delegates logged.
 */
#ifndef ETI_ACCOUNT_BLOCK_METHODS_H
#define ETI_ACCOUNT_BLOCK_METHODS_H

#include "model/inspector.h"

/* Sets the methods of blocks that several fit, where the payloads of one method fit better than those of the others.
 * ETI_ERROR_MEMORY, and any status of reading a graph. */
eti_status eti__tell_methods_apart(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
