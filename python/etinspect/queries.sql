-- queries.sql - questions to a fleet of ETDumps, in SQL that DuckDB and Spark both read.
--
-- They ask two views. `samples` has the rows of etinspect rows, of etinspect.fleet to-parquet or of etinspect.spark.read():
--
--     create temporary view samples as select * from 'fleet.parquet';                            DuckDB
--     create temporary view samples using parquet options (path 'fleet.parquet');                Spark
--
-- and `builds` one row, the two builds that are compared:
--
--     create temporary view builds as select '1233' as base_build, '1234' as new_build;
--
-- `medians` has one number for each event of each dump: p50, or, with a unit, the value of an event that a delegate logged in cycles
-- of an unknown clock, which has no time. Of samples the query "medians" computes it; rows of granularity "dump" have p50, and the
-- mean of the cycles:
--
--     create temporary view medians as
--     select * replace (case when p50 is null and unit = 'cycles' then unit end as unit) from 'dumps.parquet' where error is null;
--
-- Several events of a block may have the same name, so events are distinguished by block and event_index. The column module only
-- shows which part of the model an event belongs to; it is null unless the rows were made with an ETRecord or a program.
--
-- The labels are called device and build here. etinspect.fleet.query() writes each query for others.

-- name: percentiles
-- How long does each event take, by device and build? Exact, of all samples.
select device, build, block, event_index, event_name,
       min(module) as module,
       count(*) as n,
       percentile_cont(0.5) within group (order by elapsed) as p50,
       percentile_cont(0.9) within group (order by elapsed) as p90,
       percentile_cont(0.99) within group (order by elapsed) as p99
from samples
where error is null
group by device, build, block, event_index, event_name
order by device, build, block, event_index, event_name;

-- name: errors
-- Which dumps could not be read, and why?
select path, error
from samples
where error is not null
order by path;

-- name: dumps
-- How many dumps and samples are there, by device and build, and how many dumps could not be read?
select device, build,
       count(distinct path) as dumps,
       count(distinct case when error is not null then path end) as errors,
       count(elapsed) as samples
from samples
group by device, build
order by device, build;

-- name: medians
-- How long does each event take in each dump: the median of its runs? Runs of warm-up are not known here; they are too few to matter.
select device, build, path, block, event_index, event_name, min(module) as module, median(elapsed) as p50,
       case when count(elapsed) = 0 and min(unit) = 'cycles' then 'cycles' end as unit,
       median(value) as value
from samples
where error is null
group by device, build, path, block, event_index, event_name
order by path, block, event_index;

-- name: ranks
-- What does the test of Mann and Whitney need to compare each event of two builds, with one number for each dump: its time, or its
-- cycles if it has no time? n_units is 2 if dumps differ in this, and then the numbers cannot be compared.
-- U = rank_sum - n_new (n_new + 1) / 2, and z = (U - n_new n_base / 2) / sqrt(n_new n_base / 12 (n + 1 - tie_term / (n (n - 1)))),
-- n = n_new + n_base. Below 20 dumps a side this z is not good enough: etinspect diff is then.
with sides as (
    select device, block, event_index, event_name, module, unit, case when unit is null then p50 else value end as number,
           case when build = new_build then 1 else 0 end as is_new
    from medians cross join builds
    where (p50 is not null or unit is not null) and (build = base_build or build = new_build)
),
ranked as (
    select device, block, event_index, event_name, module, unit, number, is_new,
           rank() over (partition by device, block, event_index, event_name order by number) as lowest_rank,
           count(*) over (partition by device, block, event_index, event_name, number) as ties
    from sides
)
select device, block, event_index, event_name,
       min(module) as module,
       count(*) - sum(is_new) as n_base,
       sum(is_new) as n_new,
       median(case when is_new = 0 then number end) as base,
       median(case when is_new = 1 then number end) as new,
       min(unit) as unit,
       count(distinct coalesce(unit, 'time')) as n_units,
       sum(is_new * (lowest_rank + (ties - 1) / 2.0)) as rank_sum,
       sum(ties * ties - 1) as tie_term
from ranked
group by device, block, event_index, event_name
order by device, block, event_index, event_name;

-- name: history
-- How did each event do from build to build: the median of its dumps, and the middle half of them? Of an event with a unit these are
-- numbers of that unit.
select device, block, event_index, event_name, build, unit,
       min(module) as module,
       count(*) as dumps,
       percentile_cont(0.25) within group (order by case when unit is null then p50 else value end) as p25,
       percentile_cont(0.5) within group (order by case when unit is null then p50 else value end) as p50,
       percentile_cont(0.75) within group (order by case when unit is null then p50 else value end) as p75
from medians
where p50 is not null or unit is not null
group by device, block, event_index, event_name, build, unit
order by device, block, event_index, event_name, build, unit;
