"""Kernels of the bootstrap and of permutation tests.

A resample is held as a table of counts: how often each run of a task was drawn. All metrics follow from the counts
and one sorting of the scores, so no resample is ever sorted.

Random numbers are a function of (key, resample, task, draw) alone, so resamples can be computed in any order and on
any number of threads: the generator is SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number
generators" (OOPSLA 2014), one stream for each (key, resample, task).
"""

import numpy as np

from envsuite.scoring.jit import kernel

# Increment and mixing constants of SplitMix64 (variant 13 of Stafford's mixers, as in Steele et al. 2014).
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _HALF = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)

MEAN, MEDIAN, IQM, GAP = 0, 1, 2, 3


@kernel
def mix(z):
    """Output of SplitMix64 in state `z` (uint64)."""
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@kernel
def stream(key, number):
    """State of the stream `number` (int64 >= 0) below `key` (uint64)."""
    return mix(key + np.uint64(number + 1) * _STEP)


@kernel
def below(word, size):
    """Integer in [0, size) from the upper half of a word; probabilities differ by less than size / 2^32."""
    return np.int64(((word >> _HALF) * np.uint64(size)) >> _HALF)


@kernel
def below_too(word, size):
    """The same from the lower half."""
    return np.int64(((word & _LOWER) * np.uint64(size)) >> _HALF)


@kernel
def draw_tasks(key, resample, tasks):
    """Draw tasks with replacement into `tasks` (M,)."""
    state = stream(stream(key, resample), len(tasks))  # the streams 0 to M - 1 are those of the tasks' runs
    for j in range(len(tasks)):
        state += _STEP
        tasks[j] = below(mix(state), len(tasks))


@kernel
def draw_runs(key, resample, tasks, sizes, drawn):
    """Draw runs with replacement: `drawn` (N, M) takes the index of draw n for place j, whose task is ``tasks[j]``."""
    base = stream(key, resample)
    for j in range(len(tasks)):
        size = sizes[tasks[j]]
        state = stream(base, j)
        for n in range(0, size, 2):  # two draws from each word
            state += _STEP
            word = mix(state)
            drawn[n, j] = below(word, size)
            if n + 1 < size:
                drawn[n + 1, j] = below_too(word, size)


