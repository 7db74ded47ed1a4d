// etdump_oracle.cc - the ETDump as flatbuffers::Verifier and what flatc makes of the schema see it.
//
// Two walks. The one over all fields goes along flatc's reflection tables, so that it cannot forget
// a field; the one over the events uses the accessors that flatc generates, so that it has the
// schema's defaults.
#include "etdump_oracle.h"

#include "etdump_generated.h"
#include "flatbuffers/minireflect.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

using flatbuffers::ReadScalar;
using flatbuffers::soffset_t;
using flatbuffers::Table;
using flatbuffers::TypeTable;
using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;

struct etdump_oracle {
    std::unique_ptr<uint8_t[]> bytes; // exactly as many as the buffer has, aligned as malloc does
    size_t size = 0;
    etdump_oracle_answer answer = ETDUMP_ORACLE_NO_IDENTIFIER;
    unsigned stricter = 0;
    std::vector<etdump_fact> fields, events;
};

namespace {

using Facts = std::vector<etdump_fact>;

// As in src/flatbuf/flatbuf.c: so many bytes may be visited.
const uint64_t kWorkFloor = 4096, kWorkFactor = 32, kSmallestTable = 4;

// ---- facts ------------------------------------------------------------------------------------

// Room for as many as real dumps have: growing step by step takes longer than the walk.
void Reserve(Facts &facts, size_t buffer_size) {
    facts.reserve(std::min<size_t>(buffer_size / 4, 1 << 16));
}

void AddPlain(Facts &facts, etdump_fact_kind kind, const char *name, uint64_t bits = 0) {
    facts.push_back({kind, name, bits, nullptr, 0});
}

void AddNumber(Facts &facts, const char *name, int64_t number) {
    AddPlain(facts, ETDUMP_FACT_NUMBER, name, static_cast<uint64_t>(number));
}

void AddUnsigned(Facts &facts, const char *name, uint64_t number) {
    AddPlain(facts, ETDUMP_FACT_NUMBER, name, number);
}

void AddDouble(Facts &facts, const char *name, double number) {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    AddUnsigned(facts, name, bits);
}

// Strings and vectors of bytes.
template <typename Bytes> void AddText(Facts &facts, const char *name, const Bytes *bytes) {
    if (bytes)
        facts.push_back({ETDUMP_FACT_TEXT, name, 0, bytes->Data(), bytes->size()});
    else
        AddPlain(facts, ETDUMP_FACT_ABSENT, name);
}

// ---- every field ------------------------------------------------------------------------------

size_t Width(const TypeTable *types, size_t field) {
    auto code = types->type_codes[field];
    if (code.is_repeating)
        return sizeof(uoffset_t);
    auto type = static_cast<flatbuffers::ElementaryType>(code.base_type);
    return flatbuffers::InlineSize(
        type, type == flatbuffers::ET_SEQUENCE ? types->type_refs[code.sequence_ref]() : nullptr);
}

const uint8_t *Follow(const uint8_t *at) {
    return at + ReadScalar<uoffset_t>(at);
}

// Calls a visitor for each table, field and end of a table, in the order of the schema.
template <typename Visitor>
void Walk(Visitor &visitor, const char *name, const uint8_t *place, const TypeTable *types) {
    auto table = reinterpret_cast<const Table *>(place);
    visitor.StartTable(name, place, table->GetVTable());
    for (size_t i = 0; i < types->num_elems; i++) {
        auto slot = static_cast<voffset_t>(4 + 2 * i);
        const uint8_t *at = table->GetAddressOf(slot);
        const char *field = types->names[i];
        auto code = types->type_codes[i];
        auto type = static_cast<flatbuffers::ElementaryType>(code.base_type);
        if (!at)
            continue;
        visitor.Place(place, table->GetVTable(), table->GetOptionalFieldOffset(slot),
                      Width(types, i));
        if (type != flatbuffers::ET_SEQUENCE) {
            visitor.Leaf(field, type, code.is_repeating, at);
        } else if (!code.is_repeating) {
            Walk(visitor, field, Follow(at), types->type_refs[code.sequence_ref]());
        } else {
            const uint8_t *vector = Follow(at);
            auto count = ReadScalar<uoffset_t>(vector);
            visitor.Vector(field, count);
            for (uoffset_t k = 0; k < count; k++)
                Walk(visitor, field, Follow(vector + 4 + 4 * static_cast<size_t>(k)),
                     types->type_refs[code.sequence_ref]());
        }
    }
    visitor.EndTable(name);
}

struct FieldCollector {
    Facts &facts;

