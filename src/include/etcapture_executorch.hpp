/*
 * etcapture_executorch.hpp - an EventTracer for ExecuTorch's runtime that records into a capture of
 * libetcapture, in place of ExecuTorch's ETDumpGen: the same events in the same order.
 *
 *     auto owned = std::make_unique<etcapture::event_tracer>();
 *     etcapture::event_tracer &tracer = *owned;
 *     Module module("model.pte", Module::LoadMode::File, std::move(owned));
 *     module.forward(inputs);
 *     tracer.save_file("run.etdp");
 *
 * Needs C++17 and the headers of ExecuTorch 1.5 in the include path. The runtime must be built with
 * ET_EVENT_TRACER_ENABLED, or it traces nothing. The class needs neither exceptions nor run-time
 * types.
 *
 * On some calls ETDumpGen ends the program or writes an unreadable file. The tracer does neither:
 * events that cannot be recorded are left out and counted (etc_stats), and calls that return a
 * Result return an error. Other differences from ETDumpGen:
 * - the index of a bundled input is written;
 * - tensors of halves and of all other types that an ETDump can hold are recorded; without a debug
 *   buffer or sink, tensors are recorded without contents;
 * - an event of a delegate belongs to the instruction in which the event started;
 * - saving may be repeated, and recording may go on afterwards.
 *
 * Times are read from the runtime's clock, which delegates read too: read_ticks(). A capture of the
 * caller must have read_ticks() as its clock.
 *
 * A tracer takes 4 KiB of memory besides its capture, for a table of names by their addresses.
 *
 * Threads: a tracer belongs to one thread at a time, as a capture does.
 */
#ifndef ETCAPTURE_EXECUTORCH_HPP
#define ETCAPTURE_EXECUTORCH_HPP

#include "etcapture.hpp"

#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/platform/platform.h>

#include <string.h>

#include <new>
#include <type_traits>

namespace etcapture {

class event_tracer : public ::executorch::runtime::EventTracer {
    template <typename T> using Result = ::executorch::runtime::Result<T>;
    using ChainID = ::executorch::runtime::ChainID;
    using DebugHandle = ::executorch::runtime::DebugHandle;
    using DelegateID = ::executorch::runtime::DelegateDebugIntId;
    using Entry = ::executorch::runtime::EventTracerEntry;
    using Error = ::executorch::runtime::Error;
    using EValue = ::executorch::runtime::EValue;
    using Tensor = ::executorch::aten::Tensor;
    using Tensors = ::executorch::runtime::ArrayRef<Tensor>;

  public:
    /* ---- life -------------------------------------------------------------------------------- */

    /* Opens a capture that grows: etc_open(). If that fails, nothing is recorded. */
    event_tracer() : event_tracer(ETC_CONFIG_INIT) {
    }
    /* Opens a capture with this configuration. If the configuration has no clock, the clock is that
     * of the runtime. The levels of the tracer are those of the configuration, and may be changed
     * at any time. */
    explicit event_tracer(const etc_config &config) : owned_(open(config)), capture_(owned_) {
        set_levels(config);
    }
    /* Records into a capture of the caller, which must live longer than the tracer. The levels of
     * the capture apply in addition to those of the tracer: set ETC_PROFILE_ALL_EVENTS and
     * ETC_DEBUG_INTERMEDIATE_OUTPUTS in the capture, and choose the levels of the tracer. */
    explicit event_tracer(view c) : owned_(capture::adopt(nullptr)), capture_(c) {
    }
    event_tracer(const event_tracer &) = delete;
    event_tracer &operator=(const event_tracer &) = delete;
    ~event_tracer() override = default;

    /* Returns the time of the runtime's clock, in ticks: an etc_clock_function. */
    static uint64_t read_ticks(void *) {
        return ::executorch::runtime::pal_current_ticks();
    }

    /* Returns the capture, for example to set a debug buffer or sink, to get statistics, or to
     * save. */
    view get() const {
        return capture_;
    }

    /* End the open run, and save. The runtime must open a run before later events can be
     * recorded. */
    etc_status save_file(const char *path, const char *debug_path = nullptr,
                         const etc_save_options *options = nullptr) {
        capture_.end_run();
        return capture_.save_file(path, debug_path, options);
    }
    etc_status save(etc_sink sink, const etc_save_options *options = nullptr) {
        capture_.end_run();
        return capture_.save(sink, options);
    }

