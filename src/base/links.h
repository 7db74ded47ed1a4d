/*
 * links.h - finds the file that a path leads to through symbolic links.
 */
#ifndef ETI_BASE_LINKS_H
#define ETI_BASE_LINKS_H

/* Returns the path of that file, whether or not it exists, in memory from malloc(); NULL with errno set. */
char *eti__follow_links(const char *path);

#endif
