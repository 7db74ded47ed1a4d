#!/bin/sh
# A rule does not pass if only the base has a block, if the sides have little in common, or if warm-up took many more
# runs of the new side. The message names the reason and what to do. Dropped runs are reported in each form.
SEED=1 history 5 >base
SEED=2 history 5 >same
baseline base.csv <base
baseline same.csv <same
warm_up() { # RUNS FILE: runs that were dropped in all five files together
    sed "s/^block,Execute,,5,0/block,Execute,,5,$1/" "$2"
}
echo '== warm-up'
warm_up 20 same | baseline late.csv
warm_up 20 base | baseline late_base.csv
show etinspect gate base.csv late.csv --report json=late.json --report markdown=late.md
grep -o 'new: dropped[^"]*' late.json late.md
show etinspect gate base.csv late.csv --fail_on 'total:max>1ms'
show etinspect gate late.csv --fail_on 'total:max>1ms'
show etinspect gate base.csv late.csv --fail_on 'total:max>1us'
show etinspect gate late_base.csv late.csv
show etinspect gate base.csv late.csv --fail_on 'total:max>1ms' --fail_on 'op:p50>+5%' --allow_unlike
warm_up 10 same | baseline usual.csv
show etinspect gate base.csv usual.csv --fail_on 'total:max>1ms' --fail_on 'op:p50>+5%'
echo '== a block of the base alone'
{
    sed 's/^block,Execute/block,prefill/' base
    SEED=3 history 5 | sed '1,/^columns/d; s/^block,Execute/block,decode/'
} >methods
baseline methods.csv <methods
{
    sed 's/^block,Execute/block,prefill/' same
    SEED=4 history 5 all 3 0 | sed '1,/^columns/d; s/^block,Execute/block,decode_v2/'
} | baseline renamed.csv
show etinspect gate methods.csv renamed.csv
show etinspect gate methods.csv renamed.csv --fail_on 'total:p50>+5%' --allow_unlike
echo '== little in common'
sed '/addmm/!s/native_call_/other_/' same | baseline other.csv
show etinspect gate base.csv other.csv
show etinspect gate base.csv other.csv --fail_on 'total:p50>+5%' --fail_on 'op:p50>1ms'
show etinspect gate base.csv other.csv --fail_on 'op:p50>+5%' --allow_unlike
echo '== a block without a common event'
sed 's/^block,decode/block,second/' methods >two
baseline two.csv <two
sed '/^block,second/,$s/native_call_/other_/' two | baseline replaced.csv
show etinspect gate two.csv replaced.csv
show etinspect gate two.csv replaced.csv --fail_on 'total:p50>+5%'
