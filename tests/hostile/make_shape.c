/*
 * make_shape.c - make_shape list
 *                make_shape SHAPE SIZE FOLDER
 *
 * Lists the shapes, one per line: name, the valid one to compare with, and the correct exit statuses. Or writes one into a
 * new folder: run.etdp and, if the shape has them, record.etrecord, debug.bin and reference.bin; or model.pte.
 */
#include "shapes.h"

#include <sys/stat.h>
#include <zip.h>

static const shape *const all_shapes[] = {dump_shapes, record_shapes, pair_shapes, program_shapes,
                                          tensor_shapes};

#define N_LISTS (sizeof all_shapes / sizeof *all_shapes)

static void list_shapes(void) {
    for (size_t i = 0; i < N_LISTS; i++) {
        for (const shape *s = all_shapes[i]; s->name; s++)
            printf("%s %s %s\n", s->name, s->valid, s->exits);
    }
}

static const shape *find_shape(const char *name) {
    for (size_t i = 0; i < N_LISTS; i++) {
        for (const shape *s = all_shapes[i]; s->name; s++) {
            if (strcmp(s->name, name) == 0)
                return s;
        }
    }
    return NULL;
}

static int fail(const char *what) {
    fprintf(stderr, "make_shape: %s\n", what);
    return 1;
}

static bool write_file(const char *folder, const char *name, const void *data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool ok = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && ok;
}

static bool add_to_zip(zip_t *zip, const record_member *member) {
    zip_source_t *source = zip_source_buffer(zip, member->content.data, member->content.size, 0);
    zip_int64_t index = source ? zip_file_add(zip, member->name, source, 0) : -1;
    zip_int32_t method = member->is_deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
    return index >= 0 && zip_set_file_compression(zip, (zip_uint64_t)index, method, 9) == 0;
}

static bool write_record(const files *made, const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/record.etrecord", folder);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    bool ok = zip != NULL;
    for (size_t i = 0; ok && i < made->n_members; i++)
        ok = !made->members[i].content.failed && add_to_zip(zip, &made->members[i]);
    return ok && zip_close(zip) == 0;
}

static bool write_files(const files *made, const char *folder) {
    if (made->debug.failed || made->reference.failed || mkdir(folder, 0777) != 0)
        return false;
    if (made->program.size > 0)
        return write_file(folder, "model.pte", made->program.file.data, made->program.file.size);
    if (!write_file(folder, "run.etdp", made->dump.file.data, made->dump.file.size))
        return false;
    if (made->debug.size > 0 &&
        !write_file(folder, "debug.bin", made->debug.data, made->debug.size))
        return false;
    if (made->reference.size > 0 &&
        !write_file(folder, "reference.bin", made->reference.data, made->reference.size))
        return false;
    return made->n_members == 0 || write_record(made, folder);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list_shapes();
        return 0;
    }
    if (argc != 4)
        return fail("usage: make_shape list | make_shape SHAPE SIZE FOLDER");
    const shape *wanted = find_shape(argv[1]);
    if (!wanted)
        return fail("there is no such shape");
    files made = {0};
    wanted->make(&made, (size_t)strtoull(argv[2], NULL, 10));
    bool ok = write_files(&made, argv[3]);
    builder_free(&made.dump);
    builder_free(&made.program);
    eti__buffer_free(&made.debug);
    eti__buffer_free(&made.reference);
    for (size_t i = 0; i < made.n_members; i++)
        eti__buffer_free(&made.members[i].content);
    return ok ? 0 : fail("cannot write");
}
