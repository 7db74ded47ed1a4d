#!/bin/sh
# The folder of an inspection of the Neuron Runtime stands for the ETDumps of its NeuronCores, and without them for the calls.
mlp=testdata/mlp
mkdir session empty
cp $mlp/run.etdp session/system.etdp
etinspect session | cmp - $mlp/etdump-only.txt
cp $mlp/run.etdp session/nc_10.etdp
cp testdata/xnnpack-conv/run.etdp session/nc_9.etdp
cp $mlp/run.etdp session/nc_1024.etdp
echo 'not an ETDump' >session/system.etdp
etinspect session >folder
etinspect session/nc_9.etdp session/nc_10.etdp | cmp - folder
etinspect session/nc_10.etdp session/nc_9.etdp | cmp -s - folder || echo 'the order is that of the numbers'
refused etinspect empty