@kernel
def _draw_counts(key, resample, tasks, sizes, counts):
    counts[:] = 0
    base = stream(key, resample)
    for j in range(len(tasks)):
        size = sizes[tasks[j]]
        state = stream(base, j)
        for _ in range(size // 2):
            state += _STEP
            word = mix(state)
            counts[below(word, size), j] += 1
            counts[below_too(word, size), j] += 1
        if size % 2 == 1:
            counts[below(mix(state + _STEP), size), j] += 1


@kernel
def _select(values, k):
    """The k-th smallest of `values`, which is reordered so that those before it are not larger (Hoare 1961)."""
    low, high = 0, len(values) - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return values[k]


@kernel
def _median(values):
    half = len(values) // 2
    upper = _select(values, half)
    if len(values) % 2 == 1:
        return upper
    lower = values[0]
    for i in range(1, half):
        lower = max(lower, values[i])
    return 0.5 * (lower + upper)


@kernel
def _trimmed(values, order, counts, total):
    """Mean of what is left of `total` drawn scores without the lowest and the highest ``total // 4``."""
    cut = total // 4
    end = total - cut
    below_cut, i = 0, 0
    while True:
        below_cut += counts[order[i]]
        if below_cut > cut:
            break
        i += 1
    reached = below_cut
    result = values[order[i]] * (min(reached, end) - cut)
    while reached < end:
        i += 1
        count = counts[order[i]]
        result += values[order[i]] * min(count, end - reached)
        reached += count
    return result / (end - cut)


@kernel
def _trimmed_weighted(values, order, counts, sizes):
    """The same with weights 1 / (M N_m), of which 1/4 is cut from each end."""
    tasks = len(sizes)
    reached, result, kept = 0.0, 0.0, 0.0
    for place in order:
        if counts[place] > 0:
            before = min(max(reached, 0.25), 0.75)
            reached += counts[place] / (tasks * sizes[place % tasks])
            share = min(max(reached, 0.25), 0.75) - before
            result += values[place] * share
            kept += share
    return result / kept


@kernel
def _task_means(values, counts, tasks, sizes, limit, means):
    means[:] = 0.0
    for n in range(len(values)):
        row, count = values[n], counts[n]
        for j in range(len(tasks)):
            means[j] += count[j] * min(row[tasks[j]], limit)
    for j in range(len(tasks)):
        means[j] /= sizes[tasks[j]]


@kernel
def _pool(counts, tasks, pooled):
    pooled[:] = 0
    for n in range(len(counts)):
        for j in range(len(tasks)):
            pooled[n, tasks[j]] += counts[n, j]


@kernel
def _evaluate(kind, gamma, values, order, counts, pooled, tasks, sizes, weighted, means):
    """A metric of one resample; `pooled` are the counts by task, `counts` by place (they differ if tasks are drawn)."""
    if kind == IQM:
        if weighted:
            return _trimmed_weighted(values.ravel(), order, pooled.ravel(), sizes)
        return _trimmed(values.ravel(), order, pooled.ravel(), sizes[0] * len(sizes))
    _task_means(values, counts, tasks, sizes, gamma if kind == GAP else np.inf, means)
    if kind == MEDIAN:
        return _median(means)
    total = 0.0
    for j in range(len(means)):
        total += means[j]
    total /= len(means)
    return gamma - total if kind == GAP else total


@kernel
def resample_metrics(key, first, last, resample_tasks, kinds, gamma, values, order, sizes, weighted, out):
    """Metrics of the resamples `first` to `last` into ``out[:, first:last]``.

    Args:
        key: uint64 of the seed and the method.
        first: number of the first resample.
        last: number after that of the last.
        resample_tasks: whether tasks are drawn too.
        kinds: (K,) numbers of metrics.
        gamma: of the optimality gap.
        values: (L, N, M) scores, see `Layout`.
        order: (L, T) places of the scores, ascending.
        sizes: (M,) runs of each task.
        weighted: whether the interquartile mean is the weighted one.
        out: (K, R, L) float64.
    """
    counts = np.zeros(values.shape[1:], np.int32)
    pooled = np.zeros(values.shape[1:], np.int32) if resample_tasks else counts
    tasks, means = np.arange(len(sizes)), np.empty(len(sizes))
    for r in range(first, last):
        if resample_tasks:
            draw_tasks(key, r, tasks)
        _draw_counts(key, r, tasks, sizes, counts)
        if resample_tasks:
            _pool(counts, tasks, pooled)
        for k in range(len(kinds)):
            for c in range(len(values)):
                out[k, r, c] = _evaluate(
                    kinds[k], gamma, values[c], order[c], counts, pooled, tasks, sizes, weighted, means
                )


@kernel
def resample_moments(key, first, last, values, sizes, out):
    """Means over tasks of resamples into ``out[0]``, and their squared standard errors into ``out[1]``.

    Args:
        key: as in `resample_metrics`, like `first`, `last` and `sizes`.
        first: see there.
        last: see there.
        values: (L, N, M) scores less the mean of their task, so that squares lose no digits; 0 where there is none.
        sizes: see there.
        out: (2, R, L) float64.
    """
    counts, tasks = np.zeros(values.shape[1:], np.int32), np.arange(len(sizes))
    for r in range(first, last):
        _draw_counts(key, r, tasks, sizes, counts)
        for c in range(len(values)):
            centre, variance = 0.0, 0.0
            for j in range(len(sizes)):
                total, square, size = 0.0, 0.0, sizes[j]
                for n in range(size):
                    total += counts[n, j] * values[c, n, j]
                mean = total / size
                for n in range(size):
                    square += counts[n, j] * (values[c, n, j] - mean) ** 2
                centre += mean
                variance += square / (size * (size - 1))
            out[0, r, c] = centre / len(sizes)
            out[1, r, c] = variance / len(sizes) ** 2


@kernel
def leave_one_out(kind, gamma, values, order, sizes, out):
    """The metric without one score at a time into `out` (T, L), in the order of places (n M + m)."""
    counts = np.zeros(values.shape[1:], np.int32)
    tasks, means, left = np.arange(len(sizes)), np.empty(len(sizes)), sizes.copy()
    for j in range(len(sizes)):
        counts[: sizes[j], j] = 1
    cell = 0
    for n in range(values.shape[1]):
        for j in range(len(sizes)):
            if n < sizes[j]:
                counts[n, j] = 0
                left[j] -= 1
                for c in range(len(values)):
                    out[cell, c] = _evaluate(kind, gamma, values[c], order[c], counts, counts, tasks, left, True, means)
                counts[n, j] = 1
                left[j] += 1
                cell += 1


@kernel
def resample_run_profile(key, first, last, resample_tasks, bins, sizes, out):
    """Run-score profiles of resamples into ``out[first:last]`` (R, K).

    Args:
        key: as in `resample_metrics`, like `first`, `last`, `resample_tasks` and `sizes`.
        first: see there.
        last: see there.
        resample_tasks: see there.
        bins: (N, M) how many of the K ascending thresholds lie below each score.
        sizes: see there.
        out: (R, K) float64.
    """
    counts = np.zeros(bins.shape, np.int32)
    tasks, levels = np.arange(len(sizes)), out.shape[1]
    held = np.empty(levels + 1)
    for r in range(first, last):
        if resample_tasks:
            draw_tasks(key, r, tasks)
        _draw_counts(key, r, tasks, sizes, counts)
        held[:] = 0.0
        for j in range(len(tasks)):
            for n in range(sizes[tasks[j]]):
                held[bins[n, tasks[j]]] += counts[n, j] / sizes[tasks[j]]
        above = 0.0
        for k in range(levels - 1, -1, -1):
            above += held[k + 1]
            out[r, k] = above / len(tasks)


@kernel
def resample_task_profile(key, first, last, resample_tasks, values, thresholds, sizes, out):
    """Average-score profiles of resamples, see `resample_run_profile`; `values` (N, M), `thresholds` (K,) ascending."""
    counts = np.zeros(values.shape, np.int32)
    tasks, means = np.arange(len(sizes)), np.empty(len(sizes))
    for r in range(first, last):
        if resample_tasks:
            draw_tasks(key, r, tasks)
        _draw_counts(key, r, tasks, sizes, counts)
        _task_means(values, counts, tasks, sizes, np.inf, means)
        for k in range(len(thresholds)):
            above = 0
            for j in range(len(tasks)):
                above += means[j] > thresholds[k]
            out[r, k] = above / len(tasks)


@kernel
def resample_improvement(key_x, key_y, first, last, resample_tasks, wins, sizes_x, sizes_y, out):
    """Probability of improvement of resamples into ``out[first:last]`` (R, L).

    Both sides are drawn independently; where tasks are drawn, both have the same.

    Args:
        key_x: key of X.
        key_y: key of Y.
        first: as in `resample_metrics`, like `last` and `resample_tasks`.
        last: see there.
        resample_tasks: see there.
        wins: (L, N_X, N_Y, M) int32 outcomes, see `metrics.outcomes`.
        sizes_x: (M,) runs of X.
        sizes_y: (M,) runs of Y.
        out: (R, L) float64.
    """
    counts_x = np.zeros((wins.shape[1], wins.shape[3]), np.int32)
    counts_y = np.zeros((wins.shape[2], wins.shape[3]), np.int32)
    tasks, total = np.arange(len(sizes_x)), np.empty(len(sizes_x), np.int64)
    for r in range(first, last):
        if resample_tasks:
            draw_tasks(key_x, r, tasks)
        _draw_counts(key_x, r, tasks, sizes_x, counts_x)
        _draw_counts(key_y, r, tasks, sizes_y, counts_y)
        for c in range(len(wins)):
            total[:] = 0
            for i in range(wins.shape[1]):
                for k in range(wins.shape[2]):
                    row, left, right = wins[c, i, k], counts_x[i], counts_y[k]
                    for j in range(len(tasks)):
                        total[j] += left[j] * right[j] * row[tasks[j]]
            share = 0.0
            for j in range(len(tasks)):
                share += total[j] / (2.0 * sizes_x[tasks[j]] * sizes_y[tasks[j]])
            out[r, c] = share / len(tasks)


@kernel
def draw_labels(key, number, sizes_x, sizes_y, paired, labels):
    """Label pooled runs anew: 1 in `labels` (N_X + N_Y, M) for X, 0 for Y.

    The pooled runs of a task are those of X, then those of Y. Paired: run n of X and run n of Y change places or not.
    """
    base = stream(key, number)
    labels[:] = 0
    places = np.empty(len(labels), np.int64)
    for j in range(len(sizes_x)):
        state = stream(base, j)
        if paired:
            for n in range(sizes_x[j]):
                state += _STEP
                labels[n + below(mix(state), 2) * sizes_x[j], j] = 1
        else:
            pool = sizes_x[j] + sizes_y[j]
            for n in range(pool):
                places[n] = n
            for n in range(sizes_x[j]):  # the first steps of a Fisher-Yates shuffle
                state += _STEP
                other = n + below(mix(state), pool - n)
                places[n], places[other] = places[other], places[n]
                labels[places[n], j] = 1


@kernel
def labelled_differences(kind, gamma, values, order, labels, sizes_x, sizes_y, weighted_x, weighted_y, out):
    """Metric of the runs labelled 1 minus metric of the others, for each labelling.

    Args:
        kind: number of the metric.
        gamma: of the optimality gap.
        values: (N, M) pooled scores.
        order: (T,) their places, ascending.
        labels: (R, N, M) int8.
        sizes_x: (M,) runs labelled 1 in each task.
        sizes_y: (M,) the others.
        weighted_x: whether the interquartile mean of X is the weighted one.
        weighted_y: the same for Y.
        out: (R,) float64.
    """
    counts_x, counts_y = np.zeros(values.shape, np.int32), np.zeros(values.shape, np.int32)
    tasks, means = np.arange(len(sizes_x)), np.empty(len(sizes_x))
    for r in range(len(labels)):
        for j in range(len(tasks)):
            for n in range(sizes_x[j] + sizes_y[j]):
                counts_x[n, j] = labels[r, n, j]
                counts_y[n, j] = 1 - labels[r, n, j]
        x = _evaluate(kind, gamma, values, order, counts_x, counts_x, tasks, sizes_x, weighted_x, means)
        y = _evaluate(kind, gamma, values, order, counts_y, counts_y, tasks, sizes_y, weighted_y, means)
        out[r] = x - y
