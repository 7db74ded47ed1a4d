#!/bin/sh
# help explains each command, and tells which there are.
etinspect help | sed -n '/^Commands:/,$p'
etinspect --help >expected
etinspect help | head -n "$(wc -l <expected)" | cmp - expected
etinspect help check
etinspect help check >expected
etinspect check --help | cmp - expected
etinspect check nosuch -h | cmp - expected
etinspect help help
etinspect help --help | head -n 1
refused etinspect help nosuch
refused etinspect help --foo
