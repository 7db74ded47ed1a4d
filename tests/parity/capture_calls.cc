/*
 * capture_calls.cc - makes random sequences of calls into ETDumpGen and into libetcapture, the same
 * ones, with a clock that counts.
 *
 *     capture_calls DIRECTORY N SEED
 *
 * Writes DIRECTORY/peer/I.etdp, DIRECTORY/ours/I.etdp, and beside them I.bin, the debug buffers.
 * Calls are left out on which ETDumpGen aborts or writes what nobody can read.
 */
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/platform/platform.h>

#include <etcapture.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::etdump::ETDumpGen;

/* ---- one clock for both ---------------------------------------------------------------------- */

static uint64_t now;

static et_timestamp_t read_ticks() {
    return now;
}

static uint64_t read_clock(void *) {
    return now;
}

/* ---- random things --------------------------------------------------------------------------- */

static std::mt19937_64 source;

static uint64_t below(uint64_t n) {
    return source() % n;
}

static uint64_t number() {
    static const uint64_t special[] = {0,         1,          127,       255,       65535,
                                       INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    return below(3) ? below(1000) : below(2) ? special[below(9)] : source();
}

static const char *name() {
    static const char *const names[] = {
        "OPERATOR_CALL",
        "DELEGATE_CALL",
        "native_call_add.out",
        "Method::execute",
        "a",
        "",
        "tab\there \"quoted\" \\",
        "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
        "a name that is rather long, so that it takes more than one line of a table"};
    return names[below(9)];
}

struct tensor_data {
    std::vector<int64_t> sizes64;
    std::vector<TensorImpl::SizesType> sizes;
    std::vector<TensorImpl::DimOrderType> order;
    std::vector<TensorImpl::StridesType> strides;
    std::vector<uint8_t> data;
    etc_tensor ours;
    TensorImpl *impl;

    tensor_data() {
        static const struct {
            ScalarType type;
            size_t size;
        } types[] = {{ScalarType::Byte, 1},   {ScalarType::Char, 1}, {ScalarType::Short, 2},
                     {ScalarType::Int, 4},    {ScalarType::Long, 8}, {ScalarType::Float, 4},
                     {ScalarType::Double, 8}, {ScalarType::Bool, 1}, {ScalarType::Bits16, 2},
                     {ScalarType::UInt16, 2}};
        auto type = types[below(10)];
        size_t rank = below(5), bytes = type.size;
        for (size_t i = 0; i < rank; i++) {
            sizes64.push_back(below(20) ? 1 + (int64_t)below(4) : 0);
            sizes.push_back((TensorImpl::SizesType)sizes64[i]);
            order.push_back((TensorImpl::DimOrderType)i);
            bytes *= (size_t)sizes64[i];
        }
        strides.assign(rank, 1);
        for (size_t i = rank; i-- > 1;)
            strides[i - 1] = strides[i] * (sizes[i] > 1 ? sizes[i] : 1);
        for (size_t i = 0; i < bytes; i++)
            data.push_back(type.type == ScalarType::Bool ? (uint8_t)below(2) : (uint8_t)below(100));
        impl = new TensorImpl(type.type, (ssize_t)rank, sizes.data(), data.data(), order.data(),
                              strides.data());
        ours = {(int32_t)type.type, (uint32_t)rank, sizes64.data(), nullptr, data.data(), bytes};
    }
    tensor_data(const tensor_data &) = delete;
    ~tensor_data() {
        delete impl;
    }
};

/* ---- both writers ---------------------------------------------------------------------------- */

struct writers {
    ETDumpGen peer;
    etc_capture *ours;
    int32_t chain = -1;
    uint32_t handle = 0;
    bool has_wild_times = false; /* on most of which the Inspector fails */
    struct open_event {
        EventTracerEntry peer;
        etc_span ours;
    };
    std::vector<open_event> open;

    void set_instruction() {
        chain = (int32_t)below(3) - 1;
        handle = below(20) ? (uint32_t)below(50) : UINT32_MAX;
        peer.set_chain_debug_handle(chain, handle);
        etc_set_instruction(ours, chain, handle);
    }

    void start() {
        const char *text = name();
        EventTracerEntry entry = peer.start_profiling(text);
        etc_span span =
            below(2) ? etc_start_text(ours, text) : etc_start(ours, etc_intern(ours, text));
        open.push_back({entry, span});
    }

    void end() {
        if (open.empty())
            return;
        size_t which = below(4) ? open.size() - 1 : below(open.size());
        peer.end_profiling(open[which].peer);
        etc_end(ours, &open[which].ours);
        if (below(20)) /* else it may end again */
            open.erase(open.begin() + (long)which);
    }

    void delegate() {
        bool by_id = below(2);
        const char *text = by_id ? nullptr : name();
        int32_t id = by_id ? (int32_t)below(9) : -1;
        etc_name ours_name = etc_intern(ours, text);
        std::string metadata(below(20), 'm');
        for (char &c : metadata)
            c = (char)below(256);
        if (below(2)) {
            uint64_t from = has_wild_times ? number() : below(1000),
                     to = has_wild_times ? number() : from + below(1000);
            peer.log_profiling_delegate(text, by_id ? (uint32_t)id : -1, from, to, metadata.data(),
                                        metadata.size());
            etc_log_delegate(ours, ours_name, id, from, to, metadata.data(), metadata.size());
            return;
        }
        EventTracerEntry entry = peer.start_profiling_delegate(text, by_id ? (uint32_t)id : -1);
        etc_span span = etc_start_delegate(ours, ours_name, id);
        now += below(100);
        peer.end_profiling_delegate(entry, metadata.data(), metadata.size());
        etc_end_delegate(ours, &span, metadata.data(), metadata.size());
    }

    void value() {
        bool is_output = below(2);
        auto kind =
            is_output ? LoggedEValueType::kProgramOutput : LoggedEValueType::kIntermediateOutput;
        tensor_data tensor;
        int64_t integer = (int64_t)number();
        double real = (double)(int64_t)below(1000000) / 64 - 100;
        switch (below(4)) {
        case 0:
            (void)peer.log_evalue(EValue(integer), kind);
            etc_log_int(ours, ETC_OPERATOR, integer, 0);
            break;
        case 1:
            (void)peer.log_evalue(EValue(real), kind);
            etc_log_double(ours, ETC_OPERATOR, real, 0);
            break;
        case 2:
            (void)peer.log_evalue(EValue(is_output), kind);
            etc_log_bool(ours, ETC_OPERATOR, is_output, 0);
            break;
        default:
            (void)peer.log_evalue(EValue(Tensor(tensor.impl)), kind);
            etc_log_tensor(ours, ETC_OPERATOR, &tensor.ours, is_output ? ETC_PROGRAM_OUTPUT : 0);
            break;
        }
    }

    void delegate_value() {
        bool by_id = below(2);
        etc_key key = {by_id ? nullptr : name(), by_id ? (int32_t)below(9) : -1};
        uint32_t id = by_id ? (uint32_t)key.id : -1;
        tensor_data first, second;
        int integer = (int)number();
        double real = (double)(int64_t)below(1000) / 8;
        bool truth = below(2);
        switch (below(5)) {
        case 0:
            (void)peer.log_intermediate_output_delegate(key.name, id, integer);
            etc_log_int(ours, key, integer, 0);
            break;
        case 1:
            (void)peer.log_intermediate_output_delegate(key.name, id, real);
            etc_log_double(ours, key, real, 0);
            break;
        case 2:
            (void)peer.log_intermediate_output_delegate(key.name, id, truth);
            etc_log_bool(ours, key, truth, 0);
            break;
        case 3:
            (void)peer.log_intermediate_output_delegate(key.name, id, Tensor(first.impl));
            etc_log_tensor(ours, key, &first.ours, 0);
            break;
        default: {
            Tensor list[] = {Tensor(first.impl), Tensor(second.impl)};
            etc_tensor tensors[] = {first.ours, second.ours};
            size_t n = 1 + below(2);
            (void)peer.log_intermediate_output_delegate(key.name, id, ArrayRef<Tensor>(list, n));
            etc_log_tensors(ours, key, tensors, n, 0);
            break;
        }
        }
    }

    void run(bool with_allocations) {
        const char *text = below(3) ? "Execute" : below(2) ? "Default" : name();
        peer.create_event_block(text);
        etc_run(ours, text);
        uint64_t n_events = below(30), n_allocators = with_allocations && n_events ? below(4) : 0;
        for (uint64_t i = 0; i < n_allocators; i++) {
            const char *allocator = name();
            if (peer.track_allocator(allocator) != etc_allocator(ours, allocator))
                abort();
        }
        if (n_allocators) { /* without events its file is corrupt */
            peer.track_allocation(1, 16);
            etc_allocation(ours, 1, 16);
        }
        for (uint64_t i = 0; i < n_events; i++)
            call(with_allocations);
    }

    void call(bool with_allocations) {
        now += below(50);
        switch (below(10)) {
        case 0:
            set_instruction();
            break;
        case 1:
        case 2:
        case 3:
            start();
            break;
        case 4:
        case 5:
        case 6:
            end();
            break;
        case 7:
            delegate();
            break;
        case 8:
            below(2) ? value() : delegate_value();
            break;
        default:
            if (with_allocations) {
                uint32_t id = (uint32_t)below(4);
                uint64_t size = number();
                peer.track_allocation(id, size);
                etc_allocation(ours, id, size);
            }
            break;
        }
    }
};

/* ---- files ----------------------------------------------------------------------------------- */

static void write_file(const std::string &path, const void *data, size_t size) {
    FILE *file = fopen(path.c_str(), "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(path.c_str());
        exit(1);
    }
}

enum { BUFFER = 1 << 16, MEMORY = 1 << 18 };
alignas(64) static uint8_t peer_buffer[BUFFER], our_buffer[BUFFER], memory[MEMORY], file[MEMORY];

static void play(const std::string &directory, int i) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = read_clock;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    writers w;
    w.ours = etc_init(memory, MEMORY, &config);
    memset(peer_buffer, 0, BUFFER);
    memset(our_buffer, 0, BUFFER);
    if (!w.peer.set_debug_buffer({peer_buffer, BUFFER}).ok() ||
        etc_set_debug_buffer(w.ours, our_buffer, BUFFER))
        exit(1);
    w.has_wild_times = i % 3 == 0;
    now = below(2) ? below(1000) : 0;
    for (uint64_t n = 1 + below(6); n > 0; n--)
        w.run(i % 4 == 0);
    etc_run_end(w.ours);

    size_t size;
    auto result = w.peer.get_etdump_data();
    if (etc_save_memory(w.ours, nullptr, file, MEMORY, &size) != ETC_OK)
        exit(1);
    std::string number = "/" + std::to_string(i);
    write_file(directory + "/peer" + number + ".etdp", result.buf, result.size);
    write_file(directory + "/ours" + number + ".etdp", file, size);
    write_file(directory + "/peer" + number + ".bin", peer_buffer, BUFFER);
    write_file(directory + "/ours" + number + ".bin", our_buffer, BUFFER);
    free(result.buf);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    register_pal(PalImpl::create(nullptr, nullptr, read_ticks, nullptr, nullptr, nullptr, nullptr,
                                 __FILE__));
    et_pal_init();
    for (int i = 0; i < atoi(argv[2]); i++) {
        source.seed((uint64_t)atoll(argv[3]) * 1000003 + (uint64_t)i);
        play(argv[1], i);
    }
    return 0;
}