    void StartTable(const char *name, const uint8_t *, const uint8_t *) {
        AddPlain(facts, ETDUMP_FACT_TABLE, name);
    }
    void EndTable(const char *name) {
        AddPlain(facts, ETDUMP_FACT_END, name);
    }
    void Place(const uint8_t *, const uint8_t *, voffset_t, size_t) {
    }
    void Vector(const char *name, uoffset_t count) {
        AddPlain(facts, ETDUMP_FACT_VECTOR, name, count);
    }

    void Leaf(const char *name, flatbuffers::ElementaryType type, bool is_vector,
              const uint8_t *at) {
        if (type == flatbuffers::ET_STRING) {
            AddText(facts, name, reinterpret_cast<const flatbuffers::String *>(Follow(at)));
        } else if (is_vector && type == flatbuffers::ET_UCHAR) {
            AddText(facts, name,
                    reinterpret_cast<const flatbuffers::Vector<uint8_t> *>(Follow(at)));
        } else if (is_vector) {
            const uint8_t *vector = Follow(at);
            auto count = ReadScalar<uoffset_t>(vector);
            Vector(name, count);
            for (uoffset_t i = 0; i < count; i++)
                Number(name, type, vector + 4 + i * flatbuffers::InlineSize(type, nullptr));
        } else {
            Number(name, type, at);
        }
    }

    void Number(const char *name, flatbuffers::ElementaryType type, const uint8_t *at) {
        switch (type) {
        case flatbuffers::ET_CHAR:
            AddNumber(facts, name, ReadScalar<int8_t>(at));
            break;
        case flatbuffers::ET_BOOL:
        case flatbuffers::ET_UCHAR:
            AddUnsigned(facts, name, ReadScalar<uint8_t>(at));
            break;
        case flatbuffers::ET_INT:
            AddNumber(facts, name, ReadScalar<int32_t>(at));
            break;
        case flatbuffers::ET_UINT:
        case flatbuffers::ET_FLOAT: // as its bits
            AddUnsigned(facts, name, ReadScalar<uint32_t>(at));
            break;
        case flatbuffers::ET_LONG:
            AddNumber(facts, name, ReadScalar<int64_t>(at));
            break;
        case flatbuffers::ET_ULONG:
        case flatbuffers::ET_DOUBLE:
            AddUnsigned(facts, name, ReadScalar<uint64_t>(at));
            break;
        default:
            abort(); // the schema has got a type that is not written here
        }
    }
};

// ---- what we refuse besides -------------------------------------------------------------------

struct ReasonFinder {
    const uint8_t *end;
    unsigned reasons;

    // The second word of a vtable is the table's size; it must be there.
    static bool HasSizes(const uint8_t *vtable) {
        return ReadScalar<voffset_t>(vtable) >= 4;
    }

    void StartTable(const char *, const uint8_t *table, const uint8_t *vtable) {
        if (!HasSizes(vtable)) {
            reasons |= ETDUMP_STRICTER_VTABLE_SIZE;
            return;
        }
        auto size = ReadScalar<voffset_t>(vtable + 2);
        if (size < 4 || size > end - table)
            reasons |= ETDUMP_STRICTER_TABLE_SIZE;
    }
    void EndTable(const char *) {
    }
    // A table with a field has a vtable with sizes.
    void Place(const uint8_t *, const uint8_t *vtable, voffset_t offset, size_t width) {
        if (offset < 4 || offset + width > ReadScalar<voffset_t>(vtable + 2))
            reasons |= ETDUMP_STRICTER_FIELD_PLACE;
    }
    void Vector(const char *, uoffset_t) {
    }

