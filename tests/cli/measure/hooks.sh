#!/bin/sh
# Commands run before each process, and after it to fetch its dump.
cat >on-device <<'END'
#!/bin/sh
# Leaves its dump in a place that {} does not name.
echo "run $1" >>log
act-as-model device.etdp 3=$1
END
cat >pull <<'END'
#!/bin/sh
echo "pull" >>log
mv device.etdp "$1"
END
chmod +x on-device pull
PATH=$PWD:$PATH
etinspect measure --base 'on-device 1' --new 'on-device 1.3' --before 'sh -c "echo before >>log"' --pull 'pull {}' --seed 3 \
    --pairs 6 --format json >report.json
echo "exit $?"
head -n 6 log
sort log | uniq -c
