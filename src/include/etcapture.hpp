/*
 * etcapture.hpp - classes for C++11 and later over etcapture.h. Runs, instructions and events end
 * when their scope ends.
 *
 *     etcapture::capture capture;
 *     etc_name conv = capture.intern("conv");
 *     {
 *         etcapture::run run(capture, "Execute");
 *         etcapture::span span(capture, conv);
 *         ... the work ...
 *     }
 *     capture.save_file("run.etdp");
 *
 * The classes add no state to a capture and call only etcapture.h, whose rules apply: a capture
 * that failed to open does nothing, and recording never fails. The classes use neither exceptions
 * nor run-time types, and the header includes no header of the C++ library. With ETC_DISABLED all
 * calls are empty.
 *
 * Lifetime: `capture` and `static_capture` own a capture; `view` does not, and is copied freely. A
 * span, a run and an instruction must end before their capture is closed.
 */
#ifndef ETCAPTURE_HPP
#define ETCAPTURE_HPP

#if __cplusplus < 201103L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201103L)
#error "etcapture.hpp needs C++11"
#endif

#include "etcapture.h"

namespace etcapture {

/* ---- functions of the caller's --------------------------------------------------------------- */

/* Makes a sink of a callable `int (const void *data, size_t size)`, which must live as long as the
 * sink is used. */
template <typename F> inline etc_sink make_sink(F &function) {
    struct call {
        static int write(void *context, const void *data, size_t size) {
            return (*static_cast<F *>(context))(data, size);
        }
    };
    return etc_sink{call::write, &function};
}

/* Sets the clock to a callable `uint64_t ()`, which must live as long as the capture. */
template <typename F> inline void set_clock(etc_config &config, F &function) {
    struct call {
        static uint64_t read(void *context) {
            return (*static_cast<F *>(context))();
        }
    };
    config.clock = call::read;
    config.clock_context = &function;
}

/* Sets the filter to a callable `bool (const etc_filter_event &)`, which must live as long as the
 * capture. */
template <typename F> inline void set_filter(etc_config &config, F &function) {
    struct call {
        static bool keeps(void *context, const etc_filter_event *event) {
            return (*static_cast<F *>(context))(*event);
        }
    };
    config.filter = call::keeps;
    config.filter_context = &function;
}

/* ---- types of tensors ------------------------------------------------------------------------ */

namespace detail {
/* Returns the type of integers of `size` bytes. */
constexpr etc_scalar_type integer_type(size_t size, bool is_signed) {
    return size == 1   ? (is_signed ? ETC_CHAR : ETC_BYTE)
           : size == 2 ? (is_signed ? ETC_SHORT : ETC_UINT16)
           : size == 4 ? (is_signed ? ETC_INT : ETC_UINT32)
                       : (is_signed ? ETC_LONG : ETC_UINT64);
}
} // namespace detail

/* Maps the C++ type of elements to the type of a tensor. For elements without a C++ type, such as
 * halves, fill an etc_tensor. */
template <typename T> struct scalar_type;
template <> struct scalar_type<bool> { static constexpr etc_scalar_type value = ETC_BOOL; };
template <> struct scalar_type<float> { static constexpr etc_scalar_type value = ETC_FLOAT; };
template <> struct scalar_type<double> { static constexpr etc_scalar_type value = ETC_DOUBLE; };
#define ETC_INTEGER_TYPE(T)                                                                        \
    template <> struct scalar_type<T> {                                                            \
        static constexpr etc_scalar_type value =                                                   \
            detail::integer_type(sizeof(T), static_cast<T>(-1) < static_cast<T>(1));               \
    };
ETC_INTEGER_TYPE(signed char)
ETC_INTEGER_TYPE(unsigned char)
ETC_INTEGER_TYPE(short)
ETC_INTEGER_TYPE(unsigned short)
ETC_INTEGER_TYPE(int)
ETC_INTEGER_TYPE(unsigned)
ETC_INTEGER_TYPE(long)
ETC_INTEGER_TYPE(unsigned long)
ETC_INTEGER_TYPE(long long)
ETC_INTEGER_TYPE(unsigned long long)
#undef ETC_INTEGER_TYPE

/* Returns the key of the operator that an instruction runs. */
inline etc_key operator_key() {
    return ETC_OPERATOR;
}

/* Return the key of a delegate's operator. */
inline etc_key delegate_key(const char *name) {
    return etc_key{name, -1};
}
inline etc_key delegate_key(int32_t id) {
    return etc_key{nullptr, id};
}

/* Returns a contiguous tensor that points to `data` and `sizes`. */
template <typename T, size_t N>
inline etc_tensor make_tensor(const T *data, const int64_t (&sizes)[N]) {
    static_assert(N <= ETC_MAX_RANK, "a tensor has at most ETC_MAX_RANK sizes");
    size_t bytes = sizeof(T);
    for (size_t i = 0; i < N; i++)
        bytes *= static_cast<size_t>(sizes[i]);
    return etc_tensor{scalar_type<T>::value, static_cast<uint32_t>(N), sizes, nullptr, data, bytes};
}

/* ---- captures -------------------------------------------------------------------------------- */

/* Refers to a capture that it does not own; without a capture, all calls do nothing. */
class view {
  public:
    view(etc_capture *c = nullptr) : capture_(c) {
    }

