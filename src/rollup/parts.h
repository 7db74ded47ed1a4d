/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_ROLLUP_PARTS_H
#define ETI_ROLLUP_PARTS_H

#include <stdint.h>

#define ETI_NO_GROUP UINT32_MAX

#endif
