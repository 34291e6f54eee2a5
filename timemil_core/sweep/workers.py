"""Who trains the cells: processes of this machine or a Dask cluster through joblib, or SLURM through submitit.

Each is a function from a sweep and cells to their outcomes, in the order in which they end. Workers on other machines
need this package installed and must see the sweep's folder and the data under the same paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from typing import Any

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from timemil_core.errors import RunError, SettingsError
from timemil_core.sweep.cell import Cell
from timemil_core.sweep.folder import SweepFolder
from timemil_core.sweep.work import Outcome, died, note_interrupts, places, train_cell

Workers = Callable[[SweepFolder, list[Cell]], Iterator[Outcome]]
GO_ON = "Run the sweep again; it goes on where it stopped."
SECONDS_TO_CONNECT = 10
SECONDS_BETWEEN_POLLS = 1


def local(n_jobs: int = 1) -> Workers:
    """Return workers of this machine: so many processes (−1: one a processor), which share its threads evenly."""

    def train(sweep: SweepFolder, cells: list[Cell]) -> Iterator[Outcome]:
        try:
            with joblib.parallel_config(backend="loky", n_jobs=n_jobs, initializer=note_interrupts):
                yield from _through_joblib(sweep, cells)
        except TerminatedWorkerError as error:
            raise RunError(f"a worker died: {error}.", remedy=GO_ON) from error

    return train


def on_dask(address: str) -> Workers:
    """Return the workers of a Dask cluster, whose scheduler is at ``address``; a cell takes one thread of a worker.

    Raises
    ------
    SettingsError
        Where Dask is not installed.
    RunError
        While training, where no scheduler answers.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise SettingsError("Dask is not installed.", remedy='Run pip install -e ".[dask]".') from error

    def train(sweep: SweepFolder, cells: list[Cell]) -> Iterator[Outcome]:
        try:
            client = Client(address, timeout=SECONDS_TO_CONNECT)
        except (OSError, ValueError) as error:
            raise RunError(f"no Dask scheduler answers: {error}.", where=address) from error
        try:
            with client, joblib.parallel_config(backend="dask"):
                yield from _through_joblib(sweep, cells)
        except (KilledWorker, CancelledError, TimeoutError, OSError) as error:
            raise RunError(f"the cluster was lost: {error!r}.", where=address, remedy=GO_ON) from error

    return train


def on_slurm(n_jobs: int | None, parameters: dict[str, Any], cluster: str | None = None) -> Workers:
    """Return SLURM jobs, one a cell, in one array of which ``n_jobs`` run at once.

    Parameters
    ----------
    n_jobs
        None leaves it to the scheduler.
    parameters
        Of submitit's ``update_parameters``: ``timeout_min``, ``gpus_per_node``, ``slurm_partition``, …
    cluster
        None takes SLURM; ``"local"`` runs the jobs as processes here, to try.

    Raises
    ------
    SettingsError
        Where submitit is not installed.
    RunError
        While training, where SLURM or a parameter is not known.
    """
    try:
        import submitit
    except ImportError as error:
        raise SettingsError("submitit is not installed.", remedy='Run pip install -e ".[slurm]".') from error

    def train(sweep: SweepFolder, cells: list[Cell]) -> Iterator[Outcome]:
        try:
            executor = submitit.AutoExecutor(sweep.folder / "slurm", cluster=cluster or "slurm")
            if n_jobs is not None:
                executor.update_parameters(slurm_array_parallelism=n_jobs)
            executor.update_parameters(**parameters)
            jobs = executor.map_array(_Requeued(places()), [sweep] * len(cells), cells)
        except (RuntimeError, NameError, TypeError, ValueError, OSError) as error:
            raise RunError(f"SLURM did not take the jobs: {error}.") from error
        yield from _ended(jobs, sweep, cells)

    return train


class _Requeued:
    """Trains a cell; where SLURM preempts it or its time runs out, submitit queues it again, to resume."""

    def __init__(self, variables: dict[str, str]) -> None:
        self._variables = variables

    def __call__(self, sweep: SweepFolder, cell: Cell) -> Outcome:
        return train_cell(sweep, cell, self._variables)

    def checkpoint(self, sweep: SweepFolder, cell: Cell) -> Any:
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self, sweep, cell)


def _through_joblib(sweep: SweepFolder, cells: list[Cell]) -> Iterator[Outcome]:
    variables = places()
    parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="all")
    yield from parallel(joblib.delayed(train_cell)(sweep, cell, variables) for cell in cells)


def _ended(jobs: list[Any], sweep: SweepFolder, cells: list[Cell]) -> Iterator[Outcome]:
    from submitit.helpers import as_completed

    of_job = {job.job_id: cell for job, cell in zip(jobs, cells, strict=True)}
    for job in as_completed(jobs, poll_frequency=SECONDS_BETWEEN_POLLS):
        error = job.exception()
        yield died(sweep, of_job[job.job_id], str(error)) if error is not None else job.result()
