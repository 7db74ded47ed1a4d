/*
 * sandbox.h - gives up what reading a profile does not need, so that a mistake of ours, found by a
 * hostile file, can do no more than print wrong numbers.
 */
#ifndef ETI_CLI_SANDBOX_H
#define ETI_CLI_SANDBOX_H

/* From here on the process can open no file and no connection, start no process or thread and make no
 * memory executable; it can read and write what is open already. Linux, by seccomp; there is no way back.
 * CLI_OK, or an exit status after a message when the system does not allow it. */
int cli_enter_sandbox(void);

#endif
