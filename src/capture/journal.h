/*
 * journal.h - the file in which the memory of a capture survives the process:
 *
 *     etc_journal_header | the memory of a capture, see capture.h
 *
 * Recovery ignores the pointers in the memory and the hash of names. The header has the positions of the fields of the state
 * that recovery reads, so that a journal of another word size can be read; a journal of another byte order is rejected.
 * Records and names have the same layout everywhere.
 *
 * A process may be killed between any two stores; the mapping then has all earlier stores. The reader trusts the order of
 * the following stores, reads `head`, and adapts the rest:
 *
 * - A record is complete before `head` passes it, and a name before `names_used` does. A name is
 *   counted before a record with it is.
 * - The size of a run is stored before `run` changes. The run at `run` reaches to `head`.
 * - `tail` passes a run before its memory is used again; a run that is dropped between others also gets its flag before
 *   that.
 * - `used` is increased before `head` moves, and decreased after `tail` or `head` did: 0 means that
 *   there are no records, whatever `head` is, and head == tail otherwise means a full ring if `used` is its size or more.
 * - When runs are pinned, `base` moves first: a `tail` or `head` before `base` is taken as equal to it.
 * - The magic number is stored last, when the file is opened.
 */
#ifndef ETC_CAPTURE_JOURNAL_H
#define ETC_CAPTURE_JOURNAL_H

#include "capture/capture.h"

#define ETC_JOURNAL_BYTE_ORDER 0x01020304u
#define ETC_JOURNAL_VERSION 1u
/* The version if the capture has lanes, whose events are not in the file: runs have the number of lanes that recorded in
 * them, which readers of version 1 do not know. */
#define ETC_JOURNAL_VERSION_LANES 2u
#define ETC_JOURNAL_HEADER_SIZE 512u

/* X(member of etc_capture, type into which it is read): the fields of the state that recovery
 * reads. A change of this list requires a new version. */
#define ETC_JOURNAL_FIELDS(X)                                                                      \
    X(base, uint32_t)                                                                              \
    X(tail, uint32_t)                                                                              \
    X(head, uint32_t)                                                                              \
    X(used, uint32_t)                                                                              \
    X(run, uint32_t)                                                                               \
    X(names_used, uint32_t)                                                                        \
    X(names_most, uint32_t)                                                                        \
    X(when_full, uint8_t)                                                                          \
    X(keep_partial_runs, uint8_t)                                                                  \
    X(tick_numerator, uint32_t)                                                                    \
    X(tick_denominator, uint32_t)                                                                  \
    X(used_most, uint32_t)                                                                         \
    X(debug_used, uint64_t)                                                                        \
    X(n_runs, uint64_t)                                                                            \
    X(n_events, uint64_t)                                                                          \
    X(n_runs_dropped, uint64_t)                                                                    \
    X(n_lost_full, uint64_t)                                                                       \
    X(n_runs_partial, uint32_t)                                                                    \
    X(n_runs_outside, uint32_t)                                                                    \
    X(n_lost_state, uint32_t)                                                                      \
    X(n_lost_wrong, uint32_t)                                                                      \
    X(n_names_lost, uint32_t)                                                                      \
    X(n_names_repaired, uint32_t)                                                                  \
    X(n_without_contents, uint32_t)                                                                \
    X(n_not_finite, uint32_t)

enum etc_journal_field {
#define ETC_JOURNAL_FIELD(member, type) ETC_JOURNAL_##member,
    ETC_JOURNAL_FIELDS(ETC_JOURNAL_FIELD)
#undef ETC_JOURNAL_FIELD
    /* Function of the sink of debug data; 0: there is no sink. */
    ETC_JOURNAL_debug_sink,
    ETC_JOURNAL_N_FIELDS
};

enum { ETC_JOURNAL_N_SIZES = 8 };

typedef struct etc_journal_header {
    uint8_t magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint32_t header_size; /* where the memory begins in the file */
    uint32_t memory_size;
    uint32_t records;                           /* where records begin in the memory */
    uint16_t sizes[ETC_JOURNAL_N_SIZES];        /* of records, see etc__journal_sizes() */
    uint16_t fields[ETC_JOURNAL_N_FIELDS];      /* position of each in the memory */
    uint16_t field_sizes[ETC_JOURNAL_N_FIELDS]; /* bytes of each */
    /* Position in the memory of a counter of 4 bytes that older journals do not have; 0: none. */
    uint16_t n_runs_unrecorded;
} etc_journal_header;

_Static_assert(sizeof(etc_journal_header) <= ETC_JOURNAL_HEADER_SIZE, "the header holds it");

static inline void etc__journal_sizes(uint16_t *sizes) {
    const uint16_t known[ETC_JOURNAL_N_SIZES] = {
        sizeof(etc_run_record),       sizeof(etc_profile_record),    sizeof(etc_delegate_record),
        sizeof(etc_allocator_record), sizeof(etc_allocation_record), sizeof(etc_value_record),
        sizeof(etc_tensor_record),    sizeof(etc_name_entry)};
    memcpy(sizes, known, sizeof known);
}

/* ---- journal.c ------------------------------------------------------------------------------- */

/* Notes in the file that the capture of a journal has lanes. */
void etc__note_lanes(const etc_capture *c);
/* Closes the file of a journal and removes its mapping, which no child inherits any more. */
void etc__close_journal(int descriptor);

/* ---- journal_check.c ------------------------------------------------------------------------- */

/* Checks the names of a recovered capture, whose `names_used` is set, and fills its buckets. */
bool etc__adopt_names(etc_capture *c);
/* Checks the runs of a recovered capture, and sets `used`, `tail` and `head`. Cuts the open run
 * before the first wrong record; returns false if anything else is wrong. Unless `keeps_contents`
 * is set, tensors lose their contents, which were in a buffer. */
bool etc__adopt_records(etc_capture *c, bool keeps_contents);

#endif
