"""Where jobs run: in this process, in a pool of processes, on a Ray cluster, or as a SLURM job array.

All give the same files, bit for bit, whatever the number of workers: a job's result depends on the job alone.
"""

from envsuite.evaluation.executors.common import Executor, JobError, run_jobs
from envsuite.evaluation.executors.pool import ProcessExecutor
from envsuite.evaluation.executors.serial import SerialExecutor

__all__ = ["Executor", "JobError", "ProcessExecutor", "SerialExecutor", "run_jobs"]
