/*
 * manual.h - opens a page of the manual, with the man(1) of the system.
 */
#ifndef ETI_CLI_MANUAL_H
#define ETI_CLI_MANUAL_H

/* Replaces this process by man(1), which shows the page etinspect-NAME of the section: the page that was installed with the
 * program, or else the page that man(1) finds. Returns only if that is impossible: standard output is not a terminal, man(1) is not
 * installed, or there is no such page. Must be called before anything is printed. */
void cli_manual_show(const char *name, int section);

#endif
