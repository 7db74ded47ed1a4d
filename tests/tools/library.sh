#!/bin/sh
# library.sh BUILD - uses libetinspect and libetcapture as other programs do: headers, symbols, linking, installing.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

n_passed=0
n_failed=0
n_skipped=0

# check NAME COMMAND...: passes if the command succeeds; otherwise shows its output.
check() {
    name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $name"
        sed 's/^/    /' "$work/output"
    fi
}

skip() {
    echo "skipped: $1"
    n_skipped=$((n_skipped + 1))
}

# Compilers with the options of BUILD, which a sanitized library needs.
compile() {
    # shellcheck disable=SC2086
    ${CC:-cc} ${CFLAGS-} ${LDFLAGS-} "$@"
}

compile_cxx() {
    # shellcheck disable=SC2086
    ${CXX:-c++} ${CFLAGS-} ${LDFLAGS-} "$@"
}

# ---- the header ----------------------------------------------------------------------------------

echo '#include "etinspect.h"' >header.c
check 'etinspect.h is all that a C11 program needs' \
    compile -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$top/src/include" -c header.c -o header.o
if command -v "${CXX:-c++}" >/dev/null; then
    cp header.c header.cc
    check 'etinspect.h compiles as C++' \
        compile_cxx -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$top/src/include" -c header.cc -o header_cc.o
else
    skip 'etinspect.h compiles as C++: there is no C++ compiler'
fi

# ---- symbols -------------------------------------------------------------------------------------

# Sanitizers add their own names, all of which start with an underscore.
exported() {
    nm -D --defined-only "$build/libetinspect.so" | awk '$2 ~ /[TDBRVWi]/ { print $3 }' | sed 's/@.*//' | grep -v '^_' | sort
}

declared() {
    tr '\n' ' ' <"$top/src/include/etinspect.h" | grep -o 'ETI_API [^;]*;' | grep -o 'eti_[a-z0-9_]*(' | tr -d '(' | sort -u
}

exported >has
declared >wants
check 'some symbols are exported' test -s has
check 'exported symbols start with eti_' sh -c '! grep -v "^eti_" has'
check 'exported symbols are those that etinspect.h declares' diff wants has
check 'the soname is libetinspect.so.1' \
    sh -c "readelf -d '$build/libetinspect.so' | grep -F 'SONAME' | grep -F '[libetinspect.so.1]'"
check 'libetinspect.so.1 is there under this name' test -e "$build/libetinspect.so.1"

version=$(sed -n 's/^#define ETI_VERSION "\(.*\)"/\1/p' "$top/src/include/etinspect.h")
check 'the Makefile has the version of etinspect.h' grep -qx "VERSION := $version" "$top/Makefile"
check 'debian/changelog has it' sh -c "head -n 1 '$top/debian/changelog' | grep -F 'etinspect ($version-'"
check 'examples/ci use it' sh -c "! grep -h 'examples/ci@v' '$top'/examples/ci/*.yml | grep -v -F '@v$version'"

# ---- libetcapture --------------------------------------------------------------------------------

# Uses the capture, or nothing of it with ETC_DISABLED.
cat >recorder.c <<'END'
#include <etcapture.h>
#include <stdio.h>

static uint64_t count(void *context) { return ++*(uint64_t *)context; }

int main(void) {
    static char memory[2048], file[2048];
    uint64_t ticks = 0;
    size_t size = 0;
    etc_config config = ETC_CONFIG_INIT;
    config.clock = count;
    config.clock_context = &ticks;
    etc_capture *capture = etc_init(memory, sizeof memory, &config);
    etc_run(capture, "Execute");
    { ETC_SCOPE(capture, etc_intern(capture, "scope")); }
    etc_span span = etc_start_text(capture, "event");
    etc_end(capture, &span);
    etc_run_end(capture);
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(capture, &stats);
    etc_log_int(capture, ETC_OPERATOR, 1, 0);
    if (etc_save_memory(capture, NULL, file, sizeof file, &size) != ETC_OK)
        return 1;
    fwrite(file, 1, size, stdout);
    return stats.events == (capture ? 2 : 0) ? 0 : 1;
}
END
cp recorder.c recorder.cc
strict='-Wall -Wextra -Wpedantic -Werror'
# shellcheck disable=SC2086
check 'a program records with libetcapture.a' \
    compile -std=c11 $strict -I"$top/src/include" recorder.c "$build/libetcapture.a" -o recorder
