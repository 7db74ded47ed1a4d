/*
 * baseline.h - the file format of profiles: CSV that people can read and edit, and git can compare.
 *
 *     etinspect-baseline,1                    or etinspect-baseline,1,summary
 *     time_scale,ns                           of ticks; with the cycles a second behind it, if known
 *     method,forward
 *     label,device,pixel8
 *     columns,name,op,module,backend,delegate_id,handles,file,line,code,ticks
 *     block,Execute,,50,2                     name, bundled input, runs, runs that were left out before these
 *     execute,Method::execute,,,,,,,,,513;501;...
 *     kernel,native_call_addmm.out,aten.addmm.default,fc,,,5,model.py,12,return self.fc(x),101;99;...
 *
 * Entries belong to the block before them, in the order of profile.h. Ticks are one per run, or in a summary p10, p50,
 * p90, avg, min and max; of `allocated`, the last one if it was recorded, they are bytes. An unknown value is empty.
 * Columns that a later version adds come last.
 */
#ifndef ETI_COMPARE_BASELINE_H
#define ETI_COMPARE_BASELINE_H

#include "base/atomic_file.h"
#include "read/kind.h"

#define ETI_BASELINE_VERSION 1

/* Writes all of it; see eti_profile_save(). False: out of memory. */
bool eti__baseline_write(const struct eti_profile *profile, bool summarise, eti_output *output);

#endif