    void Leaf(const char *, flatbuffers::ElementaryType, bool, const uint8_t *) {
    }
};

// ---- events -----------------------------------------------------------------------------------

void AddTensor(Facts &facts, const etdump::Tensor *tensor) {
    AddPlain(facts, ETDUMP_FACT_TABLE, "tensor");
    AddNumber(facts, "scalar_type", static_cast<int8_t>(tensor->scalar_type()));
    if (auto sizes = tensor->sizes()) {
        AddPlain(facts, ETDUMP_FACT_VECTOR, "sizes", sizes->size());
        for (uoffset_t i = 0; i < sizes->size(); i++)
            AddNumber(facts, "size", sizes->Get(i));
    } else {
        AddPlain(facts, ETDUMP_FACT_ABSENT, "sizes");
    }
    AddNumber(facts, "offset", tensor->offset());
}

void AddTensors(Facts &facts, const etdump::TensorList *list) {
    auto tensors = list->tensors();
    auto count = tensors ? tensors->size() : 0;
    AddPlain(facts, ETDUMP_FACT_VECTOR, "tensors", count);
    for (uoffset_t i = 0; i < count; i++)
        AddTensor(facts, tensors->Get(i));
}

// The member that the type names, if it is there.
bool AddContent(Facts &facts, const etdump::Value *value) {
    auto type = static_cast<int>(value->val());
    if (type == etdump::ValueType_Int && value->int_value())
        AddNumber(facts, "int", value->int_value()->int_val());
    else if (type == etdump::ValueType_Bool && value->bool_value())
        AddNumber(facts, "bool", value->bool_value()->bool_val());
    else if (type == etdump::ValueType_Float && value->float_value())
        AddDouble(facts, "double", static_cast<double>(value->float_value()->float_val()));
    else if (type == etdump::ValueType_Double && value->double_value())
        AddDouble(facts, "double", value->double_value()->double_val());
    else if (type == etdump::ValueType_Tensor && value->tensor())
        AddTensor(facts, value->tensor());
    else if (type == etdump::ValueType_TensorList && value->tensor_list())
        AddTensors(facts, value->tensor_list());
    else
        return false;
    return true;
}

void AddDebugValue(Facts &facts, const etdump::Value *value) {
    AddPlain(facts, value ? ETDUMP_FACT_TABLE : ETDUMP_FACT_ABSENT, "debug_value");
    AddNumber(facts, "is_run_output", value && value->output() && value->output()->bool_val());
    if (!value)
        return;
    AddNumber(facts, "type", static_cast<int8_t>(value->val()));
    if (!AddContent(facts, value))
        AddPlain(facts, ETDUMP_FACT_ABSENT, "content");
}

// Profile and debug events have these in common.
template <typename Keyed> void AddKey(Facts &facts, const Keyed *event) {
    AddNumber(facts, "instruction_id", event->instruction_id());
    AddNumber(facts, "delegate_id_int", event->delegate_debug_id_int());
    AddText(facts, "delegate_id_str", event->delegate_debug_id_str());
    AddUnsigned(facts, "chain_index", static_cast<uint64_t>(event->chain_index()));
    AddText(facts, "name", event->name());
}

void AddEvent(Facts &facts, const etdump::Event *event) {
    auto profile = event->profile_event();
    auto debug = event->debug_event();
    AddNumber(facts, "kind", profile ? 1 : debug ? 2 : event->allocation_event() ? 3 : 0);
    if (profile) {
        AddKey(facts, profile);
        auto metadata = profile->delegate_debug_metadata();
        facts.push_back({ETDUMP_FACT_TEXT, "metadata", 0, metadata ? metadata->Data() : nullptr,
                         metadata ? metadata->size() : 0});
        AddUnsigned(facts, "start_time", profile->start_time());
        AddUnsigned(facts, "end_time", profile->end_time());
    } else if (debug) {
        AddKey(facts, debug);
    }
    if (debug)
        AddDebugValue(facts, debug->debug_entry());
}

void AddRun(Facts &facts, const etdump::RunData *run) {
    AddText(facts, "name", run->name());
    AddNumber(facts, "bundled_input_index", run->bundled_input_index());
    auto events = run->events();
    if (!events) {
        AddPlain(facts, ETDUMP_FACT_ABSENT, "events");
        return;
    }
    AddPlain(facts, ETDUMP_FACT_VECTOR, "events", events->size());
    for (uoffset_t i = 0; i < events->size(); i++)
        AddEvent(facts, events->Get(i));
}

// ---- opening ----------------------------------------------------------------------------------

// The buffer behind the size prefix, if there is one; null without an identifier.
const uint8_t *Find(const uint8_t *data, size_t size) {
    const char *identifier = etdump::ETDumpIdentifier();
    if (size >= 12 && std::memcmp(data + 8, identifier, 4) == 0)
        return data + 4;
    if (size >= 8 && std::memcmp(data + 4, identifier, 4) == 0)
        return data;
    return nullptr;
}

bool Verifies(const uint8_t *bytes, size_t size) {
    flatbuffers::Verifier::Options options;
    uint64_t most = (kWorkFloor + kWorkFactor * size) / kSmallestTable;
    options.check_alignment = false;
    options.max_tables = static_cast<uoffset_t>(most > UINT32_MAX ? UINT32_MAX : most);
    flatbuffers::Verifier verifier(bytes, size, options);
    return etdump::VerifyETDumpBuffer(verifier);
}

const uint8_t *Root(const etdump_oracle *oracle) {
    return Follow(oracle->bytes.get());
}

void Judge(etdump_oracle *oracle, const uint8_t *data, size_t size) {
    const uint8_t *buffer = Find(data, size);
    if (!buffer)
        return;
    oracle->size = size - static_cast<size_t>(buffer - data);
    oracle->answer = ETDUMP_ORACLE_TOO_LARGE;
    if (oracle->size >= FLATBUFFERS_MAX_BUFFER_SIZE)
        return;
    oracle->bytes.reset(new uint8_t[oracle->size]);
    std::memcpy(oracle->bytes.get(), buffer, oracle->size);
    oracle->answer = ETDUMP_ORACLE_REFUSES;
    if (!Verifies(oracle->bytes.get(), oracle->size))
        return;
    oracle->answer = ETDUMP_ORACLE_ACCEPTS;
    ReasonFinder finder{oracle->bytes.get() + oracle->size, 0};
    Walk(finder, "ETDump", Root(oracle), etdump::ETDumpTypeTable());
    oracle->stricter = finder.reasons;
}

} // namespace

