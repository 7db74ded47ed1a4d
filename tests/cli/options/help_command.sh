#!/bin/sh
# help explains each command, and lists them in 30 lines of 80 columns; so does the program without arguments.
etinspect help
etinspect help >expected
[ "$(wc -l <expected)" -le 30 ] || echo 'too long'
grep -E '^.{80}' expected
etinspect 2>found
echo "exit $?"
cmp found expected
etinspect help check
etinspect help check >expected
etinspect check --help | cmp - expected
etinspect check nosuch -h | cmp - expected
etinspect help help
etinspect help --help | head -n 1
refused etinspect help nosuch
refused etinspect help --foo
