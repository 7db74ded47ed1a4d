#!/bin/sh
# Errors in a request are reported before any process runs.
refused etinspect measure
refused etinspect measure --base 'x {}'
refused etinspect measure --base 'x {}' --fail_on 'total:p50>+5%'
refused etinspect measure x.etdp y.etdp
refused etinspect measure --new x
refused etinspect measure --new ''
refused etinspect measure --new ' ' --shell
refused etinspect measure --new 'x {} | tee y'
refused etinspect measure --new 'x {} "'
# shellcheck disable=SC2016 # text that a shell would expand is rejected
refused etinspect measure --new 'x {}' --before '$HOME/x'
refused etinspect measure --new 'x {}' --fail_on 'total:p50>1s'
refused etinspect measure --new 'x {}' --report junit=x.xml
refused etinspect measure --new 'x {}' --github
refused etinspect measure --new 'x {}' --failed_status 0
refused etinspect measure --base 'x {}' --new 'x {}' --group op
refused etinspect measure --base 'x {}' --new 'x {}' --failed_status 256
refused etinspect measure --base 'x {}' --new 'x {}' --pairs 4
refused etinspect measure --base 'x {}' --new 'x {}' --alpha 2
show etinspect measure --base 'x {}' --new 'x {}' --fail_on nonsense
refused etinspect measure --base 'x {}' --new 'x {}' --sandbox
refused etinspect measure --new 'x {}' --etrecord_path missing.etrecord
refused etinspect measure --base 'x {}' --new 'x {}' --base_etrecord_path missing.etrecord
refused etinspect measure --base 'x {}' --new 'x {}' --base_etrecord_path testdata/small/record.etrecord \
    --output testdata/small/record.etrecord
refused etinspect measure --new 'x {}' --output_dir testdata/README.md
