#!/bin/sh
# With a debug buffer the runtime damages the ETDump of a model of half precision: what to do instead is said.
refused etinspect data/half-precision/run.etdp
refused etinspect summary data/half-precision/run.etdp
show etinspect check data/half-precision/run.etdp
