#!/bin/sh
# help explains each command, and lists the commands with at most nine other lines, of at most 80 columns each, on one screen;
# so does the program without arguments.
etinspect help
etinspect help >expected
[ "$(grep -c '^  [a-z]' expected)" = "$(etinspect help --list | grep '^command' | grep -vc '^command.help')" ] || echo 'not a line for each'
[ "$(grep -vc '^  [a-z]' expected)" -le 9 ] || echo 'too long'
grep -E '^.{80}' expected
etinspect 2>found
echo "exit $?"
cmp found expected
etinspect help check
etinspect help check >expected
etinspect check --help all | cmp - expected
etinspect check nosuch -h all | cmp - expected
etinspect help help
etinspect help --help | head -n 1
refused etinspect help nosuch
refused etinspect help --foo
