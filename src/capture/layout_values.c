/*
 * layout_values.c - debug values in an ETDump, and the offsets of the contents of tensors.
 */
#include "capture/layout.h"

static void put_u64(saving *s, uint64_t value) {
    uint32_t words[] = {(uint32_t)value, (uint32_t)(value >> 32)};
    etc__put_words(&s->w, words, 2);
}

/* Returns the size of a vector of 8-byte elements that starts 4 bytes before a multiple of 8 and
 * whose first element is at a multiple of 8. */
static uint32_t longs_size(uint32_t rank) {
    return 8 + (uint32_t)8 * rank;
}

static uint32_t tensor_size(const etc_tensor_record *tensor) {
    return ETC_TENSOR_SIZE + 2 * longs_size(tensor->rank);
}

static void put_longs(saving *s, const int64_t *numbers, uint32_t n) {
    uint32_t words[] = {0, n};
    etc__put_words(&s->w, words, 2);
    for (uint32_t i = 0; i < n; i++)
        put_u64(s, (uint64_t)numbers[i]);
}

/* Returns the offset of a tensor's contents in the output of etc_save_debug(), or in the sink if
 * they were written to one; -1: it has none. */
static uint64_t place_contents(saving *s, const etc_tensor_record *tensor) {
    if (tensor->offset < 0 || s->c->debug_sink.write)
        return (uint64_t)tensor->offset;
    uint64_t gap = -s->debug_end & (ETC_CONTENTS_ALIGNMENT - 1);
    uint64_t offset = s->debug_end + gap;
    s->debug_end = offset + etc__tensor_bytes(tensor);
    return offset;
}

static void put_tensor(saving *s, const etc_tensor_record *tensor) {
    uint64_t offset = place_contents(s, tensor);
    unsigned fields = etc__bit(tensor->scalar_type != 0, 0) | etc__bit(offset != 0, 1);
    const int64_t *sizes = etc__tensor_sizes(tensor);
    uint32_t words[] = {
        etc__table(s, ETC_SHAPE_TENSOR + fields, 0),
        ETC_TENSOR_SIZE, /* sizes, after 4 bytes */
        ETC_TENSOR_SIZE - 4 + longs_size(tensor->rank),
        (uint32_t)tensor->scalar_type,
        (uint32_t)offset,
        (uint32_t)(offset >> 32),
    };
    etc__put_words(&s->w, words, 6);
    put_longs(s, sizes, tensor->rank);
    put_longs(s, sizes + tensor->rank, tensor->rank);
}

static void put_tensors(saving *s, const etc_value_record *value) {
    const etc_tensor_record *first = (const etc_tensor_record *)(const void *)(value + 1);
    const etc_tensor_record *tensor = first;
    uint32_t n = (uint32_t)value->bits;
    uint32_t words[] = {etc__table(s, ETC_SHAPE_LIST, 0), 4, n};
    etc__put_words(&s->w, words, 3);
    uint32_t target = etc__round_up(s->w.position + 4 * n, 8);
    for (uint32_t i = 0; i < n; i++, tensor = etc__next_tensor(tensor)) {
        etc__put_u32(&s->w, target - s->w.position);
        target += tensor_size(tensor);
    }
    etc__pad(&s->w);
    tensor = first;
    for (uint32_t i = 0; i < n; i++, tensor = etc__next_tensor(tensor))
        put_tensor(s, tensor);
}

static void put_bool(saving *s, bool value) {
    uint32_t words[] = {etc__table(s, ETC_SHAPE_BOOL + value, 0), value};
    etc__put_words(&s->w, words, 2);
}

static void put_number(saving *s, uint64_t bits) {
    uint32_t words[] = {etc__table(s, ETC_SHAPE_NUMBER + (bits != 0), 0), 0};
    etc__put_words(&s->w, words, 2);
    put_u64(s, bits);
}

/* Writes the tables before the member. Apart from the rest, whose callees would have its words on the stack. */
ETC_APART void put_entry(saving *s, const etc_value_record *value, etc_member member) {
    etc_key_kind key = value->name ? ETC_KEY_NAME : value->id != -1 ? ETC_KEY_ID : ETC_KEY_NONE;
    unsigned fields = etc__bit(value->chain != 0, 0) | etc__bit(value->handle != UINT32_MAX, 1) |
                      4 * (unsigned)key;
    uint32_t words[] = {
        etc__table(s, ETC_SHAPE_EVENT + 2, 0),
        4,
        etc__table(s, ETC_SHAPE_DEBUG + fields, 8),
        value->handle,
        (uint32_t)value->chain,
        value->chain < 0 ? UINT32_MAX : 0,
        8, /* the value */
        key == ETC_KEY_NAME ? etc__name_offset(s, value->name, 28) : (uint32_t)value->id,
        etc__table(s, ETC_SHAPE_VALUE + 2 * (unsigned)member + value->is_output, 32),
        value->type,
        8 + (uint32_t)ETC_POINTER_SIZE * value->is_output, /* the member */
        4,                                                 /* whether it is an output */
    };
    etc__put_words(&s->w, words, 12);
}

void etc__put_value(saving *s, const etc_value_record *value) {
    static const uint8_t members[] = {
        [ETC_VALUE_INT] = ETC_MEMBER_INT,       [ETC_VALUE_BOOL] = ETC_MEMBER_BOOL,
        [ETC_VALUE_DOUBLE] = ETC_MEMBER_DOUBLE, [ETC_VALUE_TENSOR] = ETC_MEMBER_TENSOR,
        [ETC_VALUE_TENSORS] = ETC_MEMBER_LIST,
    };
    etc_member member = members[value->type];
    put_entry(s, value, member);
    if (value->is_output)
        put_bool(s, true);
    if (member == ETC_MEMBER_BOOL)
        put_bool(s, value->bits != 0);
    else if (member == ETC_MEMBER_TENSOR)
        put_tensor(s, (const etc_tensor_record *)(const void *)(value + 1));
    else if (member == ETC_MEMBER_LIST)
        put_tensors(s, value);
    else
        put_number(s, value->bits);
}
