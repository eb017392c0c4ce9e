"""Temporal-difference learning of the weights of local shapes, in kernels.

    V(s) = sigma(phi(s) . theta)          the probability that Black wins, phi_i(s) counting the shapes of weight i
    delta_t = V(s_(t+2)) - V(s_t)         the same side's next position; at the end, the result in place of V
    theta_i += alpha / |phi(s_t)| delta_t phi_i(s_t)                                     [GellySilver2007, section 4]

Positions are those after a move, so V(s_t) is Q of the move that led there. With the cross entropy as loss, the slope
of the logistic cancels out of the gradient. A step is divided by the number of features on the board (`count`, as in
the paper) or by the sum of the squares of phi (`squared-norm`, as in RLGO): then it moves the position's value, before
the logistic, by exactly alpha delta.

With updates after the game (`episode`), all errors are computed with the weights before the game. A weight's change is
then a sum over the positions that contain its shapes. A shape stays in its window for a run of positions, so the errors
are accumulated once, and each run needs the difference of two partial sums: the cost is proportional to the changes on
the board, not to positions times windows. `online` updates the weights after each position of the game.
"""

import numpy as np

from tengen.games.go.go_record import U0, U1, u64
from tengen.jit import kernel, prefetch_record, record, verb
from tengen.policies.go.shapes import probability, shape_weight

f32 = np.float32

TD = record(
    "td",
    [
        ("step_size", np.float64),  # alpha
        ("decay", np.float64),  # lambda: 0 for targets one turn ahead, 1 for the result only
        ("squared_norm", np.uint8),  # 1: steps are divided by the sum of squares of phi; 0: by the number of features
        ("online", np.uint8),  # 1: the weights change after each position of the game; 0: after the game
    ],
)


def classes_record(name: str, local_codes: int, common_codes: int, weights: int, common_weights: int) -> np.dtype:
    """Return the record of the weights and of the mapping between weights and shapes (entries of the tables).

    The first `is_common.size` weights are the common ones.
    """
    made = record(
        name,
        [
            ("local", np.int32, (local_codes,)),  # by code: number of its weight from 1, negative for the opposite sign
            ("common", np.int32, (common_codes,)),
            ("first_member", np.int32, (weights + 2,)),  # by number of a weight: index of its first member
            ("member", np.int32, (local_codes + common_codes,)),  # code + 1, negative for the opposite sign
            ("weights", np.float32, (weights,)),
            ("is_common", np.uint8, (common_weights,)),  # its length is known at compile time
        ],
    )
    add_to_weight.implement(made)(add_at_once)
    return made


def lesson_record(name: str, shapes: np.dtype, evaluation: np.dtype, weights: int) -> np.dtype:
    """Return the record of a thread's scratch buffers for learning from one game."""
    (windows,), (changes,), (positions,) = (
        shapes["start"].shape,
        evaluation["window"].shape,
        evaluation["totals"].shape,
    )
    return record(
        name,
        [
            ("occurrences", np.int16, (weights + 1,)),  # phi, by number of a weight
            ("is_changed", np.uint8, (weights + 1,)),
            ("changed", np.int32, (min(weights, 2 * (windows + changes)) + 1,)),  # weights that have changed
            ("local_now", np.int32, (windows,)),  # by window: its local weight
            ("common_now", np.int32, (windows,)),
            ("since", np.uint16, (windows,)),  # by window: the position from which on it has had that shape
            ("local_next", np.int32, (changes,)),  # by change of the history: the window's local weight after it
            ("common_next", np.int32, (changes,)),
            ("norms", np.float64, (positions,)),  # by position: |phi|
            ("errors", np.float64, (positions,)),  # delta
            ("sums", np.float64, (positions + 1,)),  # by position: sum of the steps of all positions before it
            ("codes_now", np.uint32, (windows,)),  # online: the codes of position t
            ("codes_ahead", np.uint32, (windows,)),  # online: the codes of position t + 2
        ],
    )


# --- The equations ---------------------------------------------------------------------------------------------------


@kernel
def td_errors(totals, last, result, decay, errors):
    """delta_t = G_t - V(s_t),   G_t = (1 - lambda) V(s_(t+2)) + lambda G_(t+2)          [GellySilver2007, section 4]

    for the positions from 0 to `last`; G of the last two is the result. lambda = 0 is TD(0).
    """
    for t in range(last, -1, -1):
        target = result
        if t + 2 <= last:
            following = probability(totals[t + 2])
            target = following + decay * errors[t + 2]  # (1 - lambda) V + lambda (V + delta)
        errors[t] = target - probability(totals[t])


