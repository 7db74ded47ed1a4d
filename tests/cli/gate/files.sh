#!/bin/sh
# Budgets and lists of exceptions: their effects, and the messages about errors in them. The day is that of the build.
SEED=1 history 5 | baseline base.csv
SEED=2 history 5 layer_norm 1.5 0 | baseline slow.csv
printf '%s\n' what,metric,limit,comment 'total,p50,1us,"one frame, all in all"' native_call_add*,p90,+20%, >budget.csv
show etinspect gate base.csv slow.csv --budget budget.csv
printf '%s\n' pattern,reason,expires '*layer_norm*,"new kernel, see #12",2026-03-01' aten.gone,old, >allow.csv
export SOURCE_DATE_EPOCH=1772323200
show etinspect gate base.csv slow.csv --allow allow.csv
export SOURCE_DATE_EPOCH=1772409600
show etinspect gate base.csv slow.csv --allow allow.csv
export SOURCE_DATE_EPOCH=soon
refused etinspect gate base.csv slow.csv
unset SOURCE_DATE_EPOCH
printf '%s\n' what,metric,limit 'total,p50,1' >bad.csv
refused etinspect gate base.csv slow.csv --budget bad.csv
printf '%s\n' pattern,reason,expires 'x,y,2026-02-30' >bad.csv
refused etinspect gate base.csv slow.csv --allow bad.csv
refused etinspect gate base.csv slow.csv --allow missing.csv
: >empty.csv
refused etinspect gate base.csv slow.csv --budget empty.csv
echo what,metric,limit >empty.csv
refused etinspect gate base.csv slow.csv --budget empty.csv
# A field without a column is refused: it may be a condition that its author relies on. Empty fields at the end are not.
printf '%s\n' what,metric,limit total,p50,+50%,min_share=90% >bad.csv
refused etinspect gate base.csv slow.csv --budget bad.csv
printf '%s\n' pattern,reason '*layer_norm*,a,b,2099-01-01' >bad.csv
refused etinspect gate base.csv slow.csv --allow bad.csv
printf '%s\n' '# a, comment, with, commas' what,metric,limit total,p50,+900%,, >empty.csv
show etinspect gate base.csv slow.csv --budget empty.csv
