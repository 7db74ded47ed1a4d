#include "timeline/lanes.h"

#define NO_SLICE UINT32_MAX
/* Number of lanes that are searched for room; only crafted files have more overlaps at once. */
#define MOST_SEARCHED 64

void eti__lanes_begin(eti_lanes *lanes, uint64_t run, uint64_t start) {
    lanes->run = run;
    if (lanes->next < MOST_SEARCHED || start >= lanes->latest)
        lanes->next = MOST_SEARCHED;
}

static bool is_of_run(const eti_slice *slice) {
    return slice->event == ETI_NO_EVENT;
}

/* Returns whether neither `slice` nor any later slice can be inside `open`. As in account/calls.h, a slice of length zero
 * is inside the outermost slice that ends there, unless that is the run; a slice of length zero contains no other. */
static bool is_past(const eti_slice *slices, const uint32_t *outer, uint32_t open,
                    const eti_slice *slice) {
    const eti_slice *of = &slices[open];
    if (of->end != slice->start)
        return of->end < slice->start;
    if (of->start == of->end)
        return true;
    bool is_outermost = outer[open] == NO_SLICE || is_of_run(&slices[outer[open]]);
    return slice->end > slice->start || !(is_outermost || is_of_run(of));
}

/* Returns whether the slice fits on the lane; closes slices that ended before it. */
static bool fits(eti_lane *lane, uint64_t run, const eti_slice *slices, const uint32_t *outer,
                 uint32_t number) {
    const eti_slice *slice = &slices[number];
    if (lane->run != run)
        lane->top = NO_SLICE;
    lane->run = run;
    while (lane->top != NO_SLICE && is_past(slices, outer, lane->top, slice))
        lane->top = outer[lane->top];
    if (lane->top == NO_SLICE)
        return lane->busy <= slice->start;
    return slice->end <= slices[lane->top].end;
}

/* Makes all lanes up to this one. */
static bool make_lane(eti_lanes *lanes, uint32_t lane) {
    if (!ETI_GROW(lanes->lanes, lanes->capacity, (size_t)lane + 1))
        return false;
    for (; lanes->n <= lane; lanes->n++)
        lanes->lanes[lanes->n] =
            (eti_lane){.track = UINT32_MAX, .top = NO_SLICE, .run = lanes->run};
    return true;
}

static uint32_t find_lane(eti_lanes *lanes, const eti_slice *slices, const uint32_t *outer,
                          uint32_t number, uint32_t wanted) {
    if (wanted < lanes->n && fits(&lanes->lanes[wanted], lanes->run, slices, outer, number))
        return wanted;
    uint32_t i = 0;
    for (; i < lanes->n && i < MOST_SEARCHED; i++) {
        if (fits(&lanes->lanes[i], lanes->run, slices, outer, number))
            return i;
    }
    i = i < MOST_SEARCHED ? i : lanes->next++;
    if (!make_lane(lanes, i))
        return ETI_NO_LANE;
    lanes->lanes[i].top = NO_SLICE; /* a slice of an earlier run may still be open */
    lanes->lanes[i].run = lanes->run;
    return i;
}

uint32_t eti__lanes_put(eti_lanes *lanes, eti_slice *slices, uint32_t *outer, uint32_t number,
                        uint32_t wanted) {
    uint32_t at = find_lane(lanes, slices, outer, number, wanted);
    if (at == ETI_NO_LANE)
        return at;
    eti_lane *lane = &lanes->lanes[at];
    eti_slice *slice = &slices[number];
    outer[number] = lane->top;
    slice->depth = lane->top == NO_SLICE ? 0 : slices[lane->top].depth + 1;
    lane->top = number;
    lane->busy = slice->end > lane->busy ? slice->end : lane->busy;
    if (at >= MOST_SEARCHED && slice->end > lanes->latest)
        lanes->latest = slice->end;
    return at;
}