@kernel(inline=True, private=True)
def step(td, norm):
    """alpha / |phi|, or 0 if there are no features."""
    return td.step_size / norm if norm > 0.0 else 0.0


# --- Features --------------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def add_feature(lesson, number, change, squares):
    """Change the number of shapes of a weight by `change` (+1 or -1); return the new sum of squares of phi."""
    if number == 0:
        return squares
    weight = u64(abs(number))
    sign = change if number > 0 else -change
    before = np.int64(lesson.occurrences[weight])
    lesson.occurrences[weight] = before + sign
    return squares + 2 * sign * before + 1


@kernel(inline=True, private=True)
def is_feature(number):
    return np.int64(number != 0)


@kernel(private=True)
def measure_features(td, classes, shapes, history, lesson):
    """Compute |phi(s_t)| for every position of a game from the empty board, and the weights after each change.

    Writes `lesson.norms`, `local_next` and `common_next`: table codes are converted to weight numbers once per change.
    """
    for i in range(lesson.since.size):
        lesson.local_now[i], lesson.common_now[i] = 0, 0
    squares, count, at = np.int64(0), np.int64(0), U0
    for t in range(history.move_count + 1):
        while at < u64(history.change_count) and np.int64(history.time[at]) == t:
            window, code = u64(history.window[at]), u64(history.code[at])
            local_before, common_before = lesson.local_now[window], lesson.common_now[window]
            local, common = classes.local[code], classes.common[code - u64(shapes.shift[window])]
            for number in (local_before, common_before, local, common):
                prefetch_record(lesson.occurrences, u64(abs(number)))
            squares = add_feature(lesson, local_before, -1, squares)
            squares = add_feature(lesson, common_before, -1, squares)
            squares = add_feature(lesson, local, 1, squares)
            squares = add_feature(lesson, common, 1, squares)
            count += is_feature(local) + is_feature(common) - is_feature(local_before) - is_feature(common_before)
            lesson.local_now[window], lesson.common_now[window] = local, common
            lesson.local_next[at], lesson.common_next[at] = local, common
            at += U1
        lesson.norms[t] = squares if td.squared_norm else count
    for i in range(lesson.since.size):
        lesson.occurrences[u64(abs(lesson.local_now[u64(i)]))] = 0
        lesson.occurrences[u64(abs(lesson.common_now[u64(i)]))] = 0


# --- Weights ---------------------------------------------------------------------------------------------------------


@verb
def add_to_weight(target, weight, amount):
    """Add an amount to a weight, numbered from 1: at once, or to the sum of its updates."""


@kernel(inline=True)
def add_at_once(classes, weight, amount):
    classes.weights[weight - U1] += f32(amount)


@kernel(inline=True, private=True)
def change_weight(target, lesson, number, amount, count):
    """Add a signed amount to a weight; return the updated number of different weights that have changed."""
    if number == 0:
        return count
    weight = u64(abs(number))
    add_to_weight(target, weight, amount if number > 0 else -amount)
    if lesson.is_changed[weight] == 0:
        lesson.is_changed[weight] = 1
        lesson.changed[count] = weight
        count += U1
    return count


@kernel(private=True)
def show_weight(classes, shapes, weight):
    """Write a weight, numbered from 1, to all its entries of the tables."""
    value = classes.weights[weight - U1]
    in_common = weight <= u64(classes.is_common.size)
    for i in range(classes.first_member[weight], classes.first_member[weight + U1]):
        member = classes.member[u64(i)]
        signed = value if member > 0 else -value
        if in_common:
            shapes.common[u64(abs(member)) - U1] = signed
        else:
            shapes.local[u64(abs(member)) - U1] = signed


@kernel(inline=True, private=True)
def show_changes(classes, shapes, lesson, count):
    """Write the changed weights to the tables."""
    for i in range(count):
        weight = u64(lesson.changed[u64(i)])
        lesson.is_changed[weight] = 0
        show_weight(classes, shapes, weight)


@kernel
def show_all_weights(classes, shapes):
    """Fill the tables from the weights."""
    for weight in range(1, classes.weights.size + 1):
        show_weight(classes, shapes, u64(weight))


# --- Learning from a game --------------------------------------------------------------------------------------------


