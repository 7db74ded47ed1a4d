/*
 * account_fixture.h - sessions with the account of one of their blocks.
 */
#ifndef ETI_TESTS_ACCOUNT_FIXTURE_H
#define ETI_TESTS_ACCOUNT_FIXTURE_H

#include "account/account.h"
#include "inspector_fixture.h"
#include "model/model.h"
#include "timed_events.h"

/* A session with the account of a block. */
typedef struct accounting {
    session s;
    eti_account account;
} accounting;

static inline void take_account(accounting *a, size_t block) {
    const eti_inspector *inspector = a->s.inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__account_new(&a->account, eti_inspector_block(inspector, block),
                               &inspector->options, &err));
}

static inline void open_account(accounting *a, place dump) {
    open_session(&a->s, dump, NULL);
    take_account(a, 0);
}

static inline void close_account(accounting *a) {
    eti__account_free(&a->account);
    close_session(&a->s);
}

#endif
