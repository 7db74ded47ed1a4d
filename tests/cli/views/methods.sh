# Runs of different methods never share statistics: in each view a method has the figures that it has alone, except for
# shares, which refer to the time of all methods and add up to it.
# shellcheck disable=SC2086 # a variable holds the names of several files
m="testdata/multi-method/run.etdp testdata/multi-method/record.etrecord"

# alone COLUMNS COMMAND... - compares the rows of each method with those of the method alone
alone() {
    columns=$1
    shift
    etinspect "$@" --format csv --columns "method,$columns" $m >all.csv
    for method in encode forward; do
        etinspect "$@" --format csv --columns "$columns" --block $method $m >one.csv
        sed -n "1s/^method,//p; s/^$method,//p" all.csv | cmp - one.csv && echo "$*: $method: $(wc -l <one.csv) lines"
    done
}
alone op,p50,count,calls,total summary --table operators
alone part,p50,avg,first_run,events,calls summary --table account
alone backend,avg,operators summary --table backends
alone backend,calls,operators,p50,total delegates --table backends
alone op,p50,calls,splits,total delegates --table outside
alone module,p50,events,calls,total,self tree
alone op,p50,events,calls,total,nodes,executed,kernels,lines ops
alone op,kernel,p50,events,calls,total ops --kernels
alone line,p50,events,calls,total,code source
alone op,p50,avg,min,max,events,calls,total --group op
alone module,p50,avg,min,max,events,calls,total --group module
alone source,p50,avg,min,max,events,calls,total --group source
alone backend,p50,avg,min,max,events,calls,total --group backend
alone block,p50,avg,min,max,events,calls,total --group block

# total COMMAND... - adds up a column of shares
total() {
    etinspect "$@" --format tsv $m | awk -F '\t' 'NR > 1 { sum += $NF } END { printf "%.6f\n", sum }'
}
total summary --table operators --columns share
total summary --table account --columns method,share --filter 'part == "Method::execute"'
total summary --table methods --columns share
total summary --table backends --columns share
total delegates --table backends --columns share
total tree --columns self_share
total ops --columns share
total ops --kernels --columns share
total source --columns share
total --group op --columns share
total --group method --columns share

show etinspect summary $m --width 100
show etinspect delegates $m --width 100
show etinspect tree $m
show etinspect --group method $m
# One of several methods is like a separate profile.
show etinspect ops --block encode --columns op,p50 $m
# An ETDump alone does not show whether its blocks belong to several methods.
etinspect summary --format csv testdata/multi-method/run.etdp | grep -c '^method'
etinspect summary testdata/multi-method/run.etdp | grep 'blocks together'
# A group that occurs only in the second method has no rows in the first.
show etinspect ops --kernels --filter 'op =~ "softmax"' --columns method,op,kernel,events,calls --format tsv $m
# The graph of a method ends with its framework, and that of runs whose method is unknown: it has no statistics.
etinspect graph --format csv --columns node,p50,share --filter 'node = "(framework)"' $m
# Each method is loaded once; the facts have the sum of the loads of a file; for several files, the median of these sums.
etinspect runs $m --events --block all --format csv --columns event_name,elapsed | grep -e load_method -e ::init
etinspect summary $m --table facts --ascii | grep -e loading -e ::init
gzip -c testdata/multi-method/run.etdp >again.etdp.gz
etinspect summary again.etdp.gz $m --table facts --ascii | grep -e loading -e ::init
# If the program has a single method, the fact is the median of all loads.
etinspect summary testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp testdata/mlp/record.etrecord --table facts \
    --ascii | grep -e loading -e ::init

# The graph is that of one method: each other method is one row with its whole time.
show etinspect graph --columns node,op,p50,share $m
show etinspect graph --columns node,share --method encode $m
show etinspect graph --columns node,share --block encode $m