    /* Returns the capture for calls of etcapture.h; NULL: the view has no capture. */
    etc_capture *get() const {
        return capture_;
    }
    explicit operator bool() const {
        return capture_ != nullptr;
    }

    void reset() const {
        etc_reset(capture_);
    }
    /* Makes a lane for one more thread, in `memory` or in memory of its own: etc_lane(). The lane
     * lasts as long as this capture. */
    view lane(void *memory = nullptr, size_t size = 0) const {
        return etc_lane(capture_, memory, size);
    }
    etc_name intern(const char *text) const {
        return etc_intern(capture_, text);
    }

    /* Record. The classes run, instruction and span below also end what they begin. */
    void begin_run(const char *name) const {
        etc_run(capture_, name);
    }
    void end_run() const {
        etc_run_end(capture_);
    }
    void set_instruction(int32_t chain, uint32_t handle) const {
        etc_set_instruction(capture_, chain, handle);
    }
    void unset_instruction() const {
        etc_unset_instruction(capture_);
    }
    void name_lane(uint32_t number, const char *name) const {
        etc_name_lane(capture_, number, name);
    }
    void set_bundled_input(int32_t index) const {
        etc_set_bundled_input(capture_, index);
    }
    void log(etc_name name, uint64_t start, uint64_t end) const {
        etc_log(capture_, name, start, end);
    }
    void log_delegate(etc_name name, uint64_t start, uint64_t end, const void *metadata = nullptr,
                      size_t size = 0) const {
        etc_log_delegate(capture_, name, -1, start, end, metadata, size);
    }
    void log_delegate_id(int32_t id, uint64_t start, uint64_t end, const void *metadata = nullptr,
                         size_t size = 0) const {
        etc_log_delegate(capture_, 0, id, start, end, metadata, size);
    }
    void log_counted(etc_name name, uint64_t start, uint64_t end, const etc_counter *counters,
                     size_t n) const {
        etc_log_counted(capture_, name, start, end, counters, n);
    }
    void mark(etc_name name, const etc_counter *counters = nullptr, size_t n = 0) const {
        etc_mark(capture_, name, counters, n);
    }
    uint32_t allocator(const char *name) const {
        return etc_allocator(capture_, name);
    }
    void allocation(uint32_t id, uint64_t bytes) const {
        etc_allocation(capture_, id, bytes);
    }

    /* Record debug values. */
    etc_status set_debug_buffer(void *buffer, size_t size) const {
        return etc_set_debug_buffer(capture_, buffer, size);
    }
    etc_status set_debug_sink(etc_sink sink) const {
        return etc_set_debug_sink(capture_, sink);
    }
    uint64_t debug_used() const {
        return etc_debug_used(capture_);
    }
    int debug_sink_error() const {
        return etc_debug_sink_error(capture_);
    }
    etc_status log_tensor(etc_key key, const etc_tensor &tensor, unsigned flags = 0) const {
        return etc_log_tensor(capture_, key, &tensor, flags);
    }
    etc_status log_tensors(etc_key key, const etc_tensor *tensors, size_t n,
                           unsigned flags = 0) const {
        return etc_log_tensors(capture_, key, tensors, n, flags);
    }
    etc_status log_int(etc_key key, int64_t value) const {
        return etc_log_int(capture_, key, value, 0);
    }
    etc_status log_double(etc_key key, double value) const {
        return etc_log_double(capture_, key, value, 0);
    }
    etc_status log_bool(etc_key key, bool value) const {
        return etc_log_bool(capture_, key, value, 0);
    }