@kernel(private=True)
def learn_from_game(td, classes, shapes, history, lesson, result):
    """Update the weights from one game, whose result is 1 if Black has won, and the tables with them."""
    measure_features(td, classes, shapes, history, lesson)
    if td.online:
        learn_online(td, classes, shapes, history, lesson, result)
    else:
        learn_after_episode(td, classes, shapes, history, lesson, result)


@kernel(private=True)
def learn_after_episode(td, classes, shapes, history, lesson, result):
    """Update the weights with the errors of the weights before the game."""
    show_changes(classes, shapes, lesson, add_updates(td, classes, history, lesson, result))


@kernel(private=True)
def add_updates(td, target, history, lesson, result):
    """theta_i += sum_t alpha / |phi(s_t)| delta_t phi_i(s_t)                           [GellySilver2007, section 4]

    for each theta_i of `target`; `lesson` has |phi(s_t)|. Returns the number of weights in `lesson.changed`.
    Differs: all delta_t are those of the weights before the game; in the paper the weights change after each time-step.
    """
    last = history.move_count
    td_errors(history.totals, last, result, td.decay, lesson.errors)
    lesson.sums[0] = 0.0
    for t in range(last + 1):
        lesson.sums[t + 1] = lesson.sums[t] + step(td, lesson.norms[t]) * lesson.errors[t]
    for i in range(lesson.since.size):
        lesson.since[i], lesson.local_now[i], lesson.common_now[i] = 0, 0, 0
    count = U0
    for i in range(history.change_count):
        window, time = u64(history.window[u64(i)]), u64(history.time[u64(i)])
        count = learn_from_run(target, lesson, window, time, count)
        lesson.since[window] = time
        lesson.local_now[window], lesson.common_now[window] = lesson.local_next[u64(i)], lesson.common_next[u64(i)]
    for i in range(lesson.since.size):
        count = learn_from_run(target, lesson, u64(i), u64(last + 1), count)
    return count


@kernel(inline=True, private=True)
def learn_from_run(target, lesson, window, end, count):
    """Update the weights of a window's shape for its run of positions, from `lesson.since` up to `end` - 1."""
    prefetch_record(lesson.is_changed, u64(abs(lesson.local_now[window])))
    prefetch_record(lesson.is_changed, u64(abs(lesson.common_now[window])))
    amount = lesson.sums[end] - lesson.sums[u64(lesson.since[window])]
    count = change_weight(target, lesson, lesson.local_now[window], amount, count)
    return change_weight(target, lesson, lesson.common_now[window], amount, count)


@kernel(private=True)
def learn_online(td, classes, shapes, history, lesson, result):
    """theta_i += alpha / |phi(s_t)| delta_t phi_i(s_t) for t = 0, 1, ...               [GellySilver2007, section 4]

    with delta_t of the current theta.
    Differs: after the game, in the order of its positions, as RLGO does; in the paper after each time-step of the game.
    """
    now, ahead = lesson.codes_now, lesson.codes_ahead
    for i in range(now.size):
        now[i], ahead[i] = shapes.start[i], shapes.start[i]
    last = history.move_count
    at_now = show_position(history, now, U0, 0)
    at_ahead = show_position(history, ahead, U0, 1)
    for t in range(last + 1):
        at_now = show_position(history, now, at_now, t)
        at_ahead = show_position(history, ahead, at_ahead, t + 2)
        target = result if t + 2 > last else probability(total_of(shapes, ahead))
        amount = step(td, lesson.norms[t]) * (target - probability(total_of(shapes, now)))
        count = U0
        for i in range(now.size):
            code = u64(now[i])
            count = change_weight(classes, lesson, classes.local[code], amount, count)
            count = change_weight(classes, lesson, classes.common[code - u64(shapes.shift[i])], amount, count)
        show_changes(classes, shapes, lesson, count)


@kernel(private=True)
def show_position(history, codes, at, time):
    """Apply the changes of a history from number `at` up to position `time`; return the number of the next change."""
    while at < u64(history.change_count) and np.int64(history.time[at]) <= time:
        codes[u64(history.window[at])] = history.code[at]
        at += U1
    return at


@kernel(private=True)
def total_of(shapes, codes):
    """phi . theta, as a sum over the windows."""
    total = 0.0
    for i in range(codes.size):
        total += shape_weight(shapes, u64(codes[i]), u64(shapes.shift[i]))
    return total
