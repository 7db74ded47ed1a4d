#!/bin/sh
# run.sh BUILD - builds examples/tiny_cnn on this machine: its answers and the values of all layers equal those of
# reference.py, and summary, gate and the table accept its profile. examples/numerics/gaps.c prints the library's facts
# about recorded tensors.
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
example=$top/examples/tiny_cnn
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

etinspect() {
    # shellcheck disable=SC2086
    ${RUNNER-} "$build/etinspect" "$@"
}

# exits STATUS COMMAND...
exits() {
    wanted=$1
    shift
    "$@"
    found=$?
    echo "exit status $found instead of $wanted"
    [ $found = "$wanted" ]
}

build_example() {
    MAKEFLAGS='' make -s -C "$example" BUILD="$work" CC="${CC:-cc}" WERROR=-Werror \
        ETCAPTURE_FLAGS="-I$top/src/include $build/libetcapture.a"
}

# ---- results ----------------------------------------------------------------------------

check 'the example builds' build_example
check 'it runs' sh -c './tiny_cnn run.etdp >answers'
check 'it runs and keeps what layers made' sh -c './tiny_cnn values.etdp values.bin >values'
if command -v python3 >/dev/null; then
    reference() { python3 "$example/reference.py" values.bin >expected; }
    check 'every layer makes what reference.py computes' reference
    check 'and so are the answers' sh -c 'head -n 20 answers | diff expected -'
else
    echo 'skipped: reference.py: python3 is not installed'
    n_skipped=$((n_skipped + 1))
fi
check 'all digits are recognised' grep -x '200 of 200 right' answers
check 'a layer that is slower makes the same' sh -c './tiny_cnn_slow slow.etdp slow.bin | diff values - && cmp values.bin slow.bin'
check 'without a file it says how to use it' exits 2 ./tiny_cnn
check 'where it cannot write it says so' exits 1 ./tiny_cnn no/run.etdp

# ---- its profile -----------------------------------------------------------------------

# Prints the events of a run, in order, with the number of runs.
cat >events.expected <<'END'
Default,Program::load_method,1
Execute,native_call_conv_1,200
Execute,native_call_relu_1,200
Execute,native_call_depthwise_2,200
Execute,native_call_pointwise_2,200
Execute,native_call_relu_2,200
Execute,native_call_max_pool_2,200
Execute,native_call_dense_3,200
Execute,native_call_softmax_3,200
Execute,Method::execute,200
END
events() {
    etinspect --columns event_block_name,event_name,run_count --format csv "$1" >table.csv && sed 1d table.csv | tr -d '\r"' | diff events.expected -
}
check 'every layer is an event of every run' events run.etdp
summary() { etinspect summary run.etdp >summary.text && grep '^operators outside delegates .* 8$' summary.text; }
check 'the summary counts eight operators' summary
check 'the values of its layers are found' etinspect --debug_buffer_path values.bin values.etdp
head -c 70000 values.bin >cut.bin
check 'or missed' exits 3 etinspect --debug_buffer_path cut.bin values.etdp

# In turns, because a busy machine may be slower for one side; as many files as ranks of six layers need.
for i in 1 2 3 4 5 6 7 8; do
    for side in base same; do ./tiny_cnn $side$i.etdp >/dev/null; done
    ./tiny_cnn_slow new$i.etdp >/dev/null
done
# gate SIDE: runs the gate against the base
gate() {
    side=$1
    set --
    for i in 1 2 3 4 5 6 7 8; do set -- "$@" --base base$i.etdp --new "$side$i.etdp"; done
    etinspect gate --in_turns --fail_on 'op:p50>+100%' --report "junit=$side.xml" "$@"
}
check 'the gate finds the slower layer' exits 1 gate new
check 'and names it' grep '<failure message="native_call_depthwise_2' new.xml
passes() { gate same; found=$?; [ $found = 0 ] || [ $found = 6 ]; }
check 'the gate does not blame the same program' passes

# ---- counters, streams -----------------------------------------------------------------

build_one() {
    # shellcheck disable=SC2086
    ${CC:-cc} ${CFLAGS-} ${LDFLAGS-} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -I"$top/src/include" \
        -o "$(basename "$1" .c)" "$1" "$build/libetcapture.a" -pthread
}
# Containers and virtual machines may have no counters: the program then says why.
counters() {
    if ${RUNNER-} ./perf_counters "$@" counted.etdp 2>message; then
        etinspect events counted.etdp --columns all -f csv | head -n 1 | grep "$column"
    else
        grep '^perf_event_open: ' message
    fi
}
check 'the example of counters builds' build_one "$top/examples/counters/perf_counters.c"
column=instructions
check 'counters of the processor are columns, or their absence has a reason' counters
column='page faults'
check 'and so are those of the kernel' counters --software
check 'the example of streams builds' build_one "$top/examples/stream/stream.c"
streams() {
    ${RUNNER-} ./stream 500 2>message | etinspect recover -o streamed.etdp - 2>recovered
    n_lost=$(sed -n 's/^stream: \([0-9]*\) of 500 runs lost$/\1/p' message)
    cat message recovered
    grep "recovered $((500 - n_lost)) runs with $((2 * (500 - n_lost))) events" recovered
}
check 'runs arrive through a pipe, or are counted' streams

