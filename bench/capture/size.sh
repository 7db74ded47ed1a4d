#!/bin/sh
# size.sh - prints the size of libetcapture's core on small processors: all of it, and the part linked into a program that
# records and prints. Needs arm-none-eabi-gcc.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if ! command -v arm-none-eabi-gcc >/dev/null; then
    echo "code size: not measured, there is no arm-none-eabi-gcc"
    exit 0
fi

cat >"$work/program.c" <<'END'
#include <etcapture.h>

static uint64_t read_counter(void *context) {
    return *(volatile uint32_t *)context;
}

static void put(void *context, char character) {
    *(volatile char *)context = character;
}

void _start(void) {
    static uint8_t memory[8192];
    etc_config config = ETC_CONFIG_INIT;
    config.clock = read_counter;
    config.clock_context = (void *)0xe000e018;
    etc_capture *c = etc_init_with(memory, sizeof memory, &config, 0);
    etc_name name = etc_intern(c, "layer");
    etc_run(c, "Execute");
    etc_span span = etc_start(c, name);
    etc_end(c, &span);
    etc_run_end(c);
    etc_print(c, NULL, put, (void *)0x40004000);
    for (;;)
        continue;
}
END

# text OBJECT...: prints the bytes of code and of read-only data.
text() {
    arm-none-eabi-size "$@" | awk 'NR > 1 { sum += $1 } END { print sum }'
}

for processor in cortex-m0plus cortex-m3 cortex-m4 cortex-m7 cortex-m55; do
    for source in "$work/program.c" "$top"/src/capture/*.c; do
        case ${source##*/} in hosted*.c | journal*.c) continue ;; esac
        arm-none-eabi-gcc -std=c17 -Os -mcpu=$processor -mthumb -ffreestanding -ffunction-sections -fdata-sections \
            -I"$top/src" -I"$top/src/include" -c "$source" -o "$work/$(basename "$source" .c).o"
    done
    arm-none-eabi-gcc -mcpu=$processor -mthumb -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections \
        -Wl,-Map="$work/map" "$work"/*.o -o "$work/program" 2>/dev/null
    program=$(text "$work/program.o")
    rm "$work/program.o"
    # Adds up the parts of these objects and of the compiler's library that the linker kept; in the map they follow the
    # discarded ones.
    kept=$(sed '1,/^Linker script and memory map/d' "$work/map" | awk -v folder="$work/" '
        { line = NF == 1 && $1 ~ /^\.(text|rodata)/ ? $1 : line " " $0; n = split(line, field, " "); line = NF == 1 ? line : "" }
        n == 4 && field[1] ~ /^\.(text|rodata)/ && (index(field[4], folder) == 1 || field[4] ~ /libgcc\.a/) && field[2] !~ /^0x0+$/ { print field[3] }' |
        while read -r size; do echo $((size)); done | awk '{ sum += $1 } END { print sum }')
    echo "code size on $processor: $(text "$work"/*.o) bytes, $((kept - program)) in a program that records and prints (goal 8192)"
done
