from etinspect import TimeScale as TimeScale
from etinspect import compare_results as compare_results
