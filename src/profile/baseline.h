/*
 * baseline.h - the file format of profiles: CSV that can be read and edited by hand, and compared by git.
 *
 *     etinspect-baseline,3                    or etinspect-baseline,3,samples
 *     time_scale,ns                           of ticks; followed by the cycles per second, if known, and
 *                                             BACKEND=SCALE for each backend that logged events
 *     method,forward
 *     label,device,pixel8                     shared by all files
 *     program,file_size,1548                  figures of the program, if it was given
 *     file,mon.etdp,15568,2d71...4881,commit=4f2a,date=2026-11-20
 *     file,tue.etdp,15568,a1fc...b0fa,commit=77c0,date=2026-11-21
 *     columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,step,location,p50,p90,avg,min,max
 *     block,Execute,,50;48,2;2                name, bundled input, runs, runs dropped before these, and, if the program
 *                                             has several methods, the method
 *     execute,Method::execute,,,,,,,,,,1,513.5;511.25,...
 *     kernel,native_call_addmm.out,aten.addmm.default,aten.addmm.default,fc,,,5,model.py,12,return self.fc(x),1,98;97.5,...
 *     end,10                                  number of the records before this one
 *
 * A file has its name without folders, its size, its SHA-256 and the labels that may differ. Entries belong to the block
 * before them, in the order of profile.h: an added event is one more line. Lists have an item for each file, separated by
 * ;, which is empty if the file lacks the entry. Times are in ticks; those of `allocated`, the last entry if it was
 * recorded, are bytes. With samples, the step and the times are replaced by `ticks`, the times of all runs, separated by ;
 * and between files by |. An unknown value is empty. Columns added by later versions come last.
 */
#ifndef ETI_PROFILE_BASELINE_H
#define ETI_PROFILE_BASELINE_H

#include "base/output.h"
#include "program/program.h"

#define ETI_BASELINE_VERSION 3
#define ETI_BASELINE_END "end"

/* Writes all files of a profile, and the figures of its program unless they are NULL. With `samples`, which the profile must
 * have, writes the times of all runs. False: out of memory. */
bool eti__baseline_write(const struct eti_profile *profile, const eti_figures *figures,
                         bool samples, eti_output *output);

#endif