check 'it runs' sh -c "${RUNNER-} ./recorder >recorder.etdp && '$build/etinspect' --etdump_path recorder.etdp | grep scope"
# shellcheck disable=SC2086
check 'it does nothing with ETC_DISABLED, and needs no library' \
    compile -std=c11 $strict -DETC_DISABLED -I"$top/src/include" recorder.c -o disabled
check 'that runs' sh -c "${RUNNER-} ./disabled >disabled.etdp && ! test -s disabled.etdp"
if command -v "${CXX:-c++}" >/dev/null; then
    # shellcheck disable=SC2086
    check 'a C++ program records with libetcapture.so' \
        compile_cxx -std=c++11 $strict -I"$top/src/include" recorder.cc -L"$build" -letcapture -o recorder_cxx
    check 'and writes the same' sh -c "LD_LIBRARY_PATH='$build' ${RUNNER-} ./recorder_cxx | cmp - recorder.etdp"
    # shellcheck disable=SC2086
    check 'it does nothing with ETC_DISABLED' \
        compile_cxx -std=c++11 $strict -DETC_DISABLED -I"$top/src/include" recorder.cc -o disabled_cxx
else
    skip 'libetcapture with C++: there is no C++ compiler'
fi

# The classes of etcapture.hpp, in each language and with each available compiler.
classes() {
    # shellcheck disable=SC2086
    CXX=$1 compile_cxx -std=c++$2 -fno-exceptions -fno-rtti $strict -Wconversion -Wshadow -I"$top/src/include" $3 \
        "$top/tests/tools/capture_classes.cc" "$build/libetcapture.a" -o classes && ${RUNNER-} ./classes classes.etdp classes.bin
}

compilers=${CXX:-g++ clang++}
case ${CFLAGS-} in *-fsanitize* | *--coverage*) compilers=${CXX:-c++} ;; esac # the compiler of the library
for compiler in $compilers; do
    if ! command -v "$compiler" >/dev/null; then
        skip "etcapture.hpp with $compiler: it is not there"
        continue
    fi
    for language in 11 17 20; do
        check "etcapture.hpp records the same as etcapture.h: $compiler, C++$language" classes "$compiler" $language ''
        check "etcapture.hpp does nothing with ETC_DISABLED: $compiler, C++$language" classes "$compiler" $language -DETC_DISABLED
    done
done

captured() {
    nm -D --defined-only "$build/libetcapture.so" | awk '$2 ~ /[TDBRVWi]/ { print $3 }' | sed 's/@.*//' | grep -v '^_' | sort
}

captured >captures
sed '/#else .* ETC_DISABLED/q; /^#/d' "$top/src/include/etcapture.h" | tr '\n' ' ' | grep -o 'ETC_API [^;]*;' | grep -o 'etc_[a-z0-9_]*(' |
    tr -d '(' | sort -u >declares
sed '1,/#else .* ETC_DISABLED/d' "$top/src/include/etcapture.h" | grep '^static inline' | grep -o 'etc_[a-z0-9_]*(' | tr -d '(' | sort -u >disables
check 'symbols of libetcapture are those that etcapture.h declares' diff declares captures
# Inline functions that programs call belong to them, too.
sed '/#else .* ETC_DISABLED/q' "$top/src/include/etcapture.h" | grep '^static inline' | grep -o 'etc_[a-z0-9_]*(' | tr -d '(' |
    grep -v -e '^etc_inline_' -e '^etc_scope_end' | sort -u - declares >offers
check 'each of them is there with ETC_DISABLED' diff offers disables

