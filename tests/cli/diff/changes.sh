# Real exports of a model before and after a change: each event is matched as described in the manual. Times are left out.
export LC_ALL=C.UTF-8
for change in inserted removed reordered renamed delegated; do
    echo "== $change"
    etinspect diff data/changes/base.etdp data/changes/base.etrecord data/changes/$change.etdp \
        data/changes/$change.etrecord --columns match,kind,base_name,event_name --format tsv |
        awk '/^match/ { shown = 1; next } !NF { shown = 0 } shown' | sort
done
echo '== without records'
etinspect diff data/changes/base.etdp data/changes/inserted.etdp --columns match,kind,base_name,event_name \
    --format tsv | awk '/^match/ { shown = 1; next } !NF { shown = 0 } shown' | sort
