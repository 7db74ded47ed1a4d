/*
 * timed_events.h - events with a name and stamps: outside of instructions, of an instruction, and of a delegate.
 */
#ifndef ETI_TESTS_TIMED_EVENTS_H
#define ETI_TESTS_TIMED_EVENTS_H

#include "etdump_builder.h"

#define EVENT(b, event_name, start, end)                                                           \
    TIMED(b, .name = (event_name), .start_time = (start), .end_time = (end))
#define CALL(b, event_name, id, start, end)                                                        \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id), .start_time = (start),              \
          .end_time = (end))
/* On a lane other than the main thread, outside of instructions. */
#define ON_LANE(b, event_name, lane, start, end)                                                   \
    TIMED(b, .name = (event_name), .chain_index = SOME((uint32_t)-1 - (lane)),                     \
          .instruction_id = SOME(0), .start_time = (start), .end_time = (end))
#define DELEGATED(b, debug_id, id, start, end)                                                     \
    TIMED(b, .delegate_id_str = (debug_id), .instruction_id = SOME(id), .start_time = (start),     \
          .end_time = (end))

#endif