    /* Number of values that were not recorded because no ETDump can hold them, such as texts and
     * lists of numbers. */
    uint64_t values_refused() const {
        return n_refused_;
    }

    /* ---- blocks and instructions ------------------------------------------------------------- */

    void create_event_block(const char *name) override {
        capture_.set_bundled_input(bundled_input_index_);
        capture_.begin_run(name);
    }

    /* ---- events ------------------------------------------------------------------------------ */

    /* Starts an event. A given `chain` applies to this event only; without a chain, `handle` is
     * ignored. */
    Entry start_profiling(const char *name, ChainID chain = ::executorch::runtime::kUnsetChainId,
                          DebugHandle handle = ::executorch::runtime::kUnsetDebugHandle) override {
        if (chain == ::executorch::runtime::kUnsetChainId)
            follow_instruction();
        else
            set_instruction(chain, handle);
        return entry_of(etc_start(capture_.get(), intern(name)),
                        ::executorch::runtime::DelegateDebugIdType::kNone);
    }

    void end_profiling(Entry entry) override {
        etc_span span = span_of(entry);
        etc_end(capture_.get(), &span);
    }

    Entry start_profiling_delegate(const char *name, DelegateID id) override {
        follow_instruction();
        etc_span span = etc_start_delegate(capture_.get(), intern(name), id);
        return entry_of(span, name ? ::executorch::runtime::DelegateDebugIdType::kStr
                                   : ::executorch::runtime::DelegateDebugIdType::kInt);
    }

    void end_profiling_delegate(Entry entry, const void *metadata = nullptr,
                                size_t size = 0) override {
        etc_span span = span_of(entry);
        etc_end_delegate(capture_.get(), &span, metadata, size);
    }

    void log_profiling_delegate(const char *name, DelegateID id, et_timestamp_t start,
                                et_timestamp_t end, const void *metadata = nullptr,
                                size_t size = 0) override {
        follow_instruction();
        etc_log_delegate(capture_.get(), intern(name), id, start, end, metadata, size);
    }

    ::executorch::runtime::AllocatorID track_allocator(const char *name) override {
        return capture_.allocator(name);
    }

    void track_allocation(::executorch::runtime::AllocatorID id, size_t size) override {
        capture_.allocation(id, size);
    }

    /* ---- values ------------------------------------------------------------------------------ */

    /* Records a value. The runtime calls this only if the debug level includes the value. */
    Result<bool> log_evalue(const EValue &value,
                            ::executorch::runtime::LoggedEValueType kind) override {
        unsigned flags = kind == ::executorch::runtime::LoggedEValueType::kProgramOutput
                             ? ETC_PROGRAM_OUTPUT
                             : 0;
        if (value.isTensor())
            return log(operator_key(), value.toTensor(), flags);
        if (value.isTensorList())
            return log(operator_key(), value.toTensorList(), flags);
        if (value.isInt())
            return log(operator_key(), value.toInt(), 0);
        if (value.isDouble())
            return log(operator_key(), value.toDouble(), 0);
        if (value.isBool())
            return log(operator_key(), value.toBool(), 0);
        n_refused_++;
        return Error::NotSupported;
    }

    Result<bool> log_intermediate_output_delegate(const char *name, DelegateID id,
                                                  const Tensor &output) override {
        return log_delegate_output(name, id, output);
    }
    Result<bool> log_intermediate_output_delegate(const char *name, DelegateID id,
                                                  const Tensors output) override {
        return log_delegate_output(name, id, output);
    }
    Result<bool> log_intermediate_output_delegate(const char *name, DelegateID id,
                                                  const int &output) override {
        return log_delegate_output(name, id, static_cast<int64_t>(output));
    }
    Result<bool> log_intermediate_output_delegate(const char *name, DelegateID id,
                                                  const bool &output) override {
        return log_delegate_output(name, id, output);
    }
    Result<bool> log_intermediate_output_delegate(const char *name, DelegateID id,
                                                  const double &output) override {
        return log_delegate_output(name, id, output);
    }

    /* Sets the filter of outputs of delegates, which returns true to drop an output. NULL: all
     * outputs are recorded. The filter must live as long as it is set. */
    void set_delegation_intermediate_output_filter(
        ::executorch::runtime::EventTracerFilterBase *filter) override {
        filter_ = filter;
    }