    /* Save; `options` may be NULL. */
    etc_status save(etc_sink sink, const etc_save_options *options = nullptr) const {
        return etc_save(capture_, options, sink);
    }
    etc_status save_debug(etc_sink sink, const etc_save_options *options = nullptr) const {
        return etc_save_debug(capture_, options, sink);
    }
    etc_status save_size(uint64_t &out, const etc_save_options *options = nullptr) const {
        return etc_save_size(capture_, options, &out);
    }
    etc_status save_memory(void *memory, size_t size, size_t &used,
                           const etc_save_options *options = nullptr) const {
        return etc_save_memory(capture_, options, memory, size, &used);
    }
    etc_status save_file(const char *path, const char *debug_path = nullptr,
                         const etc_save_options *options = nullptr) const {
        return etc_save_file(capture_, options, path, debug_path);
    }
    /* Prints with a callable `void (char)`. */
    template <typename F>
    etc_status print(F &&function, const etc_save_options *options = nullptr) const {
        struct call {
            static void put(void *context, char character) {
                (**static_cast<decltype(&function) *>(context))(character);
            }
        };
        auto address = &function;
        return etc_print(capture_, options, call::put, &address);
    }

    /* Writes a journal to the disk. */
    etc_status sync() const {
        return etc_sync(capture_);
    }
    /* Copies the runs of another capture to the end of this one. */
    etc_status append(view from, const etc_save_options *options = nullptr) const {
        return etc_append(capture_, from.get(), options);
    }

    /* Counts the runs and events that save() would write. */
    etc_status count_saved(uint64_t &runs, uint64_t &events,
                           const etc_save_options *options = nullptr) const {
        return etc_count_saved(capture_, options, &runs, &events);
    }
    etc_stats stats() const {
        etc_stats out = ETC_STATS_INIT;
        etc_get_stats(capture_, &out);
        return out;
    }

  protected:
    etc_capture *capture_;
};

/* Owns a capture that takes memory as it needs it: etc_open(). */
class capture : public view {
  public:
    /* Opens a capture; status() returns the status. */
    capture() {
        status_ = etc_open(&capture_, nullptr);
    }
    explicit capture(const etc_config &config) {
        status_ = etc_open(&capture_, &config);
    }
    /* Makes a capture in a new file that survives the process: etc_open_journal(). */
    static capture journal(const char *path, size_t size, const etc_config *config = nullptr) {
        etc_capture *c = nullptr;
        etc_status status = etc_open_journal(&c, path, size, config);
        return capture(c, status);
    }
    /* Open a journal whose runs are to be saved: etc_open_recovered(). */
    static capture recovered(const char *path) {
        etc_capture *c = nullptr;
        etc_status status = etc_open_recovered(&c, path);
        return capture(c, status);
    }
    static capture recovered(const void *journal, size_t size) {
        etc_capture *c = nullptr;
        etc_status status = etc_open_recovered_memory(&c, journal, size);
        return capture(c, status);
    }
    /* Takes over a capture; the destructor closes it. */
    static capture adopt(etc_capture *c) {
        return capture(c, ETC_OK);
    }
    capture(capture &&other) noexcept : view(other.capture_), status_(other.status_) {
        other.capture_ = nullptr;
    }
    capture &operator=(capture &&other) noexcept {
        if (this != &other) {
            etc_close(capture_);
            capture_ = other.capture_;
            status_ = other.status_;
            other.capture_ = nullptr;
        }
        return *this;
    }
    capture(const capture &) = delete;
    capture &operator=(const capture &) = delete;
    ~capture() {
        etc_close(capture_);
    }

    etc_status status() const {
        return status_;
    }
    /* Gives the capture to the caller, who closes it. */
    etc_capture *release() {
        etc_capture *c = capture_;
        capture_ = nullptr;
        return c;
    }

  private:
    capture(etc_capture *c, etc_status status) : view(c), status_(status) {
    }

