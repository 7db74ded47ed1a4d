# An ETRecord of ExecuTorch 0.7, whose nodes have no names: the current Inspector rejects it; the Inspector of that version
# agrees with etinspect.
old=data/executorch-0.7
etinspect --etdump_path $old/run.etdp --etrecord_path $old/record.etrecord | cmp - $old/table.txt
etinspect --etdump_path $old/run.etdp --etrecord_path $old/record.etrecord --tsv_path old.tsv >table.txt
cmp old.tsv $old/table.tsv
show etinspect check $old/run.etdp $old/record.etrecord
show etinspect tree --format tsv --columns module,events $old/run.etdp $old/record.etrecord
show etinspect ops --format tsv --columns op,events,nodes,executed,lines $old/run.etdp $old/record.etrecord
