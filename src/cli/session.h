/*
 * session.h - the ETDumps in the folder that an inspection of the Neuron Runtime wrote.
 */
#ifndef ETI_CLI_SESSION_H
#define ETI_CLI_SESSION_H

#include <stddef.h>

/* Finds the files that a folder stands for: nc_<k>.etdp of each NeuronCore, in order; without these, system.etdp. Stores allocated
 * paths; `*n` is 0 if `path` is not such a folder. Returns CLI_OK, or the exit status after a message. */
int cli_session_find(char ***paths, size_t *n, const char *path);

#endif
