/*
 * fuzz_delegate.c - the input is a payload of Core ML or Vela, or an event that a delegate logged. Whatever is read lies in
 * the payload; each event has a known role, unit and level, with its name as label or a part of that.
 *
 *     "c" DESCRIPTION NUL FILES   a payload of Core ML, which ends with the description reversed
 *     "v" PAYLOAD                 a payload of Vela
 *     "e" FLAGS NAME NUL METADATA an event: bit 0, it has an identifier; bit 1, which is an integer
 */
#include "backends/backends.h"

#include "fuzz.h"

static void read_coreml(const char *data, size_t size, eti_arena *arena) {
    const char *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    size_t n = nul ? (size_t)(nul - data) : size, n_files = nul ? size - n - 1 : 0;
    char *bytes = malloc(n + n_files + 1);
    eti_error err = ETI_ERROR_INIT;
    eti_coreml payload;
    FUZZ_EXPECT(bytes);
    if (n_files > 0)
        memcpy(bytes, nul + 1, n_files);
    for (size_t i = 0; i < n; i++)
        bytes[n_files + i] = data[n - 1 - i];
    eti_status status = eti__coreml_read(&payload, arena, (eti_text){bytes, n_files + n}, &err);
    free(bytes);
    if (status != ETI_OK) {
        fuzz_expect_error(status, &err);
        return;
    }
    FUZZ_EXPECT(payload.n_operators <= payload.n_symbols);
    for (size_t i = 0; i < payload.n_symbols; i++) {
        const eti_coreml_symbol *symbol = &payload.symbols[i];
        fuzz_touch(symbol->name);
        fuzz_touch_bytes(symbol->handles, symbol->n_handles * sizeof *symbol->handles);
        FUZZ_EXPECT(eti__coreml_find(&payload, symbol->name) == symbol);
    }
}

static void read_vela(const char *data, size_t size) {
    eti_error err = ETI_ERROR_INIT;
    eti_vela vela;
    eti_status status = eti__vela_read(&vela, (eti_text){data, size}, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    else
        FUZZ_EXPECT(vela.command_bytes <= size && vela.weight_bytes <= size);
}

static void expect_event(const eti_delegate_event *event, const eti_logged_event *logged) {
    FUZZ_EXPECT(event->role <= ETI_DELEGATE_LOAD && event->unit < ETI_N_UNITS);
    FUZZ_EXPECT(event->clock <= ETI_CLOCK_NONE && event->level <= ETI_MOST_LEVELS);
    fuzz_touch(eti__delegate_unit_name(event->unit));
    fuzz_touch(event->label);
    fuzz_touch(event->kernel);
    fuzz_touch(event->compute_unit);
    fuzz_touch(event->node);
    fuzz_touch(event->op);
    for (uint32_t i = 0; i < event->n_supported_units; i++)
        fuzz_touch(event->supported_units[i]);
    for (uint32_t i = 0; i < event->n_tensors; i++)
        fuzz_touch(event->tensors[i].dtype);
    if (event->is_total)
        FUZZ_EXPECT(event->role == ETI_DELEGATE_COUNTER);
    if (logged->name.data)
        FUZZ_EXPECT(event->label.data);
}

static void read_event(const char *data, size_t size, eti_arena *arena) {
    if (size == 0)
        return;
    const char *nul = memchr(data + 1, '\0', size - 1);
    size_t n = nul ? (size_t)(nul - data) - 1 : size - 1;
    const eti_logged_event logged = {
        .name = {data + 1, n},
        .metadata = nul ? (eti_text){nul + 1, size - n - 2} : (eti_text){NULL, 0},
        .has_id = (data[0] & 1) != 0,
        .has_int_id = (data[0] & 3) == 3,
    };
    FUZZ_EXPECT(eti__backend_of_event(&logged) < ETI_N_BACKENDS);
    for (int backend = 0; backend < ETI_N_BACKENDS; backend++) {
        eti_delegate_event event;
        FUZZ_EXPECT(eti__delegate_event_read(&event, (eti_backend)backend, &logged, arena));
        expect_event(&event, &logged);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_arena arena = {0};
    const char *rest = (const char *)data + 1;
    if (size > 0 && data[0] == 'c')
        read_coreml(rest, size - 1, &arena);
    else if (size > 0 && data[0] == 'v')
        read_vela(rest, size - 1);
    else if (size > 0 && data[0] == 'e')
        read_event(rest, size - 1, &arena);
    eti__arena_free(&arena);
    return 0;
}
