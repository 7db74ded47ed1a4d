#!/bin/sh
# cluster.sh - a standalone cluster of Spark on this machine: a master and two workers of one core, on loopback.
#
#     cluster.sh start VENV FOLDER    starts it, and prints its address; FOLDER keeps logs, process ids and work
#     cluster.sh kill FOLDER          kills the newest executor of the first worker that has one, with SIGKILL, and prints its id
#     cluster.sh pids FOLDER          prints the ids of master and workers
#     cluster.sh stop FOLDER          ends them, and what they started, by their ids
#
# pyspark has no start-master.sh; this script starts the same classes.
set -eu

fail() {
    echo "cluster.sh: $*" >&2
    exit 1
}

children_of() {
    ps -o pid= --ppid "$1" 2>/dev/null || true
}

# launch VENV FOLDER NAME CLASS ARGUMENT...: starts it in a separate session, so that Ctrl-C ends the tests, and the tests
# end it.
launch() {
    venv=$1 folder=$2 name=$3
    shift 3
    home=$("$venv/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
    SPARK_HOME=$home SPARK_LOCAL_IP=127.0.0.1 SPARK_WORKER_DIR="$folder/$name" SPARK_DAEMON_MEMORY=256m SPARK_NO_DAEMONIZE=1 \
        setsid "$home/bin/spark-class" "$@" >"$folder/$name.log" 2>&1 </dev/null &
    echo $! >>"$folder/pids"
}

# wait_for PATTERN LOG SECONDS
wait_for() {
    left=$(($3 * 5))
    until grep -q "$1" "$2" 2>/dev/null; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "no \"$1\" in $2 after $3 s: $(tail -n 3 "$2")"
        sleep 0.2
    done
}

start() {
    venv=$1 folder=$2
    mkdir -p "$folder"
    : >"$folder/pids"
    launch "$venv" "$folder" master org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 0 --webui-port 0
    wait_for 'Starting Spark master at' "$folder/master.log" 120
    address=$(sed -n 's/.*Starting Spark master at \(spark:[^ ]*\).*/\1/p' "$folder/master.log" | head -n 1)
    for worker in worker1 worker2; do
        launch "$venv" "$folder" $worker org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --webui-port 0 --cores 1 --memory 2g "$address"
    done
    for worker in worker1 worker2; do
        wait_for 'Successfully registered with master' "$folder/$worker.log" 120
    done
    echo "$address"
}

# The executors of a worker are its children.
kill_executor() {
    workers=$(sed -n '2,$p' "$1/pids")
    for worker in $workers; do
        for child in $(children_of "$worker" | sort -rn); do
            if tr '\0' ' ' <"/proc/$child/cmdline" | grep -q ExecutorBackend; then
                kill -KILL "$child"
                echo "$child"
                return
            fi
        done
    done
    fail "no executor runs"
}

stop() {
    [ -s "$1/pids" ] || return 0
    # Executors end with their workers: workers are asked to end first, and killed if they do not.
    pids=$(cat "$1/pids")
    below=
    for pid in $pids; do
        below="$below $(children_of "$pid" | tr '\n' ' ')"
    done
    for pid in $pids; do
        kill "$pid" 2>/dev/null || true
    done
    left=100
    for pid in $pids $below; do
        while kill -0 "$pid" 2>/dev/null; do
            left=$((left - 1))
            [ "$left" -gt 0 ] || kill -KILL "$pid" 2>/dev/null || true
            sleep 0.1
        done
    done
    rm -f "$1/pids"
}

[ $# -ge 2 ] || fail "cluster.sh start VENV FOLDER, or cluster.sh kill|pids|stop FOLDER"
command=$1
shift
case $command in
start) start "$@" ;;
kill) kill_executor "$@" ;;
pids) cat "$1/pids" ;;
stop) stop "$@" ;;
*) fail "no such command: $command" ;;
esac
