/*
 * sandbox.h - drops the rights that reading a profile does not need, so that a hostile file that
 * exploits a bug can do no more than print wrong numbers.
 */
#ifndef ETI_CLI_SANDBOX_H
#define ETI_CLI_SANDBOX_H

/* Enters the sandbox, on Linux only, by seccomp. From then on the process cannot open files or connections, start processes
 * or threads, or make memory executable; it can read and write open files. It cannot leave the sandbox. Returns CLI_OK, or
 * an exit status after a message if the system does not allow it. */
int cli_enter_sandbox(void);

#endif
