// program_oracle.cc - programs, bundles and data files as flatbuffers::Verifier and what flatc makes of the schemas see them.
#include "program_oracle.h"

#include "bundled_program_generated.h"
#include "flat_tensor_generated.h"
#include "program_generated.h"

#include <cstring>
#include <memory>
#include <new>

bool program_oracle_accepts(program_oracle_kind kind, const uint8_t *data, size_t size) {
    // exactly as many bytes as the buffer has, aligned as malloc does
    std::unique_ptr<uint8_t[]> bytes(new (std::nothrow) uint8_t[size + !size]);
    if (!bytes || size >= FLATBUFFERS_MAX_BUFFER_SIZE)
        return false;
    std::memcpy(bytes.get(), data, size);
    flatbuffers::Verifier::Options options;
    options.check_alignment = false;
    options.max_tables = UINT32_MAX;
    flatbuffers::Verifier verifier(bytes.get(), size, options);
    switch (kind) {
    case PROGRAM_ORACLE_PTE:
        return executorch_flatbuffer::VerifyProgramBuffer(verifier);
    case PROGRAM_ORACLE_BPTE:
        return bundled_program_flatbuffer::VerifyBundledProgramBuffer(verifier);
    default:
        return flat_tensor_flatbuffer::VerifyFlatTensorBuffer(verifier);
    }
}
