from etinspect import Event as Event
from etinspect import EventBlock as EventBlock
from etinspect import Inspector as Inspector
from etinspect import PerfData as PerfData