    etc_status status_;
};

/* Holds a capture in `Size` bytes of memory in the object itself: etc_init(). If the configuration
 * is wrong, there is no capture, and operator bool returns false. */
template <size_t Size> class static_capture : public view {
    static_assert(Size >= ETC_MIN_BYTES, "a capture needs at least ETC_MIN_BYTES");

  public:
    explicit static_capture(const etc_config &config) {
        capture_ = etc_init(memory_, Size, &config);
    }
    static_capture(const static_capture &) = delete;
    static_capture &operator=(const static_capture &) = delete;

  private:
    alignas(8) unsigned char memory_[Size];
};

/* ---- scopes ---------------------------------------------------------------------------------- */

/* Opens a run. The end of the scope ends the run that is open at that time. */
class run {
  public:
    run(view c, const char *name) : capture_(c.get()) {
        etc_run(capture_, name);
    }
    run(run &&other) noexcept : capture_(other.capture_) {
        other.capture_ = nullptr;
    }
    run &operator=(run &&other) noexcept {
        if (this != &other) {
            end();
            capture_ = other.capture_;
            other.capture_ = nullptr;
        }
        return *this;
    }
    run(const run &) = delete;
    run &operator=(const run &) = delete;
    ~run() {
        end();
    }
    void end() {
        etc_run_end(capture_);
        capture_ = nullptr;
    }

  private:
    etc_capture *capture_;
};

/* Sets the instruction for a scope; after the scope no instruction is set. */
class instruction {
  public:
    instruction(view c, int32_t chain, uint32_t handle) : capture_(c.get()) {
        etc_set_instruction(capture_, chain, handle);
    }
    instruction(const instruction &) = delete;
    instruction &operator=(const instruction &) = delete;
    ~instruction() {
        etc_unset_instruction(capture_);
    }

  private:
    etc_capture *capture_;
};

/* Holds an event that ends once: the base class of both kinds of spans. */
class basic_span {
  public:
    basic_span(const basic_span &) = delete;
    basic_span &operator=(const basic_span &) = delete;
    /* Returns whether the event was started and has not ended. */
    explicit operator bool() const {
        return capture_ != nullptr;
    }
    /* Drops the event, which is not recorded. */
    void drop() {
        capture_ = nullptr;
    }

  protected:
    basic_span() : capture_(nullptr), span_() {
    }
    basic_span(view c, const etc_span &span) : capture_(c.get()), span_(span) {
    }
    void take(basic_span &other) {
        capture_ = other.capture_;
        span_ = other.span_;
        other.capture_ = nullptr;
    }
    ~basic_span() = default;

    etc_capture *capture_; /* NULL: ended, dropped or moved away */
    etc_span span_;
};

/* Starts an event and ends it with the scope. */
class span : public basic_span {
  public:
    span() = default;
    span(view c, etc_name name) : basic_span(c, etc_start(c.get(), name)) {
    }
    /* Interns the name, which takes longer than starting with an etc_name. */
    span(view c, const char *name) : basic_span(c, etc_start_text(c.get(), name)) {
    }
    /* Starts the event of an operator, which the profiling level may drop. */
    static span of_operator(view c, etc_name name) {
        return span(c, etc_start_op(c.get(), name));
    }
    span(span &&other) noexcept {
        take(other);
    }
    span &operator=(span &&other) noexcept {
        if (this != &other) {
            end();
            take(other);
        }
        return *this;
    }
    ~span() {
        end();
    }
    void end() {
        if (!capture_)
            return;
        etc_end(capture_, &span_);
        capture_ = nullptr;
    }
    /* Ends the event with counters. */
    void end(const etc_counter *counters, size_t n) {
        if (!capture_)
            return;
        etc_end_counted(capture_, &span_, counters, n);
        capture_ = nullptr;
    }

  private:
    span(view c, const etc_span &started) : basic_span(c, started) {
    }
};

/* Starts the event of a delegate's operator, which has a name or an id, and ends it with the
 * scope. */
class delegate_span : public basic_span {
  public:
    delegate_span() = default;
    static delegate_span of_name(view c, etc_name name) {
        return delegate_span(c, etc_start_delegate(c.get(), name, -1));
    }
    static delegate_span of_id(view c, int32_t id) {
        return delegate_span(c, etc_start_delegate(c.get(), 0, id));
    }
    delegate_span(delegate_span &&other) noexcept {
        take(other);
    }
    delegate_span &operator=(delegate_span &&other) noexcept {
        if (this != &other) {
            end();
            take(other);
        }
        return *this;
    }
    ~delegate_span() {
        end();
    }
    /* Ends the event with `size` bytes of metadata in a format of the delegate. */
    void end(const void *metadata = nullptr, size_t size = 0) {
        if (!capture_)
            return;
        etc_end_delegate(capture_, &span_, metadata, size);
        capture_ = nullptr;
    }

  private:
    delegate_span(view c, const etc_span &started) : basic_span(c, started) {
    }
};

} // namespace etcapture

#endif
