#!/bin/sh
# Programs are recognized by their identifier alone.
printf '\020\0\0\0ET12' >made
printf '\020\0\0\0BP08' >bundled
refused etinspect made
refused etinspect --etdump_path made
refused etinspect bundled