# The core builds for processors without libc, and needs only three of its functions. Divisions by numbers that are known
# late are the compiler's.
needs_little() {
    rm -rf core
    mkdir core
    for source in "$top"/src/capture/*.c; do
        case ${source##*/} in hosted*.c | journal*.c | nrt*.c) continue ;; esac
        ${CC:-cc} "$@" -std=c17 -Os -ffreestanding -fno-pic -fno-stack-protector -U_FORTIFY_SOURCE -Werror -I"$top/src" -I"$top/src/include" \
            -c "$source" -o "core/$(basename "$source" .c).o" || return
    done
    nm -u core/*.o | awk '$1 == "U" { print $2 }' | grep -v '^etc_' |
        grep -v -x -e memcpy -e memset -e memcmp -e '__aeabi_.*' -e '__.*di3' -e '_GLOBAL_OFFSET_TABLE_' >core/needs
    nm core/*.o | grep ' [bBdDC] ' >core/data
    cat core/needs core/data
    [ ! -s core/needs ] && [ ! -s core/data ]
}

# Tests, on this processor, the code paths of builds for size and of processors with the other byte order.
writes_the_same() {
    # shellcheck disable=SC2086
    compile -std=c17 -D_GNU_SOURCE "$@" -I"$top/src" -I"$top/src/include" recorder.c "$top"/src/capture/*.c -o portable &&
        ${RUNNER-} ./portable >portable.etdp && cmp portable.etdp recorder.etdp
}

check 'a build for size writes the same' writes_the_same -Os
check 'a build that knows no order of bytes writes the same' writes_the_same -O2 -DETC_IS_LITTLE=0

check 'the core of libetcapture needs memcpy, memset and memcmp, and writes no data of its own' needs_little
for processor in armv6m armv7m; do
    if command -v clang >/dev/null; then
        CC=clang check "so it does on $processor" needs_little --target=$processor-none-eabi -mthumb
    else
        skip "the core of libetcapture on $processor: there is no clang"
    fi
done

# The core compiles for other byte orders and pointer sizes.
for target in riscv32-unknown-elf riscv64-unknown-elf aarch64-none-elf aarch64_be-none-elf; do
    if command -v clang >/dev/null; then
        small= # read-only data, which nm reports like other data
        case $target in riscv*) small=-msmall-data-limit=0 ;; esac
        # shellcheck disable=SC2086
        CC=clang check "so it does on $target" needs_little --target=$target $small
    else
        skip "the core of libetcapture on $target: there is no clang"
    fi
done

# ---- clocks --------------------------------------------------------------------------------------

clock_source=$top/tests/tools/clocks.c
clock_options="$strict -Wconversion -Wshadow -O2 -I$top/src/include -c"

# shellcheck disable=SC2086
check 'etcapture_clock.h compiles, and has the clock of POSIX' \
    compile -std=gnu11 $clock_options -DWANT_MONOTONIC "$clock_source" -o clocks.o
if command -v "${CXX:-c++}" >/dev/null; then
    cp "$clock_source" clocks.cc
    # shellcheck disable=SC2086
    check 'it compiles as C++' compile_cxx -std=c++11 $clock_options -DWANT_MONOTONIC clocks.cc -o clocks.o
else
    skip 'etcapture_clock.h as C++: there is no C++ compiler'
fi

# has_clocks COMPILER 'OPTIONS' CLOCK...
has_clocks() {
    compiler=$1
    options=$2
    shift 2
    if command -v "$compiler" >/dev/null; then
        # shellcheck disable=SC2046,SC2086
        check "$compiler $options has the clocks $*" \
            "$compiler" $options -ffreestanding -std=c11 $clock_options $(printf ' -DWANT_%s' "$@") "$clock_source" -o clocks.o
    else
        skip "clocks with $options: there is no $compiler"
    fi
}

has_clocks clang --target=x86_64-none-elf TSC
has_clocks clang --target=i386-none-elf TSC
has_clocks clang --target=aarch64-none-elf CNTVCT
has_clocks clang --target=aarch64_be-none-elf CNTVCT
has_clocks clang --target=riscv32-unknown-elf RDCYCLE
has_clocks clang --target=riscv64-unknown-elf RDCYCLE
has_clocks clang '--target=armv6m-none-eabi -mthumb' SYSTICK
has_clocks clang '--target=armv7m-none-eabi -mthumb' SYSTICK DWT
has_clocks clang '--target=thumbv8.1m.main-none-eabi -mthumb' SYSTICK DWT PMU
has_clocks arm-none-eabi-gcc '-mcpu=cortex-m0plus -mthumb' SYSTICK
has_clocks arm-none-eabi-gcc '-mcpu=cortex-m7 -mthumb' SYSTICK DWT
has_clocks arm-none-eabi-gcc '-mcpu=cortex-m55 -mthumb' SYSTICK DWT PMU

# ---- libnrt_profile_etcapture --------------------------------------------------------------------

nrt_calls=$top/tests/tools/nrt_calls.c
strictest="$strict -Wconversion -Wshadow -I$top/src/include"
mkdir nrt_static nrt_shared
# shellcheck disable=SC2086
check 'a C11 program makes every call of nrt_profile.h with libnrt_profile_etcapture.a' \
    compile -std=c11 $strictest "$nrt_calls" "$build/libnrt_profile_etcapture.a" -o nrt_static_user
# shellcheck disable=SC2086
check 'and each returns what it should' ${RUNNER-} ./nrt_static_user nrt_static
if command -v "${CXX:-c++}" >/dev/null; then
    cp "$nrt_calls" nrt_calls.cc
    # shellcheck disable=SC2086
    check 'so does a C++17 program with libnrt_profile_etcapture.so' \
        compile_cxx -std=c++17 $strictest nrt_calls.cc -L"$build" -lnrt_profile_etcapture -letcapture -o nrt_shared_user
    check 'and each returns the same' sh -c "LD_LIBRARY_PATH='$build' ${RUNNER-} ./nrt_shared_user nrt_shared"
else
    skip 'libnrt_profile_etcapture with C++: there is no C++ compiler'
fi
check 'etinspect reads the profiles' sh -c "'$build/etinspect' --etdump_path nrt_static/model.etdp | grep native_call_conv"
cat >nrt_profiler.c <<'END'
#include <nrt/nrt_profile.h>

int main(void) { return nrt_inspect_begin() || nrt_inspect_stop(); }
END
# shellcheck disable=SC2086
check 'code written to nrt_profile.h needs -lnrt_profile_etcapture alone' \
    compile -std=c11 $strictest nrt_profiler.c -L"$build" -lnrt_profile_etcapture -o nrt_profiler
check 'and runs' sh -c "cd nrt_static && LD_LIBRARY_PATH='$build' ${RUNNER-} ../nrt_profiler && ls output/session_1_pid_*/system.etdp"

