# Blocks with one name have the same distinct labels in all views, messages and completions, and --block accepts these.
cd testdata/bundled-inputs || exit
show etinspect --group block --columns block,events run.etdp
show etinspect runs --columns block,run run.etdp
show etinspect help --values block inspect run.etdp
show etinspect --block nope run.etdp
show etinspect --block Exeecute run.etdp
cd ../multi-method || exit
show etinspect --group block --columns block,events run.etdp
show etinspect --group block --block 'Execute [1]' --columns block,events run.etdp
show etinspect summary --table noisiest --columns block,event_name run.etdp
show etinspect summary --table outliers --columns block,run -f csv run.etdp
