#!/bin/sh
# With a debug buffer, the runtime damages the ETDump of a half-precision model: the message gives an alternative.
refused etinspect data/half-precision/run.etdp
refused etinspect summary data/half-precision/run.etdp
show etinspect check data/half-precision/run.etdp
