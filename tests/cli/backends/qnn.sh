# Waiting is no time of operators, and values in bytes, counts and microseconds beside the chain are no times at all. Formats for
# programs have a row for each module, however small.
qnn=testdata/backends/qnn_cnn
show etinspect ops --skip_first 0 --columns op,total,share,events $qnn/run.etdp $qnn/model.etrecord
show etinspect tree --skip_first 0 -f csv --columns module,total,self $qnn/run.etdp $qnn/model.etrecord
show etinspect tree --skip_first 0 -f csv --fold 0.5 --columns module,total $qnn/run.etdp $qnn/model.etrecord
