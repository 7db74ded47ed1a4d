/*
 * grouping.h - defines the names of groups that are not an operator, backend, module or line,
 * for all code that lists groups.
 */
#ifndef ETI_ROLLUP_GROUPING_H
#define ETI_ROLLUP_GROUPING_H

#define ETI_GROUP_NOT_LOGGED "(delegate, not logged)"
#define ETI_GROUP_TRANSFERS "(delegate, transfers)"
#define ETI_GROUP_OVERHEAD "(delegate, overhead)"
#define ETI_GROUP_PROFILING "(delegate, profiling)"

#endif
