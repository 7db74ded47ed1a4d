/*
 * reference.h - the value of --reference: a file or a folder of tensors, or a bundled program.
 */
#ifndef ETI_CLI_REFERENCE_H
#define ETI_CLI_REFERENCE_H

#include "cli/request.h"
#include "etinspect.h"

/* Opens the file at `path`; the library opens folders. With `takes_dumps` an ETDump is a reference, too. The caller closes
 * the file. Returns CLI_OK, or an exit status after a message. */
int cli_reference_open(const cli_request *request, const char *path, bool takes_dumps,
                       eti_file **file, eti_source *out);

/* Rejects options of a reference if there is none, and a reference if there are no recorded tensors. Call it once the inputs
 * are open. Returns CLI_OK, or an exit status after a message. */
int cli_reference_check(const cli_request *request);

/* Opens the file at `path`, if it is not NULL, and adds it to the request. The caller closes the file. Returns CLI_OK, or an
 * exit status after a message. */
int cli_reference_add(const cli_request *request, const char *path, eti_file **file);

#endif
