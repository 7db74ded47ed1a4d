/*
 * model_fixture.h - an ETDump in memory and the EventBlocks built from it, for tests of the model.
 *
 *     model m = {0};
 *     builder *b = &m.b;
 *     build_model(&m, DUMP(b, RUN(b, "Execute", TIMED(b, .name = "add"))));
 *     … m.blocks …
 *     free_model(&m);
 */
#ifndef ETI_TESTS_MODEL_FIXTURE_H
#define ETI_TESTS_MODEL_FIXTURE_H

#include "etdump_builder.h"
#include "support.h"

#include "base/arena.h"
#include "base/text.h"
#include "model/model.h"
#include "model/parts.h"
#include "read/read.h"

typedef struct model {
    builder b;
    eti_etdump dump;
    eti_arena arena;
    eti_blocks blocks;
    eti_error err;
} model;

static inline eti_status try_model(model *m, place dump) {
    finish_dump(&m->b, dump, true);
    eti_status status = eti__etdump_open(&m->dump, &m->b.file, 1, &m->err);
    return status == ETI_OK ? eti__blocks_build(&m->blocks, &m->arena, &m->dump, 1, 1, &m->err)
                            : status;
}

static inline void build_model(model *m, place dump) {
    eti_status status = try_model(m, dump);
    if (status != ETI_OK)
        fail_msg("%s", m->err.message);
}

static inline void free_model(model *m) {
    eti__arena_free(&m->arena);
    builder_free(&m->b);
}

/* Checks the event names of a block, joined with ' '. */
static inline void assert_names(const eti_event_block *block, const char *expected) {
    eti_buffer names = {0};
    for (size_t i = 0; i < block->n_events; i++) {
        eti__buffer_add_string(&names, i ? " " : "");
        eti__buffer_add_text(&names, block->events[i].name);
    }
    assert_text(eti__buffer_text(&names), expected);
    eti__buffer_free(&names);
}

#endif
