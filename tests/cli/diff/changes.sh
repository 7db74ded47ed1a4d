# Real exports of a model before and after a change: each event is matched as the manual says. Times are left out.
export LC_ALL=C.UTF-8
for change in inserted removed reordered renamed delegated; do
    echo "== $change"
    etinspect diff testdata/changes/base.etdp testdata/changes/base.etrecord testdata/changes/$change.etdp \
        testdata/changes/$change.etrecord --columns match,kind,base_name,event_name --format tsv |
        awk 'NR > 1 && /event_name/ { shown = 1; next } shown && NF' | sort
done
echo '== without records'
etinspect diff testdata/changes/base.etdp testdata/changes/inserted.etdp --columns match,kind,base_name,event_name \
    --format tsv | awk 'NR > 1 && /event_name/ { shown = 1; next } shown && NF' | sort
