#!/bin/sh
# ZIPs with compressed members: deflated members are read, others are rejected.
mlp=testdata/mlp
unpack $mlp/record.etrecord members
pack members record.etrecord -9
etinspect $mlp/run.etdp record.etrecord | cmp - $mlp/table.txt
# A ZIP written to a pipe, with sizes and checksum after each member.
(cd members && find . -type f | sort | zip -q -X -D - -@ | cat) >record.etrecord
etinspect $mlp/run.etdp record.etrecord | cmp - $mlp/table.txt
pack members record.etrecord -Z bzip2 -9
refused etinspect $mlp/run.etdp record.etrecord
pack members record.etrecord -P secret
refused etinspect $mlp/run.etdp record.etrecord
: >empty
zip -q other.zip empty
refused etinspect $mlp/run.etdp other.zip
