#include "cli/reference.h"

#include <sys/stat.h>

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int open_file(const char *path, eti_file **file, eti_source *out) {
    eti_error err = ETI_ERROR_INIT;
    if (eti_file_open(file, path, &err) != ETI_OK)
        return cli_fail(&err);
    *out = eti_file_source(*file);
    eti_file_kind of = eti_file_kind_of(out->data, out->size);
    bool may_be = of == ETI_FILE_ETRECORD /* a ZIP, too */ || of == ETI_FILE_BUNDLED_PROGRAM;
    const char *kind = may_be ? NULL : cli_name_of_kind(of);
    if (kind)
        return cli_fail_usage("--reference: %s is %s: expected tensors (.npz, .npy, "
                              ".safetensors, .pt) or a bundled program (.bpte); an ETDump stands "
                              "before the one that is compared with it",
                              path, kind);
    return CLI_OK;
}

int cli_reference_add(const cli_request *request, const char *path, eti_file **file) {
    eti_error err = ETI_ERROR_INIT;
    eti_source source = {.path = path};
    int exit_status = CLI_OK;
    if (!path)
        return CLI_OK;
    if (*path == '\0')
        return cli_fail_usage("--reference: the path is empty");
    if (is_folder(path) && cli_has(request, "sandbox"))
        return cli_fail_usage("--sandbox: %s is a folder, and no more files can be opened: put the "
                              "tensors into one file",
                              path);
    if (!is_folder(path))
        exit_status = open_file(path, file, &source);
    if (exit_status != CLI_OK)
        return exit_status;
    return eti_request_add_input(request->request, "reference", &source, &err) == ETI_OK
               ? CLI_OK
               : cli_fail(&err);
}
