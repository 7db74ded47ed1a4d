/*
 * baseline.h - the file format of profiles: CSV that people can read and edit, and git can compare.
 *
 *     etinspect-baseline,2                    or etinspect-baseline,2,samples
 *     time_scale,ns                           of ticks; with the cycles a second behind it, if known
 *     method,forward
 *     label,device,pixel8                     that all files share
 *     program,file_size,1548                  the figures of the program, where it was given
 *     file,mon.etdp,15568,2d71...4881,commit=4f2a,date=2026-11-20
 *     file,tue.etdp,15568,a1fc...b0fa,commit=77c0,date=2026-11-21
 *     columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,step,location,p50,p90,avg,min,max
 *     block,Execute,,50;48,2;2                name, bundled input, runs, runs that were left out before these, and,
 *                                             of a program with several methods, the method
 *     execute,Method::execute,,,,,,,,,,1,513.5;511.25,...
 *     kernel,native_call_addmm.out,aten.addmm.default,aten.addmm.default,fc,,,5,model.py,12,return self.fc(x),1,98;97.5,...
 *
 * A file has its name without folders, its size, SHA-256 and the labels that may differ. Entries belong to the block
 * before them, in the order of profile.h: an event that is added is a line more. Lists have an item for each file, with ; between; those of what a
 * file lacks are empty. Times are ticks, of `allocated`, the last entry if it was recorded, bytes. With samples, `ticks`
 * is in place of the step and the times: all runs, with ; between them, and | between files. An unknown value is empty.
 * Columns that a later version adds come last. baseline_v1.c has what version 1 is like, which is read, too.
 */
#ifndef ETI_PROFILE_BASELINE_H
#define ETI_PROFILE_BASELINE_H

#include "base/files/atomic_file.h"
#include "program/figures.h"
#include "read/kind.h"

#define ETI_BASELINE_VERSION 2

/* Writes all files of a profile, and the figures of its program unless they are NULL; with `samples`, which the profile has,
 * those too. False: out of memory. */
bool eti__baseline_write(const struct eti_profile *profile, const eti_figures *figures,
                         bool samples, eti_output *output);

#endif