etdump_oracle *etdump_oracle_open(const uint8_t *data, size_t size) try {
    std::unique_ptr<etdump_oracle> oracle(new etdump_oracle);
    Judge(oracle.get(), data, size);
    return oracle.release();
} catch (const std::bad_alloc &) {
    return nullptr;
}

void etdump_oracle_close(etdump_oracle *oracle) {
    delete oracle;
}

etdump_oracle_answer etdump_oracle_verdict(const etdump_oracle *oracle) {
    return oracle->answer;
}

unsigned etdump_oracle_stricter(const etdump_oracle *oracle) {
    return oracle->stricter;
}

const etdump_fact *etdump_oracle_fields(etdump_oracle *oracle, size_t *n) {
    Facts &facts = oracle->fields;
    if (facts.empty()) {
        Reserve(facts, oracle->size);
        FieldCollector collector{facts};
        Walk(collector, "ETDump", Root(oracle), etdump::ETDumpTypeTable());
    }
    *n = facts.size();
    return facts.data();
}

const etdump_fact *etdump_oracle_events(etdump_oracle *oracle, size_t *n) {
    Facts &facts = oracle->events;
    if (facts.empty()) {
        Reserve(facts, oracle->size);
        auto runs = etdump::GetETDump(oracle->bytes.get())->run_data();
        auto count = runs ? runs->size() : 0;
        AddPlain(facts, ETDUMP_FACT_VECTOR, "runs", count);
        for (uoffset_t i = 0; i < count; i++)
            AddRun(facts, runs->Get(i));
    }
    *n = facts.size();
    return facts.data();
}
