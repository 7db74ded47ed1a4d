#!/bin/sh
# A small member that inflates to much more than could be of use: read piece by piece, so it takes no memory.
mkdir members
: >members/ETRECORD_V0
head -c 50000000 /dev/zero | tr '\0' ' ' >members/delegate_map
pack members record.etrecord -9
refused etinspect testdata/mlp/run.etdp record.etrecord
