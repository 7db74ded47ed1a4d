/*
 * capture_calls.cc - makes random sequences of calls, as text (tests/capture/calls.h), to ETDumpGen and to the tracer of
 * etcapture_executorch.hpp, with a clock that the calls set. play_calls makes the same calls to the C functions of
 * libetcapture.
 *
 *     capture_calls random DIRECTORY N SEED     writes DIRECTORY/calls/I.calls
 *     capture_calls play DIRECTORY FILE.calls...
 *
 * `play` writes DIRECTORY/peer/FILE.etdp, DIRECTORY/tracer/FILE.etdp, and beside them FILE.bin, the debug
 * buffers up to their used size. Calls on which ETDumpGen aborts or writes unreadable files are left out.
 */
#include <etcapture_executorch.hpp>

#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/platform/platform.h>

#include "capture/calls.h"

#include <fnmatch.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::etdump::ETDumpGen;

static uint64_t now;

static et_timestamp_t read_ticks() {
    return now;
}

/* ---- random calls ---------------------------------------------------------------------------- */

static std::mt19937_64 source;

static uint64_t below(uint64_t n) {
    return source() % n;
}

static uint64_t number() {
    static const uint64_t special[] = {0,         1,          127,       255,       65535,
                                       INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    return below(3) ? below(1000) : below(2) ? special[below(9)] : source();
}

static std::string hex(const void *data, size_t size) {
    std::string out = "x";
    char pair[3];
    for (size_t i = 0; i < size; i++) {
        snprintf(pair, sizeof pair, "%02x", static_cast<const uint8_t *>(data)[i]);
        out += pair;
    }
    return out;
}

static std::string text(const char *of) {
    std::string out = "=";
    char code[4];
    for (; *of; of++) {
        snprintf(code, sizeof code, "%%%02x", (unsigned char)*of);
        out += *of > ' ' && *of < 0x7f && *of != '%' ? std::string(1, *of) : code;
    }
    return out;
}

static std::string name() {
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
    return text(names[below(9)]);
}

/* A name or an id of a delegate's operator. */
static std::string key() {
    return below(2) ? name() + " -1" : "- " + std::to_string(below(9));
}

static std::string bytes(size_t size, unsigned most) {
    std::string data(size, '\0');
    for (char &byte : data)
        byte = (char)below(most);
    return hex(data.data(), data.size());
}

static std::string tensor() {
    static const struct {
        ScalarType type;
        size_t size;
    } types[] = {{ScalarType::Byte, 1},   {ScalarType::Char, 1}, {ScalarType::Short, 2},
                 {ScalarType::Int, 4},    {ScalarType::Long, 8}, {ScalarType::Float, 4},
                 {ScalarType::Double, 8}, {ScalarType::Bool, 1}, {ScalarType::Bits16, 2},
                 {ScalarType::UInt16, 2}, {ScalarType::Float, 4}};
    auto type = types[below(11)];
    size_t rank = below(5), size = type.size;
    std::string sizes, order;
    std::vector<size_t> dimensions;
    for (size_t i = 0; i < rank; i++) {
        uint64_t n = below(20) ? 1 + below(4) : 0;
        size *= n;
        sizes += (i ? "," : "") + std::to_string(n);
        dimensions.push_back(i);
    }
    if (below(3) == 0)
        std::shuffle(dimensions.begin(), dimensions.end(), source);
    for (size_t i = 0; i < rank; i++)
        order += (i ? "," : "") + std::to_string(dimensions[i]);
    return "tensor " + std::to_string((int)type.type) + " " + (rank ? sizes + " " + order : ". .") +
           " " + bytes(size, type.type == ScalarType::Bool ? 2 : 100);
}

static std::string tensors() {
    std::string out = "list";
    for (uint64_t n = 1 + below(3); n > 0; n--)
        out += " " + tensor();
    return out;
}

static std::string real() {
    static const double special[] = {0.0, -0.0, 1e300, -1e-7, 0.1};
    double value = below(3) ? (double)(int64_t)below(1000000) / 64 - 100 : special[below(5)];
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return "double " + std::to_string(bits);
}

static std::string value(bool is_delegate) {
    switch (below(5)) {
    case 0: /* for delegates 32 bits */
        return "int " + std::to_string(is_delegate ? (int)number() : (int64_t)number());
    case 1:
        return real();
    case 2:
        return "bool " + std::to_string(below(2));
    case 3:
        return tensor();
    default:
        return tensors();
    }
}

/* Writes a sequence. */
struct generator {
    FILE *file;
    bool with_allocations, has_wild_times; /* on which the Inspector may fail */
    std::vector<size_t> open;              /* slots */
    size_t n_started = 0;

    void write(const std::string &line) {
        fprintf(file, "%s\n", line.c_str());
    }

    void start() {
        size_t slot = n_started++ % MOST_SLOTS;
        std::string at = std::to_string(slot) + " " + (below(30) ? name() : "-");
        if (below(8))
            write("start " + at);
        else
            write("start_at " + at + " " + std::to_string((int)below(3) - 1) + " " +
                  std::to_string(below(50)));
        open.push_back(slot);
    }

    void end() {
        if (open.empty())
            return;
        size_t which = below(4) ? open.size() - 1 : below(open.size());
        write("end " + std::to_string(open[which]));
        if (below(20)) /* otherwise it may end twice */
            open.erase(open.begin() + (long)which);
    }

    void delegate() {
        std::string metadata = bytes(below(20), 256);
        if (below(2)) {
            uint64_t from = has_wild_times ? number() : below(1000);
            uint64_t to = has_wild_times ? number() : from + below(1000);
            write("delegate_log " + key() + " " + std::to_string(from) + " " + std::to_string(to) +
                  " " + metadata);
            return;
        }
        write("delegate_start 0 " + key());
        write("tick " + std::to_string(below(100)));
        write("delegate_end 0 " + metadata);
        if (!open.empty()) /* the slot may have been one of them */
            open.erase(std::remove(open.begin(), open.end(), 0), open.end());
    }

    void call() {
        write("tick " + std::to_string(below(50)));
        switch (below(10)) {
        case 0:
            write("instruction " + std::to_string((int)below(3) - 1) + " " +
                  std::to_string(below(20) ? below(50) : UINT32_MAX));
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
            if (below(2))
                write("value " + std::to_string(below(2)) + " " + value(false));
            else if (below(10))
                write("delegate_value " + key() + " " + value(true));
            else
                write("delegate_value " + (below(2) ? "- -1 " : name() + " 3 ") + value(true));
            break;
        default:
            if (with_allocations)
                write("allocation " + std::to_string(below(4)) + " " + std::to_string(number()));
            break;
        }
    }

    void block() {
        if (below(6) == 0)
            write("bundled " + std::to_string((int)below(4) - 1));
        write("block " + (below(3) ? "=Execute" : below(2) ? "=Default" : name()));
        uint64_t n_events = below(30), n_allocators = with_allocations && n_events ? below(4) : 0;
        for (uint64_t i = 0; i < n_allocators; i++)
            write("allocator " + name());
        if (n_allocators) /* without events its file is corrupt */
            write("allocation 1 16");
        for (uint64_t i = 0; i < n_events; i++)
            call();
    }

    void sequence() {
        static const char *const globs[] = {"native_call*", "?", "*", "a*", "Method::execute", "~"};
        if (below(2)) {
            uint64_t begin = below(9);
            write("filter " + text(globs[below(6)]) + " " + std::to_string(begin) + " " +
                  std::to_string(begin + below(4)));
        }
        write("tick " + std::to_string(below(2) ? below(1000) : 0));
        for (uint64_t n = 1 + below(6); n > 0; n--)
            block();
    }
};

static void write_random(const std::string &directory, int n, uint64_t seed) {
    for (int i = 0; i < n; i++) {
        source.seed(seed * 1000003 + (uint64_t)i);
        FILE *file = fopen((directory + "/calls/" + std::to_string(i) + ".calls").c_str(), "w");
        if (!file) {
            perror(directory.c_str());
            exit(1);
        }
        generator g{file, i % 4 == 0, i % 3 == 0, {}};
        g.sequence();
        fclose(file);
    }
}

/* ---- tracers --------------------------------------------------------------------------------- */

/* Drops outputs whose name matches, by the C library's globs, or whose id is in the range. */
struct filter_of_calls : EventTracerFilterBase {
    std::string glob;
    int begin, end;

    Result<bool> filter(const char *name, DelegateDebugIntId id) override {
        return name ? fnmatch(glob.c_str(), name, FNM_NOESCAPE) == 0 : id >= begin && id < end;
    }
};

static std::unique_ptr<TensorImpl> make_impl(call_tensor &tensor, std::vector<int32_t> &numbers) {
    size_t rank = tensor.rank;
    numbers.resize(2 * rank);
    for (size_t i = 0; i < rank; i++) {
        numbers[i] = (int32_t)tensor.sizes[i];
        numbers[rank + i] = (int32_t)tensor.strides[i];
    }
    return std::make_unique<TensorImpl>((ScalarType)tensor.type, (ssize_t)rank, numbers.data(),
                                        tensor.data, tensor.order, numbers.data() + rank);
}

/* Makes the tensors of a call in the runtime's form. */
struct tensors_of_call {
    call_tensor read[MOST_TENSORS];
    std::vector<int32_t> numbers[MOST_TENSORS];
    std::unique_ptr<TensorImpl> impls[MOST_TENSORS];
    std::vector<Tensor> list;

    tensors_of_call(const call &c, size_t i) {
        size_t n = tensors_at(&c, i, read);
        for (size_t k = 0; k < n; k++) {
            impls[k] = make_impl(read[k], numbers[k]);
            list.emplace_back(impls[k].get());
        }
    }
};

template <typename T> struct player {
    T tracer;
    EventTracerEntry slots[MOST_SLOTS];
    filter_of_calls filter;

    void log_value(const call &c) {
        auto kind = number_at(&c, 1) ? LoggedEValueType::kProgramOutput
                                     : LoggedEValueType::kIntermediateOutput;
        std::string what = word_at(&c, 2);
        if (what == "int") {
            (void)tracer.log_evalue(EValue(number_at(&c, 3)), kind);
        } else if (what == "double") {
            (void)tracer.log_evalue(EValue(double_at(&c, 3)), kind);
        } else if (what == "bool") {
            (void)tracer.log_evalue(EValue(number_at(&c, 3) != 0), kind);
        } else if (what == "tensor") {
            tensors_of_call tensors(c, 2);
            (void)tracer.log_evalue(EValue(tensors.list[0]), kind);
        } else {
            tensors_of_call tensors(c, 3);
            std::vector<EValue> values(tensors.list.begin(), tensors.list.end());
            std::vector<EValue *> pointers;
            for (EValue &value : values)
                pointers.push_back(&value);
            BoxedEvalueList<Tensor> list(pointers.data(), tensors.list.data(),
                                         (int)tensors.list.size());
            (void)tracer.log_evalue(EValue(&list), kind);
        }
    }

    void log_delegate_value(const call &c) {
        const char *name = text_at(&c, 1);
        int32_t id = (int32_t)number_at(&c, 2);
        std::string what = word_at(&c, 3);
        if (what == "int") {
            (void)tracer.log_intermediate_output_delegate(name, id, (int)number_at(&c, 4));
        } else if (what == "double") {
            (void)tracer.log_intermediate_output_delegate(name, id, double_at(&c, 4));
        } else if (what == "bool") {
            (void)tracer.log_intermediate_output_delegate(name, id, number_at(&c, 4) != 0);
        } else if (what == "tensor") {
            tensors_of_call tensors(c, 3);
            (void)tracer.log_intermediate_output_delegate(name, id, tensors.list[0]);
        } else {
            tensors_of_call tensors(c, 4);
            (void)tracer.log_intermediate_output_delegate(
                name, id, ArrayRef<Tensor>(tensors.list.data(), tensors.list.size()));
        }
    }

    void play_delegate(const call &c) {
        size_t size;
        if (is_call(&c, "delegate_start")) {
            slots[slot_at(&c, 1)] =
                tracer.start_profiling_delegate(text_at(&c, 2), (int32_t)number_at(&c, 3));
        } else if (is_call(&c, "delegate_end")) {
            const uint8_t *metadata = bytes_at(&c, 2, &size);
            tracer.end_profiling_delegate(slots[slot_at(&c, 1)], metadata, size);
        } else if (is_call(&c, "delegate_log")) {
            const uint8_t *metadata = bytes_at(&c, 5, &size);
            tracer.log_profiling_delegate(text_at(&c, 1), (int32_t)number_at(&c, 2),
                                          (uint64_t)number_at(&c, 3), (uint64_t)number_at(&c, 4),
                                          metadata, size);
        } else if (is_call(&c, "delegate_value")) {
            log_delegate_value(c);
        } else {
            fail_call(&c, "no such call");
        }
    }

    void play_call(const call &c) {
        if (is_call(&c, "filter")) {
            filter.glob = text_at(&c, 1);
            filter.begin = (int)number_at(&c, 2);
            filter.end = (int)number_at(&c, 3);
            tracer.set_delegation_intermediate_output_filter(&filter);
        } else if (is_call(&c, "tick")) {
            now += (uint64_t)number_at(&c, 1);
        } else if (is_call(&c, "bundled")) {
            tracer.set_bundled_input_index((int)number_at(&c, 1));
        } else if (is_call(&c, "block")) {
            tracer.create_event_block(text_at(&c, 1));
        } else if (is_call(&c, "instruction")) {
            tracer.set_chain_debug_handle((int32_t)number_at(&c, 1), (uint32_t)number_at(&c, 2));
        } else if (is_call(&c, "start")) {
            slots[slot_at(&c, 1)] = tracer.start_profiling(text_at(&c, 2));
        } else if (is_call(&c, "start_at")) {
            slots[slot_at(&c, 1)] = tracer.start_profiling(
                text_at(&c, 2), (int32_t)number_at(&c, 3), (uint32_t)number_at(&c, 4));
        } else if (is_call(&c, "end")) {
            tracer.end_profiling(slots[slot_at(&c, 1)]);
        } else if (is_call(&c, "allocator")) {
            tracer.track_allocator(text_at(&c, 1));
        } else if (is_call(&c, "allocation")) {
            tracer.track_allocation((uint32_t)number_at(&c, 1), (size_t)number_at(&c, 2));
        } else if (is_call(&c, "value")) {
            log_value(c);
        } else {
            play_delegate(c);
        }
    }

    void play(const char *path) {
        static call c;
        now = 0;
        FILE *file = fopen(path, "r");
        if (!file) {
            perror(path);
            exit(1);
        }
        while (read_call(&c, file))
            play_call(c);
        fclose(file);
    }
};

/* ---- files ----------------------------------------------------------------------------------- */

enum { BUFFER = 1 << 16 };
alignas(64) static uint8_t buffer[BUFFER];

static void play_peer(const std::string &directory, const char *path, const char *name) {
    player<ETDumpGen> p;
    memset(buffer, 0, BUFFER);
    if (!p.tracer.set_debug_buffer({buffer, BUFFER}).ok())
        exit(1);
    p.play(path);
    auto dump = p.tracer.get_etdump_data();
    write_bytes((directory + "/peer").c_str(), name, "etdp", dump.buf, dump.size);
    write_bytes((directory + "/peer").c_str(), name, "bin", buffer,
                p.tracer.get_data_sink()->get_used_bytes());
    free(dump.buf);
}

static void play_tracer(const std::string &directory, const char *path, const char *name) {
    player<etcapture::event_tracer> p;
    memset(buffer, 0, BUFFER);
    if (p.tracer.get().set_debug_buffer(buffer, BUFFER) != ETC_OK)
        exit(1);
    p.play(path);
    std::string file;
    auto append = [&file](const void *data, size_t size) {
        file.append(static_cast<const char *>(data), size);
        return 0;
    };
    if (p.tracer.save(etcapture::make_sink(append)) != ETC_OK)
        exit(1);
    write_bytes((directory + "/tracer").c_str(), name, "etdp", file.data(), file.size());
    write_bytes((directory + "/tracer").c_str(), name, "bin", buffer, p.tracer.get().debug_used());
}

int main(int argc, char **argv) {
    register_pal(PalImpl::create(nullptr, nullptr, read_ticks, nullptr, nullptr, nullptr, nullptr,
                                 __FILE__));
    et_pal_init();
    if (argc == 5 && strcmp(argv[1], "random") == 0) {
        write_random(argv[2], atoi(argv[3]), (uint64_t)atoll(argv[4]));
        return 0;
    }
    if (argc < 4 || strcmp(argv[1], "play") != 0)
        return 2;
    for (int i = 3; i < argc; i++) {
        char name[256];
        name_of_calls(argv[i], name, sizeof name);
        play_peer(argv[2], argv[i], name);
        play_tracer(argv[2], argv[i], name);
    }
    return 0;
}