  private:
    /* ---- configuration ----------------------------------------------------------------------- */

    static capture open(etc_config config) {
        if (!config.clock)
            config.clock = read_ticks;
        config.profiling_level = ETC_PROFILE_ALL_EVENTS;
        config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
        return capture(config);
    }

    void set_levels(const etc_config &config) {
        using namespace ::executorch::runtime;
        set_event_tracer_profiling_level(config.profiling_level == ETC_PROFILE_METHOD_ONLY
                                             ? EventTracerProfilingLevel::kProfileMethodOnly
                                             : EventTracerProfilingLevel::kProfileAllEvents);
        set_event_tracer_debug_level(config.debug_level == ETC_DEBUG_INTERMEDIATE_OUTPUTS
                                         ? EventTracerDebugLogLevel::kIntermediateOutputs
                                     : config.debug_level == ETC_DEBUG_PROGRAM_OUTPUTS
                                         ? EventTracerDebugLogLevel::kProgramOutputs
                                         : EventTracerDebugLogLevel::kNoLogging);
    }

    /* ---- instructions ------------------------------------------------------------------------ */

    void set_instruction(ChainID chain, DebugHandle handle) {
        if (chain == set_chain_ && handle == set_handle_)
            return;
        set_chain_ = chain;
        set_handle_ = handle;
        if (chain == ::executorch::runtime::kUnsetChainId &&
            handle == ::executorch::runtime::kUnsetDebugHandle)
            capture_.unset_instruction();
        else
            capture_.set_instruction(chain, handle);
    }

    /* Sets the instruction that the runtime has set in the base class. */
    void follow_instruction() {
        set_instruction(chain_id_, debug_handle_);
    }

    /* ---- names ------------------------------------------------------------------------------- */

    /* Holds a name that was interned, found by the address of its text. The text is compared,
     * because another text may have the same address later. */
    struct known_name {
        const char *address;
        etc_name name; /* 0: none */
        char text[52];
    };

    etc_name intern(const char *text) {
        if (!text)
            return 0;
        uintptr_t address = reinterpret_cast<uintptr_t>(text);
        known_name &known = known_[(address ^ address >> 6) % n_known];
        if (known.name && known.address == text && strcmp(known.text, text) == 0)
            return known.name;
        etc_name name = capture_.intern(text);
        size_t size = strlen(text) + 1;
        if (name && size <= sizeof known.text) {
            known.address = text;
            known.name = name;
            memcpy(known.text, text, size);
        }
        return name;
    }

    /* ---- entries ----------------------------------------------------------------------------- */

    /* Converts a span to an entry, whose `event_id` holds the kind, and the name or the delegate's
     * id. */
    static Entry entry_of(const etc_span &span, ::executorch::runtime::DelegateDebugIdType type) {
        uint32_t low = type == ::executorch::runtime::DelegateDebugIdType::kInt
                           ? static_cast<uint32_t>(span.delegate_id)
                           : span.name;
        Entry entry;
        entry.event_id = static_cast<int64_t>(static_cast<uint64_t>(span.kind) << 32 | low);
        entry.chain_id = span.chain;
        entry.debug_handle = span.handle;
        entry.start_time = span.start;
        entry.delegate_event_id_type = type;
        return entry;
    }

    static etc_span span_of(const Entry &entry) {
        uint64_t id = static_cast<uint64_t>(entry.event_id);
        uint32_t low = static_cast<uint32_t>(id);
        bool by_id =
            entry.delegate_event_id_type == ::executorch::runtime::DelegateDebugIdType::kInt;
        return etc_span{entry.start_time,
                        by_id ? 0 : low,
                        entry.chain_id,
                        entry.debug_handle,
                        by_id ? static_cast<int32_t>(low) : -1,
                        static_cast<uint32_t>(id >> 32)};
    }

    /* ---- tensors ----------------------------------------------------------------------------- */

    /* Holds a tensor with its sizes and strides. */
    struct described {
        etc_tensor tensor;
        int64_t sizes[ETC_MAX_RANK], strides[ETC_MAX_RANK];
    };