# shellcheck disable=SC2086
check 'the example of examples/nrt compiles' \
    compile -std=c11 $strictest "$top/examples/nrt/nrt_example.c" "$build/libnrt_profile_etcapture.a" -lm -o nrt_example
# shellcheck disable=SC2086
check 'and runs' ${RUNNER-} ./nrt_example nrt_profiles
check 'etinspect shows its operators' sh -c "'$build/etinspect' summary nrt_profiles/mlp.etdp | grep 'native_call_linear .* 2 '"
check 'and the calls of its runtime' \
    sh -c "'$build/etinspect' --etdump_path nrt_profiles/session_1_pid_*/system.etdp --csv_path - | grep -c ',nrt_load,' | grep -x 2"

nm -D --defined-only "$build/libnrt_profile_etcapture.so" | awk '$2 ~ /[TDBRVWi]/ { print $3 }' | sed 's/@.*//' | grep -v '^_' | sort >nrt_has
cat "$top"/src/include/nrt/*.h "$top/src/include/etcapture_nrt.h" | sed '/^#/d' | tr '\n' ' ' | grep -o 'NRT_API [^;]*;' |
    grep -o '[a-z]*_[a-z0-9_]*(' | tr -d '(' | sort -u >nrt_wants
check 'symbols of libnrt_profile_etcapture are those that its headers declare' diff nrt_wants nrt_has
check 'they start with nrt_ or etc_nrt_' sh -c 'test -s nrt_has && ! grep -v -e "^nrt_" -e "^etc_nrt_" nrt_has'
check 'it shares the code of libetcapture' \
    sh -c "readelf -d '$build/libnrt_profile_etcapture.so' | grep -F 'NEEDED' | grep -F '[libetcapture.so.0]'"
check 'its soname is libnrt_profile_etcapture.so.0' \
    sh -c "readelf -d '$build/libnrt_profile_etcapture.so' | grep -F 'SONAME' | grep -F '[libnrt_profile_etcapture.so.0]'"
for header in nrt/nrt_profile.h nrt/nrt_status.h nrt/nrt_sys_trace.h etcapture_nrt.h; do
    echo "#include \"$header\"" >header.c
    # shellcheck disable=SC2086
    check "$header is all that a C11 program needs" compile -std=c11 $strictest -c header.c -o header.o
done

# ---- linking -------------------------------------------------------------------------------------

# Prints the version and the number of events.
cat >user.c <<'END'
#include <etinspect.h>
#include <stdio.h>

int main(int argc, char **argv) {
    eti_request *request;
    eti_inspector *inspector;
    eti_error err;
    if (eti_request_new(&request, &err) != ETI_OK ||
        eti_request_set(request, "etdump_path", argv[argc - 1], &err) != ETI_OK ||
        eti_inspector_open(&inspector, request, &err) != ETI_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const eti_event_block *block = eti_inspector_block(inspector, 0);
    printf("%s: %zu\n", eti_version(), eti_event_block_event_count(block));
    eti_inspector_close(inspector);
    eti_request_free(request);
    return 0;
}
END
echo "$version: 2" >expected

# check_user NAME PROGRAM [LIBRARY_PATH]
check_user() {
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=${3-} ${RUNNER-} "./$2" "$top/testdata/mlp/run.etdp" >found 2>errors
    check "$1" sh -c 'cat errors; diff expected found'
}

private=$(sed -n 's/^Libs.private: //p' "$build/etinspect.pc")
# shellcheck disable=SC2046,SC2086
check 'a program links with libetinspect.a' \
    compile -I"$top/src/include" user.c "$build/libetinspect.a" "$build/libetcapture.a" $(pkg-config --libs zlib) $private -o static_user
check_user 'a program with libetinspect.a runs' static_user
case "${CFLAGS-} ${RUNNER-}" in
*-fsanitize* | *valgrind*)
    skip 'a program without shared libraries: this build needs some'
    ;;
*)
    # shellcheck disable=SC2046,SC2086
    check 'a program links without shared libraries' \
        compile -static -I"$top/src/include" user.c "$build/libetinspect.a" "$build/libetcapture.a" $(pkg-config --libs zlib) $private -o alone_user
    check_user 'a program without shared libraries runs' alone_user
    ;;
esac
check 'a program links with libetinspect.so' compile -I"$top/src/include" user.c -L"$build" -letinspect -o shared_user
check_user 'a program with libetinspect.so runs' shared_user "$build"

# ---- the manual ----------------------------------------------------------------------------------

# Writes the programs in a page's examples as PAGE_1.c and so on.
take_examples() {
    awk -v name="$1" '/^\.Sh EXAMPLES/ { is_examples = 1 }
        is_examples && /^\.Bd -literal/ { out = name "_" ++n ".c"; next }
        /^\.Ed/ { out = "" }
        out != "" { gsub(/\\e/, "\\"); sub(/^\\&/, ""); print >out }' "$top/man/$1.3"
}

take_examples libetcapture
take_examples libetinspect
cat >firmware.c <<'END'
#include "libetcapture_2.c"
#include <stdio.h>

static uint64_t ticks;

static uint64_t count(void *context) {
    (void)context;
    return ++ticks;
}

static void print(void *context, char character) {
    (void)context;
    putchar(character);
}

int main(void) {
    profile(count, print);
    return 0;
}
END
for example in libetcapture_1 firmware libetcapture_3 libetcapture_4 libetcapture_5; do
    # shellcheck disable=SC2086
    check "an example of libetcapture(3) compiles: $example" \
        compile -std=c11 -D_GNU_SOURCE $strict -I"$top/src/include" $example.c "$build/libetcapture.a" -pthread -o $example
done
reads() {
    ${RUNNER-} "$build/etinspect" events "$1" --columns event_name -f csv | tr -d '\r' | grep -x conv
}
check 'the first records a file' sh -c "${RUNNER-} ./libetcapture_1"
check 'which etinspect reads' reads run.etdp
check 'the second prints a log' sh -c "${RUNNER-} ./firmware >firmware.log"
check 'which etinspect reads' reads firmware.log
check 'the third leaves a journal' sh -c "! ${RUNNER-} ./libetcapture_3"
check 'which etinspect reads' reads run.journal
check 'the fourth records values, a lane and a delegate' sh -c "${RUNNER-} ./libetcapture_4"
check 'which etinspect reads' reads values.etdp
values() {
    ${RUNNER-} "$build/etinspect" tensors values.etdp --debug_buffer_path values.bin -f csv >values.csv && [ "$(wc -l <values.csv)" = 4 ]
}
check 'with three tensors' values
check 'the fifth saves the last runs of a ring' sh -c "${RUNNER-} ./libetcapture_5"
check 'without what its filter leaves out' sh -c "${RUNNER-} '$build/etinspect' events latest.etdp -f csv >latest.csv && ! grep copy latest.csv && grep -q conv latest.csv"
# shellcheck disable=SC2046,SC2086
check 'the example of libetinspect(3) compiles' compile -std=c11 $strict -I"$top/src/include" libetinspect_1.c \
    "$build/libetinspect.a" "$build/libetcapture.a" $(pkg-config --libs zlib) $private -o libetinspect_1
prints_operators() {
    ${RUNNER-} ./libetinspect_1 "$top/testdata/mlp/run.etdp" "$top/testdata/mlp/record.etrecord" operators.json >operators || return
    cat operators
    grep -q '"aten.relu.default"' operators.json
    [ "$(sed -n '1s/^ *[0-9.]*  //p' operators)" = '(framework)' ] && [ "$(wc -l <operators)" = 5 ]
}
check 'it prints the most expensive operators' prints_operators

# ---- installing ----------------------------------------------------------------------------------

# Uses a copy of BUILD, because make may write there.
mkdir copy
(cd "$build" && cp -a ./etcapture.pc ./etinspect* ./libetinspect* ./libetcapture* ./nrt_profile_etcapture.pc ./libnrt_profile_etcapture* ./src ./dependencies "$work/copy")
quiet_make() {
    MAKEFLAGS='' make -s -C "$top" BUILD="$work/copy" DESTDIR="$work/root" PREFIX=/usr "$@"
}

mkdir root
find root >before
check 'make install' quiet_make install
check 'the installed program runs' sh -c "${RUNNER-} root/usr/bin/etinspect --version"
installs_manual() {
    for page in "$top"/man/*.[1-9]; do
        name=${page##*/}
        cmp "$page" "root/usr/share/man/man${name##*.}/$name" || return
    done
}