# ---- programs for Neuron ---------------------------------------------------------------

# Statuses that the headers document for each call.
build_calls() {
    # shellcheck disable=SC2086
    set -- ${CFLAGS-} ${LDFLAGS-} -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -I"$top/src/include" -I"$example"
    for source in "$top/examples/nrt/cpu_engine.c" "$example/network.c" "$example/layers.c" "$example/weights.c"; do
        ${CC:-cc} "$@" -std=c11 -c "$source" || return
    done
    ${CC:-cc} "$@" -std=c11 -o calls_c "$top/tests/examples/nrt_calls.c" cpu_engine.o network.o layers.o weights.o \
        "$build/libnrt_profile_etcapture.a" -pthread || return
    ${CXX:-c++} "$@" -std=c++17 -o calls_cxx -x c++ "$top/tests/examples/nrt_calls.c" -x none cpu_engine.o network.o layers.o \
        weights.o "$build/libnrt_profile_etcapture.a" -pthread
}
calls() {
    mkdir "$1.profiles" && ${RUNNER-} "./$1" "$1.profiles" >"$1.table" && diff "$top/tests/examples/nrt_calls.exact" "$1.table"
}
executions() {
    etinspect --columns event_block_name,event_name,run_count --format csv "$1" | tr -d '\r"' |
        grep -x "tiny_cnn,native_call_conv_1,$2"
}
check 'a program with every call of Neuron builds as C and as C++' build_calls
check 'its calls return what the headers say' calls calls_c
check 'and so they do from C++' calls calls_cxx
check 'its executions are in a profile of one model' executions calls_c.profiles/one.etdp 5
check 'and in one that was saved on demand' executions calls_c.profiles/tiny_cnn_vnc0_0.etdp 1
alone() {
    # shellcheck disable=SC2086 # several flags
    ${CC:-cc} ${CFLAGS-} ${LDFLAGS-} -std=c11 -D_GNU_SOURCE -I"$top/src/include" -o alone "$top/tests/examples/nrt_calls.c" "$build/libnrt_profile_etcapture.a" -pthread &&
        ! ${RUNNER-} ./alone alone.profiles >alone.table 2>alone.message && grep -q 'etc_nrt_set_engine' alone.message
}
check 'a program without an engine says what is missing' alone

# ---- other build systems ---------------------------------------------------------------

# The pair of files replaces the library: the network makes the same, and its profile has the same events.
build_pair() {
    sh "$top/packaging/amalgamate.sh" "$top/src" pair &&
        MAKEFLAGS='' make -s -C "$example" BUILD="$work/with_pair" CC="${CC:-cc}" WERROR=-Werror \
            ETCAPTURE_FLAGS="-I$work/pair $work/pair/etcapture.c -pthread"
}
run_pair() {
    with_pair/tiny_cnn pair.etdp pair.bin | diff values - && cmp values.bin pair.bin && with_pair/tiny_cnn pair.etdp >/dev/null && events pair.etdp
}
# strict COMPILER FLAG...: compiles the pair without a warning.
strict() {
    for flags in -Os -O2 -DETC_DISABLED; do
        "$@" -std=c11 $flags -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -c pair/etcapture.c -o pair.o || return
    done
}
check 'one pair of files replaces the library' build_pair
check 'and records the same' run_pair
# shellcheck disable=SC2086
check 'it compiles without warnings' strict ${CC:-cc}
# shellcheck disable=SC2086
check 'it needs no system' strict ${CC:-cc} -ffreestanding
if command -v clang >/dev/null; then
    check 'clang has no warnings' strict clang
    check 'nor without a system' strict clang -ffreestanding
else
    echo 'skipped: the pair of files with clang: it is not installed'
    n_skipped=$((n_skipped + 1))
fi

# The CMake files of build systems for boards list sources and folders that are right: a stub builds them for this machine.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(stub C)
set(CMAKE_C_STANDARD 11)
function(idf_component_register)
  cmake_parse_arguments(own "" "" "SRCS;INCLUDE_DIRS;PRIV_INCLUDE_DIRS" ${ARGN})
  add_library(esp_idf STATIC ${own_SRCS})
  target_compile_definitions(esp_idf PRIVATE _GNU_SOURCE)
  target_include_directories(esp_idf PUBLIC ${own_INCLUDE_DIRS} PRIVATE ${own_PRIV_INCLUDE_DIRS})
endfunction()
function(zephyr_include_directories)
  include_directories(${ARGN})
endfunction()
function(zephyr_library_named name)
  set(zephyr_name ${name} PARENT_SCOPE)
  file(WRITE ${CMAKE_BINARY_DIR}/empty.c "typedef int etc_nothing;\n")
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/empty.c)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
endfunction()
function(zephyr_library_include_directories)
  target_include_directories(etcapture PRIVATE ${ARGN})
