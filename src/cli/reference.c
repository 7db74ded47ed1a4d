#include "cli/reference.h"

static int open_file(const char *path, bool takes_dumps, eti_file **file, eti_source *out) {
    eti_error err = ETI_ERROR_INIT;
    if (eti_file_open(file, path, &err) != ETI_OK)
        return cli_fail(&err);
    *out = eti_file_source(*file);
    eti_file_kind of = eti__file_kind(*file);
    bool may_be = of == ETI_FILE_ETRECORD /* a ZIP, too */ || of == ETI_FILE_BUNDLED_PROGRAM ||
                  (takes_dumps && (of == ETI_FILE_ETDUMP || of == ETI_FILE_RUNNER_LOG));
    const char *kind = may_be ? NULL : cli_name_of_kind(of);
    bool is_dump = of == ETI_FILE_ETDUMP || of == ETI_FILE_RUNNER_LOG;
    if (kind)
        return cli_fail_usage(
            "--reference: %s is %s: expected tensors (.npz, .npy, .safetensors, .pt)%s%s", path,
            kind, takes_dumps ? ", an ETDump or a bundled program (.bpte)" : "",
            is_dump ? "; compare with an ETDump with etinspect numerics or etinspect diff" : "");
    return CLI_OK;
}

int cli_reference_open(const cli_request *request, const char *path, bool takes_dumps,
                       eti_file **file, eti_source *out) {
    *out = (eti_source){.path = path};
    if (*path == '\0')
        return cli_fail_usage("--reference: the path is empty");
    if (cli_is_folder(path) && cli_has(request, "sandbox"))
        return cli_fail_usage("--sandbox: %s is a folder, but no more files can be opened: put the "
                              "tensors into one file",
                              path);
    return cli_is_folder(path) ? CLI_OK : open_file(path, takes_dumps, file, out);
}

int cli_reference_add(const cli_request *request, const char *path, eti_file **file) {
    eti_error err = ETI_ERROR_INIT;
    eti_source source;
    if (!path)
        return CLI_OK;
    int exit_status = cli_reference_open(request, path, false, file, &source);
    if (exit_status != CLI_OK)
        return exit_status;
    return eti_request_add_input(request->request, "reference", &source, &err) == ETI_OK
               ? CLI_OK
               : cli_fail(&err);
}

int cli_reference_check(const cli_request *request) {
    bool has_own_run = request->bit == ETI__FOR_TENSORS;
    if (request->inputs.reference_path && !request->inputs.debug_buffer_path)
        return cli_fail_usage("--reference: the ETDump does not contain the recorded tensors: give "
                              "the debug buffer written with it (--debug_buffer_path)");
    if (!request->inputs.reference_path &&
        (cli_has(request, "match") || (cli_has(request, "run") && !has_own_run)))
        return cli_fail_usage("--%s has no effect without --reference: leave it out",
                              cli_has(request, "match") ? "match" : "run");
    return CLI_OK;
}
