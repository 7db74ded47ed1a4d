/*
 * group_names.h - defines the names of groups that are not an operator, backend, module or line,
 * for all code that lists groups.
 */
#ifndef ETI_ROLLUP_GROUP_NAMES_H
#define ETI_ROLLUP_GROUP_NAMES_H

#define ETI_GROUP_FRAMEWORK "(framework)"
#define ETI_GROUP_AROUND_OPERATORS                                                                 \
    "(around operators)" /* part of the framework's time that is in no listed event */
#define ETI_GROUP_NOT_LOGGED "(delegate, not logged)"
#define ETI_GROUP_NOT_DELEGATED "(not delegated)"
#define ETI_GROUP_UNKNOWN "(unknown)"
#define ETI_GROUP_SEVERAL_LINES "(several lines)"
/* Name for profiles and baselines, which store one line per Event: an Event without a line either has an unknown line
 * or several. */
#define ETI_GROUP_UNKNOWN_OR_SEVERAL_LINES "(unknown or several lines)"
#define ETI_GROUP_SEVERAL_OPS "(several operators)"
#define ETI_GROUP_SEVERAL_MODULES "(several modules)"
#define ETI_GROUP_NO_NAME "(no name)"

#endif
