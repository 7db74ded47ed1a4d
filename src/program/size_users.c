#include "program/size_users.h"

#include "base/array.h"
#include "base/sort.h"

#include <stdlib.h>

/* Limit for uses through lists, because a program may use a list of a million items a million times. */
#define MOST_LISTED ((size_t)1 << 20)

static bool add_use(eti_size_users *users, uint32_t row, eti_size_user user) {
    if (row == ETI_NO_ROW)
        return true;
    if (!ETI_GROW(users->uses, users->capacity, users->n_uses + 1))
        return false;
    users->uses[users->n_uses++] = (eti_size_use){row, user};
    return true;
}

/* Adds the uses of an argument; for a list, those of its items. */
static bool add_argument(eti_size_users *users, const eti_pte_plan *plan, const int32_t *argument,
                         const uint32_t *value_rows, eti_size_user user) {
    eti_pte_indices items = eti__value_items(plan, argument);
    if (items.items != argument) {
        if (items.n > MOST_LISTED - users->n_listed)
            return true;
        users->n_listed += items.n;
    }
    for (uint32_t i = 0; i < items.n; i++) {
        if (items.items[i] >= 0 && !add_use(users, value_rows[items.items[i]], user))
            return false;
    }
    return true;
}

static bool add_names(eti_size_users *users, const eti_row_list *names, eti_size_user user) {
    if (names->n > MOST_LISTED - users->n_listed)
        return true;
    users->n_listed += names->n;
    for (uint32_t i = 0; i < names->n; i++) {
        if (!add_use(users, names->rows[i], user))
            return false;
    }
    return true;
}

eti_status eti__size_users_add(eti_size_users *users, eti_arena *scratch, const eti_pte_plan *plan,
                               uint32_t number, const uint32_t *value_rows,
                               const uint32_t *delegate_rows, const eti_row_list *delegate_names,
                               eti_error *err) {
    eti_calls calls;
    ETI_TRY(eti__calls_make(&calls, scratch, plan, err));
    for (uint32_t k = 0; k < calls.n; k++) {
        const eti_pte_instruction *call = calls.items[k];
        eti_size_user user = {number, k};
        bool has_room = call->kind != ETI_PTE_DELEGATE_CALL ||
                        (add_use(users, delegate_rows[call->index], user) &&
                         add_names(users, &delegate_names[call->index], user));
        for (uint32_t i = 0; i < call->args.n && has_room; i++)
            has_room = add_argument(users, plan, &call->args.items[i], value_rows, user);
        if (!has_room)
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

static int compare_uses(const void *a, const void *b, void *context) {
    const eti_size_use *left = a, *right = b;
    (void)context;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->user.plan != right->user.plan)
        return left->user.plan < right->user.plan ? -1 : 1;
    return (left->user.instruction > right->user.instruction) -
           (left->user.instruction < right->user.instruction);
}

void eti__size_users_sort(eti_size_users *users) {
    size_t n = 0;
    eti__sort(users->uses, users->n_uses, sizeof *users->uses, compare_uses, NULL);
    for (size_t i = 0; i < users->n_uses; i++) {
        if (n == 0 || compare_uses(&users->uses[n - 1], &users->uses[i], NULL) != 0)
            users->uses[n++] = users->uses[i];
    }
    users->n_uses = n;
}

void eti__size_users_free(eti_size_users *users) {
    free(users->uses);
    *users = (eti_size_users){0};
}
