/*
 * sandbox_filter.h - the filter of system calls of --sandbox: calls that the C library needs for memory, for open streams
 * and for ending are allowed; all others fail with EPERM.
 */
#ifndef ETI_CLI_SANDBOX_FILTER_H
#define ETI_CLI_SANDBOX_FILTER_H

#include <stddef.h>

#define CLI_SANDBOX_MOST 128 /* instructions */

struct sock_filter; /* of linux/filter.h */

/* Fills `out`, which has room for CLI_SANDBOX_MOST instructions, with the filter for the process with this id. Returns the
 * number of instructions; 0: there is no filter for this system or processor. */
size_t cli_sandbox_filter(struct sock_filter *out, unsigned process);

#endif