    /* Returns whether a tensor is in memory of the processor; in releases without devices every
     * tensor is. */
    template <typename T>
    static auto is_readable(const T &tensor, int) -> decltype(tensor.device_type(), bool()) {
        return tensor.device_type() == decltype(tensor.device_type())::CPU;
    }
    template <typename T> static bool is_readable(const T &, long) {
        return true;
    }

    static Error describe(described &out, const Tensor &tensor) {
        size_t rank = static_cast<size_t>(tensor.dim());
        if (rank > ETC_MAX_RANK || !is_readable(tensor, 0))
            return Error::NotSupported;
        for (size_t i = 0; i < rank; i++) {
            out.sizes[i] = tensor.sizes()[i];
            out.strides[i] = tensor.strides()[i];
        }
        out.tensor = etc_tensor{static_cast<int32_t>(tensor.scalar_type()),
                                static_cast<uint32_t>(rank),
                                out.sizes,
                                out.strides,
                                tensor.const_data_ptr(),
                                tensor.nbytes()};
        return Error::Ok;
    }

    /* ---- values ------------------------------------------------------------------------------ */

    static Result<bool> result_of(etc_status status) {
        switch (status) {
        case ETC_OK:
            return true;
        case ETC_INVALID:
            return Error::InvalidArgument;
        case ETC_STATE:
            return Error::InvalidState;
        case ETC_UNSUPPORTED:
            return Error::NotSupported;
        case ETC_IO:
            return Error::AccessFailed;
        default:
            return Error::OutOfResources;
        }
    }

    Result<bool> log(etc_key key, const Tensor &tensor, unsigned flags) {
        described one;
        Error error = describe(one, tensor);
        if (error != Error::Ok) {
            n_refused_++;
            return error;
        }
        follow_instruction();
        return result_of(capture_.log_tensor(key, one.tensor, flags));
    }

    Result<bool> log(etc_key key, Tensors tensors, unsigned flags) {
        size_t n = tensors.size();
        described *all = new (std::nothrow) described[n + 1];
        etc_tensor *list = new (std::nothrow) etc_tensor[n + 1];
        Error error = all && list ? Error::Ok : Error::MemoryAllocationFailed;
        for (size_t i = 0; error == Error::Ok && i < n; i++) {
            error = describe(all[i], tensors[i]);
            list[i] = all[i].tensor;
        }
        etc_status status = ETC_OK;
        if (error == Error::Ok) {
            follow_instruction();
            status = capture_.log_tensors(key, list, n, flags);
        } else {
            n_refused_++;
        }
        delete[] all;
        delete[] list;
        if (error != Error::Ok)
            return error;
        return result_of(status);
    }

    Result<bool> log(etc_key key, int64_t value, unsigned) {
        follow_instruction();
        return result_of(capture_.log_int(key, value));
    }
    Result<bool> log(etc_key key, double value, unsigned) {
        follow_instruction();
        return result_of(capture_.log_double(key, value));
    }
    Result<bool> log(etc_key key, bool value, unsigned) {
        follow_instruction();
        return result_of(capture_.log_bool(key, value));
    }

    template <typename T>
    Result<bool> log_delegate_output(const char *name, DelegateID id, const T &output) {
        bool has_id = id != ::executorch::runtime::kUnsetDelegateDebugIntId;
        if ((name != nullptr) == has_id)
            return Error::InvalidArgument;
        if (filter_) {
            Result<bool> drops = filter_->filter(name, id);
            if (!drops.ok())
                return drops.error();
            if (drops.get())
                return false;
        }
        return log(etc_key{name, id}, output, 0);
    }

    capture owned_; /* empty if the capture belongs to the caller */
    view capture_;
    ::executorch::runtime::EventTracerFilterBase *filter_ = nullptr;
    /* Instruction that is set in the capture. */
    ChainID set_chain_ = ::executorch::runtime::kUnsetChainId;
    DebugHandle set_handle_ = ::executorch::runtime::kUnsetDebugHandle;
    uint64_t n_refused_ = 0;
    enum { n_known = 64 };
    known_name known_[n_known] = {};
};

/* A runtime whose EventTracer has other functions is an error here, not where a tracer is made. */
static_assert(
    !std::is_abstract_v<event_tracer>,
    "ExecuTorch's EventTracer has a function that event_tracer does not have: use a header "
    "of the version of this runtime");

} // namespace etcapture

#endif
