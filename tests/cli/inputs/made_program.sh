#!/bin/sh
# Programs are told by their identifier alone.
printf '\020\0\0\0ET12' >program
printf '\020\0\0\0BP08' >bundled
refused etinspect program
refused etinspect --etdump_path program
refused etinspect bundled
