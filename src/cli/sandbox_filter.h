/*
 * sandbox_filter.h - the filter of system calls of --sandbox: what the C library needs for memory, for streams that are open
 * and for ending is allowed, all else fails with EPERM.
 */
#ifndef ETI_CLI_SANDBOX_FILTER_H
#define ETI_CLI_SANDBOX_FILTER_H

#include <stddef.h>

#define CLI_SANDBOX_MOST 128 /* instructions */

struct sock_filter; /* of linux/filter.h */

/* Fills `out`, which has room for CLI_SANDBOX_MOST, with the filter of the process of this number. Returns the number of
 * instructions; 0: on this system or processor there is none. */
size_t cli_sandbox_filter(struct sock_filter *out, unsigned process);

#endif