endfunction()
function(zephyr_library_sources)
  target_sources(etcapture PRIVATE ${ARGN})
endfunction()
set(CONFIG_ETCAPTURE y)
add_subdirectory(${PACKAGING}/zephyr zephyr)
add_subdirectory(${PACKAGING}/esp-idf/etcapture esp-idf)
END
build_stub() {
    cmake -S . -B stub -DPACKAGING="$top/packaging" && cmake --build stub && nm stub/esp-idf/libesp_idf.a | grep -q ' T etc_print$' &&
        nm stub/zephyr/libetcapture.a | grep -q ' T etc_print$'
}
# CMake finds installed files in any folder.
find_packages() {
    mkdir found && cat >found/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(found C)
find_package(etcapture 0.1 REQUIRED)
find_package(etinspect REQUIRED)
add_executable(tiny_cnn ${EXAMPLE}/main.c ${EXAMPLE}/network.c ${EXAMPLE}/layers.c ${EXAMPLE}/digits.c ${EXAMPLE}/weights.c)
target_link_libraries(tiny_cnn etcapture::etcapture)
add_executable(gaps ${EXAMPLE}/../numerics/gaps.c)
target_link_libraries(gaps etinspect::etinspect)
END
    mkdir -p installed/lib/cmake installed/include && cp -R "$build/cmake/." installed/lib/cmake && cp "$top"/src/include/*.h installed/include &&
        cp -P "$build"/libetcapture.so* "$build"/libetinspect.so* installed/lib &&
        cmake -S found -B found/build -DEXAMPLE="$example" -DCMAKE_PREFIX_PATH="$work/installed" && cmake --build found/build &&
        found/build/tiny_cnn found.etdp >/dev/null && events found.etdp
}
if command -v cmake >/dev/null; then
    check 'modules of Zephyr and ESP-IDF build' build_stub
    check 'CMake finds what is installed' find_packages
else
    echo 'skipped: packages of CMake: cmake is not installed'
    n_skipped=$((n_skipped + 2))
fi
versions() {
    grep -q "\"version\": \"$1\"" "$top/packaging/platformio/library.json" && grep -q "^version: \"$1\"" "$top/packaging/esp-idf/etcapture/idf_component.yml"
}
check 'manifests have the version' versions "$(sed -n 's/^VERSION := //p' "$top/Makefile")"

# ---- tensors of the library --------------------------------------------------------------

build_gaps() {
    # shellcheck disable=SC2086
    ${CC:-cc} ${CFLAGS-} ${LDFLAGS-} -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$top/src/include" \
        "$top/examples/numerics/gaps.c" -L"$build" -letinspect -o gaps
}
# gaps [REFERENCE [EXPRESSION]]: runs it on a run with two bundled inputs
gaps() {
    run=$top/testdata/bundled-inputs
    reference=${1-run.npz}
    shift $(($# > 0))
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$build ${RUNNER-} ./gaps "$run/run.etdp" "$run/debug_buffer.bin" "$reference" "$run/record.etrecord" "$@"
}
cat >outputs.expected <<'END'
Execute [input 0], output 0: is float32 [1, 4] -0.176066 ... where the ETRecord expects float32 [1, 4] -0.176066 ...
Execute [input 1], output 0: is float32 [1, 4] -0.571414 ... where the ETRecord expects float32 [1, 4] -0.571414 ...
END
check 'an example of the library builds' build_gaps
check 'tensors to compare with are saved' \
    etinspect tensors "$top/testdata/bundled-inputs/run.etdp" --debug_buffer_path "$top/testdata/bundled-inputs/debug_buffer.bin" --save run.npz
outputs() { gaps >gaps.text && grep '^Execute' gaps.text | diff outputs.expected -; }
check 'outputs stand beside those that are expected' outputs
all_equal() { [ "$(grep -c 'snr inf dB, max_abs 0$' gaps.text)" = 9 ] && [ "$(wc -l <gaps.text)" = 11 ]; }
# Two inputs share one row.
check 'tensors are what they are' all_equal
none_fails() { gaps run.npz 'snr < 30' | diff outputs.expected -; }
check 'of those that fail there are none' none_fails
check 'where one fails, the exit status says so' exits 1 gaps run.npz 'event_name =~ "relu"'
only_relu() { gaps run.npz 'event_name =~ "relu"' | grep -v '^Execute' | uniq -c | grep -x ' *1 native_call_relu.out#0: snr inf dB, max_abs 0'; }
check 'and only what fails is printed' only_relu
check 'an expression that cannot be read is refused' exits 3 gaps run.npz 'snr <'
check 'and so is a rule of a gate' exits 3 gaps run.npz 'op:p50>+5%'
check 'a file that is none of tensors is refused' exits 3 gaps "$top/README.md"

echo "examples: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
