/*
 * group_names.h - defines the names of groups that are not an operator, backend, module or line, for all code that lists
 * groups.
 */
#ifndef ETI_ACCOUNT_GROUP_NAMES_H
#define ETI_ACCOUNT_GROUP_NAMES_H

#define ETI_GROUP_FRAMEWORK "(framework)"
#define ETI_GROUP_AROUND_OPERATORS                                                                 \
    "(around operators)" /* the part of it that is in none of the events listed */
#define ETI_GROUP_NOT_LOGGED "(delegate, not logged)"
#define ETI_GROUP_NOT_DELEGATED "(not delegated)"
#define ETI_GROUP_UNKNOWN "(unknown)"
#define ETI_GROUP_SEVERAL_LINES "(several lines)"
/* For profiles and baselines, which store one line per Event: an Event without a line is either of the two. */
#define ETI_GROUP_UNKNOWN_OR_SEVERAL_LINES "(unknown or several lines)"
#define ETI_GROUP_SEVERAL_OPS "(several operators)"
#define ETI_GROUP_SEVERAL_MODULES "(several modules)"
#define ETI_GROUP_NO_NAME "(no name)"

#endif