check 'all pages of the manual are installed' installs_manual
check 'the headers and the completions are installed' ls root/usr/include/etinspect.h \
    root/usr/include/etcapture.h root/usr/include/etcapture.hpp root/usr/include/etcapture_executorch.hpp \
    root/usr/share/bash-completion/completions/etinspect root/usr/share/zsh/site-functions/_etinspect \
    root/usr/share/fish/vendor_completions.d/etinspect.fish

installed_flags() {
    PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root \
        PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config "$@" etinspect
}

check 'the installed .pc has the prefix' sh -c 'grep -x prefix=/usr root/usr/lib/pkgconfig/etinspect.pc'
check 'the installed .pc has the version' sh -c "grep -x 'Version: $version' root/usr/lib/pkgconfig/etinspect.pc"
# shellcheck disable=SC2046
check 'a program links with what pkg-config says' \
    compile user.c $(installed_flags --cflags --libs) -o installed_user
check_user 'a program linked that way runs' installed_user "$work/root/usr/lib"
# shellcheck disable=SC2046
check 'a program links with what pkg-config says of etcapture' compile recorder.c \
    $(PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs etcapture) -o installed_recorder
check 'and runs' sh -c "LD_LIBRARY_PATH=root/usr/lib ${RUNNER-} ./installed_recorder | cmp - recorder.etdp"
# shellcheck disable=SC2046
check 'a program links with what pkg-config says of nrt_profile_etcapture' compile nrt_profiler.c \
    $(PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs nrt_profile_etcapture) -o installed_profiler
check 'and runs' sh -c "cd nrt_shared && LD_LIBRARY_PATH=../root/usr/lib ${RUNNER-} ../installed_profiler"
# shellcheck disable=SC2046
check 'so does an engine, which records with etcapture.h' compile "$top/examples/nrt/nrt_example.c" -lm \
    $(PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs nrt_profile_etcapture) -o installed_engine
mkdir hidden
mv root/usr/lib/libetinspect.so root/usr/lib/libetcapture.so hidden
# shellcheck disable=SC2046
check 'a program links statically with what pkg-config says' \
    compile user.c $(installed_flags --static --cflags --libs) -o installed_static_user
check_user 'a program linked that way runs' installed_static_user
mv hidden/* root/usr/lib
check 'make uninstall' quiet_make uninstall
check 'make uninstall leaves no file' sh -c '! find root ! -type d | grep .'

echo "library: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
