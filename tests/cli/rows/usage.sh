# Options that rows does not take are rejected by name.
dump=testdata/small/run.etdp
refused etinspect rows --sandbox testdata/small
refused etinspect rows --sort elapsed $dump
refused etinspect rows --top 3 $dump
refused etinspect rows -f text $dump
refused etinspect rows -f parquet $dump
refused etinspect rows -o out.db $dump
refused etinspect rows -o out.md $dump
refused etinspect rows --granularity run $dump
refused etinspect rows --mode PERMISSIVE $dump
refused etinspect rows --debug_buffer_path x $dump
refused etinspect rows --csv_safe $dump
refused etinspect rows --output '' $dump
cp $dump run.etdp
refused etinspect rows -o run.etdp run.etdp
refused etinspect rows -o run.etdp -f csv ./run.etdp
echo '--- nor is an ETDump in a folder or list replaced, nor a list'
mkdir folder
cp $dump folder
echo folder/run.etdp >list
refused etinspect rows -o folder/run.etdp -f csv folder
refused etinspect rows -o folder/run.etdp -f csv --files_from list
refused etinspect rows -o list -f csv --files_from list
cmp $dump folder/run.etdp && cat list
echo '--- in a sandbox, all is open before rows are read'
refused etinspect rows --sandbox --files_from list
find . -mindepth 1 -maxdepth 1 ! -type l | sort # nothing else was written
etinspect rows --color never --width 80 --no_pager --ascii --threads 1 $dump | wc -l
etinspect help rows | head -n 8
