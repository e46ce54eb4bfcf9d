"""Chess against published counts of moves, exhaustive searches, closed counts of endgames, and python-chess."""

import random
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.core.jit import kernel, records
from envsuite.core.language import Refusal, RefusalKind
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.text_games.chess import tablebase
from envsuite.text_games.chess.endgames import ChessEndgamesWorld, held_out, moves_to_mate
from envsuite.text_games.chess.experts import Amateur, TablePlayer
from envsuite.text_games.chess.game import (
    ENDINGS,
    INDEX,
    MATE,
    NAMES,
    OPEN,
    Game,
    begin,
)
from envsuite.text_games.chess.game import (
    play as play_move,
)
from envsuite.text_games.chess.notation import (
    START,
    after,
    legal,
    letter,
    read_fen,
    read_move,
    square_name,
    square_of,
    write_fen,
    write_san,
    write_uci,
)
from envsuite.text_games.chess.position import (
    BISHOP,
    KING,
    KNIGHT,
    MOST_MOVES,
    PAWN,
    QUEEN,
    ROOK,
    attacked,
    in_check,
    legal_moves,
    make,
    take_back,
)
from envsuite.text_games.chess.search import DEEPEST, Search, best_move, evaluate
from envsuite.text_games.chess.search import MATE as MATE_VALUE
from envsuite.text_games.chess.tablebase import ENDGAMES, FOUR, IMPOSSIBLE, THREE, index_of, tables
from envsuite.text_games.chess.world import ChessWorld


def begun(world, slots: int = 1) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def at(world, fen: str) -> Batch:
    """A batch of one slot with this position."""
    batch = begun(world)
    state = records(batch.states)[0]
    state["game"]["position"] = read_fen(fen)
    begin(state.game if hasattr(state, "game") else state["game"])
    return batch


def moved(batch: Batch, name: str):
    """The output of a step of the only slot, by the name of its action."""
    return batch.step(np.array([NAMES.index(name)]))


def game_of(fen: str = START) -> np.void:
    """A game that begins with a position."""
    game = records(np.zeros(1, Game.dtype()))[0]
    game["position"] = read_fen(fen)
    begin(game)
    return game


def go(game: np.void, *texts: str) -> None:
    """Make moves in SAN or UCI."""
    for text in texts:
        (move,) = read_move(text, game["position"], legal(game["position"]))
        play_move(game, move, np.zeros(MOST_MOVES, np.int32))


def random_positions(count: int, seed: int = 0):
    """Positions of random games, in which captures are as frequent as quiet moves where there are any."""
    draw, position = random.Random(seed), read_fen(START)
    for _ in range(count):
        moves = legal(position)
        if not moves or position["halfmoves"] >= 100:
            position = read_fen(START)
            continue
        yield position, moves
        captures = [one for one in moves if position["squares"][one >> 7 & 127]]
        position = after(position, draw.choice(captures if captures and draw.random() < 0.5 else moves))


# moves

PERFT = {
    START: (20, 400, 8902, 197_281, 4_865_609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97_862, 4_085_603, 193_690_690),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43_238, 674_624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422_333, 15_833_292),
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": (6, 264, 9467, 422_333, 15_833_292),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62_379, 2_103_487, 89_941_194),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        46,
        2079,
        89_890,
        3_894_594,
        164_075_551,
    ),
}
"""Numbers of move sequences of 1 to 5 moves, https://www.chessprogramming.org/Perft_Results."""


@kernel
def sequences(b, lists, counts, tried, olds, depth):
    """Number of sequences of so many legal moves."""
    total, ply = 0, 0
    counts[0], tried[0] = legal_moves(b, lists[0]), 0
    while ply >= 0:
        if ply == depth - 1:
            total += counts[ply]
            tried[ply] = counts[ply]
        if tried[ply] == counts[ply]:
            ply -= 1
            if ply >= 0:
                take_back(b, np.int64(lists[ply, tried[ply] - 1]), olds[ply])
            continue
        olds[ply] = make(b, np.int64(lists[ply, tried[ply]]))
        tried[ply] += 1
        ply += 1
        counts[ply], tried[ply] = legal_moves(b, lists[ply]), 0
    return total


def perft(position: np.void, depth: int) -> int:
    """Number of sequences of so many legal moves; the position is the same afterwards."""
    before = position.tobytes()
    numbers = [np.zeros(depth, np.int64) for _ in range(3)]
    total = sequences(position, np.zeros((depth, MOST_MOVES), np.int32), *numbers, depth)
    assert position.tobytes() == before, "moves were not taken back"
    return total


@pytest.mark.parametrize("fen", PERFT)
def test_there_are_as_many_sequences_of_moves_as_published(fen):
    position = read_fen(fen)
    assert [perft(position, depth) for depth in range(1, 5)] == [*PERFT[fen][:4]]


@pytest.mark.slow
@pytest.mark.parametrize("fen", PERFT)
def test_there_are_as_many_sequences_of_five_moves_as_published(fen):
    assert perft(read_fen(fen), 5) == PERFT[fen][4]


def test_every_move_of_white_has_one_action():
    assert len(NAMES) == len(set(NAMES)) == 1792 + 88
    assert (np.sort(INDEX[INDEX >= 0]) == np.arange(1880)).all()
    batch = begun(ChessWorld())
    assert {NAMES[k] for k in np.flatnonzero(batch.last.info["action_mask"][0])} == set(
        map(write_uci, legal(read_fen(START)))
    )
    batch = at(ChessWorld(opponent_depth=0), "1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    moved(batch, "a1a8")
    mask = batch.last.info["action_mask"][0]
    promotions = {f"a7{there}8{kind}" for there in "ab" for kind in "qrbn"}
    assert {NAMES[k] for k in np.flatnonzero(mask)} == promotions | {"a1a2", "a1b1", "a1b2"}


# notation


@pytest.mark.parametrize("fen", [*PERFT, "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"])
def test_positions_come_back_from_fen(fen):
    assert write_fen(read_fen(fen)) == fen
    spaced = " ".join(fen)
    assert "   " in spaced
    assert write_fen(read_fen(spaced)) == fen


def test_fen_names_only_captures_in_passing_that_there_are():
    for fen, named in (
        ("rnbqkbnr/pppp1ppp/8/8/4pP2/8/PPPPP1PP/RNBQKBNR b KQkq f3 0 1", "f3"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "-"),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "-"),  # both pawns would leave the rank of the king
    ):
        assert write_fen(read_fen(fen)).split()[3] == named


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "has 0 fields, expected 4 to 6"),
        ("8/8 w - -", "has 2 rows, expected 8"),
        ("9/8/8/8/8/8/8/8 w - -", "row '9'"),
        ("ppp/8/8/8/8/8/8/8 w - -", "of 3 squares, expected 8"),
        ("8/8/8/8/8/8/8/8 w - -", "White has 0 kings"),
        ("k7/8/8/8/8/8/8/KK6 w - -", "White has 2 kings"),
        ("k7/8/8/8/8/8/8/K7 x - -", "'x' for the side to move"),
        ("k7/8/8/8/8/8/8/K7 w Qq -", "castling without king and rook"),
        ("k7/8/8/8/8/8/8/K7 w QK -", "'QK' for castling"),
        ("k7/8/8/8/8/8/8/K7 w - e3", "'e3' for the square of a capture in passing"),
        ("k7/8/8/8/8/8/8/K7 w - - -1 1", "'-1' for halfmoves"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 ²", "for number"),
        ("P6k/8/8/8/8/8/8/K7 w - -", "first or last rank"),
        ("k6R/8/8/8/8/8/8/K7 w - -", "not to move is in check"),
        ("k7/pppppppp/p7/8/8/8/8/K7 w - -", "10 pieces in the FEN, expected at most 16 with 8 pawns"),
    ],
)
def test_bad_positions_are_refused(fen, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_fen(fen)


def test_every_legal_move_is_read_as_itself():
    """In SAN, in UCI and in long algebraic notation, over random games; no two have the same name."""
    seen = Counter()
    published = [(read_fen(fen), legal(read_fen(fen))) for fen in PERFT]
    for position, moves in [*random_positions(500), *published]:
        names = [write_san(position, one, moves) for one in moves]
        assert len(set(names)) == len(moves)
        assert write_fen(read_fen(write_fen(position))) == write_fen(position)
        for move, name in zip(moves, names, strict=True):
            kind = abs(int(position["squares"][move & 127]))
            long = f"{letter(kind) if kind != PAWN else ''}{square_name(move & 127)}-{square_name(move >> 7 & 127)}"
            long += f"={letter(move >> 14)}" if move >> 14 else ""
            for text in (name, name.rstrip("+#"), write_uci(move), write_uci(move).upper(), long):
                assert read_move(text, position, moves) == [move], (write_fen(position), text)
            seen.update(re.findall("[x=+#O]|[NRQ][a-h1-8][a-h]", name))
    assert {"x", "=", "+", "O"} <= set(seen)


@pytest.mark.parametrize(
    ("fen", "move", "name"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "a1d1", "Rad1"),
        ("k7/4R3/8/8/8/8/8/4R1K1 w - - 0 1", "e1e4", "R1e4"),
        ("8/k7/8/8/1Q5Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("8/k7/8/8/1Q5Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
        ("8/k7/8/8/1Q5Q/8/8/K6Q w - - 0 1", "b4e1", "Qbe1"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),  # the other knight may not move
        ("k7/2P5/1K6/8/8/8/8/8 w - - 0 1", "c7c8q", "c8=Q#"),
        ("k7/2P5/1K6/8/8/8/8/8 w - - 0 1", "c7c8n", "c8=N"),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8r", "axb8=R+"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
    ],
)
def test_names_of_moves(fen, move, name):
    position = read_fen(fen)
    moves = {write_uci(one): one for one in legal(position)}
    assert write_san(position, moves[move]) == name


@pytest.mark.parametrize("count", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_no_text_at_all_breaks_the_reader(count):
    draw, kept = random.Random(5), [one for one in random_positions(400, 2)][::8]
    world = ChessWorld()
    batch = begun(world)
    state, words = batch.states[0], companion(world, Words)
    letters = "abcdefgh12345678KQRBNxO0-=+#!?. \t\n\x00\u00b2\u0661eéß\U0001f600\"'{}:,action"
    for k in range(count):
        if k % 2000 == 0:
            state["game"]["position"], moves = kept[k // 2000 % len(kept)]
            names = [write_san(state["game"]["position"], one, moves) for one in moves]
            legal_actions = (
                {int(INDEX[_narrow(one)]) for one in moves} if state["game"]["position"]["turn"] > 0 else None
            )
        text = list(draw.choice(names))
        for _ in range(draw.randrange(4)):
            text.insert(draw.randrange(len(text) + 1), draw.choice(letters))
        text = "".join(text) if k % 3 else "".join(draw.choices(letters, k=draw.randrange(20)))
        found = words.parse(text, state)
        assert isinstance(found, Refusal) or legal_actions is None or found in legal_actions, text
    for text in ("e4" * 50_000, "N " * 50_000, "{" * 100_000, "action:" * 20_000, "O-" * 50_000, "\ud800"):
        assert isinstance(words.parse(text, state), Refusal)


def _narrow(move: int) -> tuple[int, int, int]:
    here, there = move & 127, move >> 7 & 127
    return (here + (here & 7)) >> 1, (there + (there & 7)) >> 1, max(0, (move >> 14) - 1)


# how games end


@pytest.mark.parametrize(
    ("fen", "moves", "ending", "result"),
    [
        (START, "f3 e5 g4 Qh4", "checkmate", -1),
        (START, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7", "checkmate", 1),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qf7", "stalemate", 0),
        ("8/8/8/8/8/2k5/1r6/K7 b - - 0 1", "Rb3 Ka2 Rb8", "", 0),
        ("8/8/8/8/8/1qk5/8/K7 b - - 0 1", "Qc2", "stalemate", 0),
        ("k7/8/8/8/8/8/6p1/K6B w - - 0 1", "Bxg2", "insufficient material", 0),
        ("k7/8/8/8/8/8/6p1/K5N1 w - - 0 1", "Kb1 Kb8", "", 0),
        ("k1b5/8/8/8/8/8/6q1/K6B w - - 0 1", "Bxg2", "insufficient material", 0),
        ("kb6/8/8/8/8/8/6q1/K6B w - - 0 1", "Bxg2", "", 0),  # bishops on squares of both colours
        ("1kb5/8/8/8/8/8/7q/K5B1 w - - 0 1", "Bxh2", "", 0),
        ("k4b2/8/8/8/8/8/7q/K5B1 w - - 0 1", "Bxh2", "insufficient material", 0),
        ("k7/8/8/8/8/8/6q1/K3N2B w - - 0 1", "Bxg2", "", 0),
        ("k7/n7/8/8/8/8/6q1/K6B w - - 0 1", "Bxg2", "", 0),
        (START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "threefold repetition", 0),
        (START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", "", 0),
        # the first time castling was allowed, so that the position counts from the second
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra2 Ke7 Ra1 Ke8 Ra2 Ke7 Ra1 Ke8", "", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra2 Ke7 Ra1 Ke8 Ra2 Ke7 Ra1 Ke8 Ra2 Ke7", "threefold repetition", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2", "", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2 Ke7", "the fifty-move rule", 0),
        ("k7/8/1K6/8/8/8/8/6R1 w - - 99 80", "Rg8", "checkmate", 1),
    ],
)
def test_games_end_as_the_rules_say(fen, moves, ending, result):
    game = game_of(fen)
    go(game, *moves.split())
    assert (ENDINGS[int(game["ending"])], int(game["result"])) == (ending, result)


def test_a_capture_in_passing_that_is_possible_makes_another_position():
    """The same squares, but the first time a pawn could take in passing: it counts from the second time."""
    game = game_of("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    go(game, "e4", "Nf6", "Nf3", "Ng8", "Ng1", "Nf6", "Nf3", "Ng8", "Ng1")
    assert game["ending"] == OPEN
    go(game, "Nf6", "Nf3", "Ng8")
    assert ENDINGS[int(game["ending"])] == "threefold repetition"
    pinned = game_of("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1")
    go(pinned, "e4", "Ka5", "Kd1", "Ka4", "Ke1", "Ka5", "Kd1", "Ka4", "Ke1")
    assert ENDINGS[int(pinned["ending"])] == "threefold repetition", "that capture was never legal"


def test_illegal_moves_cost_one_and_leave_the_board():
    batch = begun(ChessWorld())
    before = batch.states["game"]["position"].copy()
    for k, name in enumerate(("e2e5", "e7e5", "e1g1", "a7a8q"), 1):
        output = moved(batch, name)
        assert (output.rewards[0], output.terminated[0], output.info["illegal_moves"][0]) == (-1, False, k)
        assert batch.states["game"]["position"] == before
    output = moved(batch, "e2e4")
    assert (output.rewards[0], output.info["illegal_moves"][0]) == (0, 4)
    assert batch.states["game"]["position"]["number"][0] == 2


def test_an_episode_has_four_hundred_actions():
    batch, total = begun(ChessWorld()), 0.0
    for k in range(400):
        assert not batch.done[0], k
        output = moved(batch, "a1a8")
        total += output.rewards[0]
    assert (total, output.terminated[0], output.truncated[0]) == (-400, False, True)
    batch = begun(ChessWorld(max_moves=3))
    assert [bool(moved(batch, "a1a8").truncated[0]) for _ in range(3)] == [False, False, True]


def test_a_mate_in_the_last_action_is_no_truncation():
    batch = at(ChessWorld(max_moves=1), "k7/8/1K6/8/8/8/8/6R1 w - - 0 1")
    output = moved(batch, "g1g8")
    assert (output.rewards[0], output.terminated[0], output.truncated[0]) == (1, True, False)
    assert output.info["success"][0]
    assert not output.info["action_mask"][0].any()


def test_being_mated_costs_one_and_a_draw_nothing():
    output = moved(at(ChessWorld(blunder_probability=0.0), "3rk3/8/8/8/8/P7/5PPP/6K1 w - - 0 1"), "a3a4")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (-1, True, False)
    output = moved(at(ChessWorld(), "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), "g6f7")
    assert (output.rewards[0], output.terminated[0], output.info["drawn"][0]) == (0, True, True)


@pytest.mark.parametrize("name", ["Chess", "ChessEndgames"])
def test_an_episode_leaves_nothing_behind(name):
    world = {"Chess": ChessWorld, "ChessEndgames": ChessEndgamesWorld}[name]()
    batch, fresh = begun(world, 16), begun(world, 16)
    policy = random_policy(world, 16)
    policy.reset(np.ones(16, bool), np.arange(16))
    for _ in range(60):
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    batch.seed(range(16))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()


def test_boards_are_seen_as_they_are():
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 7 1"
    batch = at(ChessWorld(), fen)
    batch.step(np.array([NAMES.index("a1a8")]))  # illegal: the same position is seen
    seen = batch.last.observations[0].view(batch.world.observation.record)[0]
    planes = seen["board"].reshape(12, 64)
    for square in range(64):
        piece = int(read_fen(fen)["squares"][square + (square & 0x38)])
        shown = np.flatnonzero(planes[:, square])
        assert shown.tolist() == ([] if piece == 0 else [piece - 1 if piece > 0 else 5 - piece])
    assert seen["castling"].tolist() == [1, 1, 1, 1]
    assert (seen["halfmoves"], seen["repeated"], seen["en_passant"].sum()) == (7, 0, 0)
    assert (seen["action_mask"] == batch.last.info["action_mask"][0]).all()
    assert seen["action_mask"].sum() == 48


# the engine


def value_of(fen: str, depth: int) -> tuple[str, int]:
    """The engine's move in UCI, and the value."""
    position, room = read_fen(fen), records(np.zeros(1, Search.dtype()))[0]
    moves = legal(position)
    room["roots"][: len(moves)] = moves
    before = position.tobytes()
    move, value = best_move(position, room, len(moves), depth)
    assert position.tobytes() == before
    return write_uci(move), int(value)


def mirrored(fen: str) -> str:
    """The same position with colours exchanged."""
    board, turn, castling, skipped, *rest = fen.split()
    board = "/".join(reversed(board.swapcase().split("/")))
    castling = "".join(sorted(castling.swapcase())) if castling != "-" else "-"
    skipped = skipped[0] + str(9 - int(skipped[1])) if skipped != "-" else "-"
    return " ".join([board, "b" if turn == "w" else "w", castling, skipped, *rest])


def test_both_colours_are_worth_the_same():
    for position, _ in random_positions(300, 1):
        fen = write_fen(position)
        assert evaluate(position) == evaluate(read_fen(mirrored(fen)))
        assert value_of(fen, 1)[1] == value_of(mirrored(fen), 1)[1]


def plain(position: np.void, left: int, ply: int = 0) -> int:
    """The value that the engine should find, from all moves instead of those that alpha and beta leave."""
    if position["halfmoves"] >= 100:
        return 0
    checked, moves, squares = bool(in_check(position)), legal(position), position["squares"]
    if checked and left == 0 and 0 < ply < DEEPEST // 2:
        left = 1
    if left > 0 and not moves:
        return ply - MATE_VALUE if checked else 0
    best = -MATE_VALUE
    if left <= 0:
        best = evaluate(position)
        loud = []
        for move in moves:
            here, there = move & 127, move >> 7 & 127
            taken = WORTH[abs(int(squares[there]))]
            dearer = taken + 150 < WORTH[abs(int(squares[here]))]
            in_passing = abs(int(squares[here])) == PAWN and there == position["en_passant"]
            if (taken or move >> 14 or in_passing) and not (dearer and attacked(position, there, -position["turn"])):
                loud.append(move)
        moves = loud
    return max([best, *(-plain(after(position, one), left - 1, ply + 1) for one in moves)])


WORTH = (0, 100, 310, 325, 500, 950, 0)


def test_the_engine_finds_the_value_that_a_search_of_everything_finds():
    """On boards with few pieces; what a capture can win at most is guessed, so that one value in fifty may differ."""
    compared, other = 0, 0
    for position, _ in random_positions(4000, 7):
        if 4 < (position["squares"] != 0).sum() < 9 and position["halfmoves"] < 90 and compared < 60:
            compared += 1
            other += value_of(write_fen(position), 2)[1] != plain(position, 2)
    assert compared == 60
    assert other <= 1


def forced(position: np.void, moves: int) -> bool:
    """Whether the side to move mates in so many moves at most, by trying everything."""
    for move in legal(position):
        then = after(position, move)
        answers = legal(then)
        if not answers:
            if in_check(then):
                return True
        elif moves > 1 and all(forced(after(then, one), moves - 1) for one in answers):
            return True
    return False


def test_the_engine_finds_mates_where_there_are_some():
    """Held to a search of everything, on positions of random games with few pieces."""
    found = Counter()
    for position, moves in random_positions(4000, 3):
        if (position["squares"] != 0).sum() > 12 or position["halfmoves"] > 90:
            continue
        if found["one"] < 15 and forced(position, 1):
            found["one"] += 1
            assert value_of(write_fen(position), 1)[1] == MATE_VALUE - 1
        elif found["none"] < 60 and len(moves) < 12:
            two = forced(position, 2)
            found["two" if two else "none"] += 1
            value = value_of(write_fen(position), 3)[1]
            assert value == MATE_VALUE - 3 if two else value < MATE_VALUE - 3
    assert found["one"] >= 5, found
    assert found["none"] >= 10


def test_the_engine_knows_the_mates_of_the_tables():
    draw, done, table = np.random.default_rng(0), Counter(), records(tables())[0]
    while sum(done.values()) < 60:
        fen = random_endgame(draw, ("Q", "R", "QR", "RR")[draw.integers(4)])
        if fen is None:
            continue
        moves = int(moves_to_mate(read_fen(fen), table))
        if moves <= 2 and done[moves] < 30:
            assert value_of(fen, 2 * moves - 1)[1] == MATE_VALUE - (2 * moves - 1)
            done[moves] += 1


def random_endgame(draw: np.random.Generator, pieces: str) -> str | None:
    """A position with White to move, two kings and these pieces of White; None if it cannot be."""
    squares = [int(one) for one in draw.permutation(64)[: 2 + len(pieces)]]
    board = [""] * 64
    for square, piece in zip(squares, "kK" + pieces, strict=True):
        board[square] = piece
    rows = ["".join(board[8 * k + j] or "." for j in range(8)) for k in range(7, -1, -1)]
    text = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows)) + " w - - 0 1"
    try:
        return write_fen(read_fen(text))
    except ValueError:
        return None


def test_the_engine_does_not_repeat_when_it_is_ahead():
    """Positions that have come before are worth nothing to it, here those of a queen that went there and back."""
    for seed in range(8):
        batch = at(ChessWorld(blunder_probability=0.0), "3qk3/8/8/8/8/8/7P/7K w - - 0 1")
        batch.seed([seed])
        for _ in range(12):
            king = batch.states["game"]["position"]["kings"][0, 0]
            names = [NAMES[k] for k in np.flatnonzero(batch.last.info["action_mask"][0])]
            known = batch.states["game"]["history"][0].copy()
            go_on = [one for one in names if one[:2] == square_name(int(king))]
            if not go_on:
                break
            moved(batch, go_on[0])
            if batch.done[0]:
                break
            at_now = int(batch.states["game"]["position"]["halfmoves"][0])
            assert batch.states["game"]["history"][0, at_now] not in known[:at_now]


def test_blunders_are_as_frequent_as_told():
    """Black could mate; a random move seldom does."""
    for chance in (0.0, 0.5, 1.0):
        batch = Batch(ChessWorld(blunder_probability=chance), 2000, num_threads=1)
        batch.seed(range(2000))
        batch.reset()
        states = records(batch.states)
        fen = "3rk3/8/8/8/8/P7/5PPP/6K1 w - - 0 1"
        game = game_of(fen)
        for k in range(2000):
            states[k]["game"] = game
        mated = (batch.step(np.full(2000, NAMES.index("a3a4"))).rewards < 0).mean()
        choices = len(legal(after(read_fen(fen), read_move("a4", read_fen(fen), legal(read_fen(fen)))[0])))
        expected = 1 - chance + chance / choices
        assert abs(mated - expected) <= 4 * np.sqrt(expected * (1 - expected) / 2000)


def test_stronger_opponents_are_stronger():
    """Random play hardly ever loses to random moves within the limit, and always to a search."""
    card = envsuite.card("Chess")
    returns = [
        play(replace(card, options={"opponent_depth": depth}), random_policy, 100, first_seed=0).returns.mean()
        for depth in (0, 1)
    ]
    assert returns[0] > -0.4
    assert returns[1] < -0.9


# endgames


def all_values(endgame: int) -> Counter:
    """Moves to mate over all boards of an endgame of three pieces, mirrored ones counted."""
    found = np.zeros(256, np.int64)
    _count(tables()[0]["kqk" if endgame == 0 else "krk"], found)
    return Counter({k: int(n) for k, n in enumerate(found) if n and k != IMPOSSIBLE})


@kernel
def _count(table, found):
    for black in range(64):
        for white in range(64):
            for first in range(64):
                found[table[index_of(black, white, first, first, 1)]] += 1


def test_tables_of_three_pieces_hold_what_is_known_of_them():
    queen, rook = all_values(0), all_values(1)
    assert queen == {
        1: 2448, 2: 5012, 3: 9064, 4: 19_964, 5: 26_164, 6: 32_064, 7: 32_104, 8: 15_000, 9: 2680, 10: 8
    }  # fmt: skip
    assert queen.total() == 144_508
    assert sum(k * n for k, n in queen.items()) / queen.total() == pytest.approx(5.617, abs=5e-4)
    assert (rook.total(), max(rook), min(rook)) == (175_168, 16, 1)
    assert sum(k * n for k, n in rook.items()) / rook.total() == pytest.approx(9.865, abs=5e-4)


def best_defence(position: np.void, table: np.void) -> int:
    """Moves to mate after Black's best move, from the rules of chess and the table of the next board."""
    answers = legal(position)
    if not answers:
        return 0 if in_check(position) else 1000
    return max(int(moves_to_mate(after(position, one), table)) for one in answers)


@pytest.mark.parametrize("pieces", ["Q", "R", "QR", "RR"])
def test_tables_are_consistent(pieces):
    """On random boards a mate takes one move more than after the best move against the best defence.

    A table without gaps of which this holds everywhere is right: by induction over its values.
    """
    draw, table, done = np.random.default_rng(1), records(tables())[0], 0
    while done < 300:
        fen = random_endgame(draw, pieces)
        if fen is None:
            continue
        position, done = read_fen(fen), done + 1
        value = int(moves_to_mate(position, table))
        assert value == 1 + min(best_defence(after(position, one), table) for one in legal(position)), fen


def test_tables_have_no_gaps():
    for name, size, longest in (("kqk", THREE, 10), ("krk", THREE, 16), ("kqrk", FOUR, 6), ("krrk", FOUR, 7)):
        values = tables()[0][name]
        assert values.shape == (size,)
        assert values.min() == 1
        assert values[values != IMPOSSIBLE].max() == longest


@pytest.mark.slow
def test_tables_are_made_anew_and_equal(tmp_path, monkeypatch):
    """Made from nothing they are those that are kept; a damaged file is made again, and a good one is read."""
    monkeypatch.setenv("ENVSUITE_CACHE_DIR", str(tmp_path))
    tablebase.tables.cache_clear()
    made = tablebase.tables().tobytes()
    (file,) = (tmp_path / "chess").iterdir()
    file.write_bytes(made[:-1] + b"?")
    tablebase.tables.cache_clear()
    assert tablebase.tables().tobytes() == made
    assert file.read_bytes() == made
    monkeypatch.setattr(tablebase, "make_tables", lambda: pytest.fail("it was there"))
    tablebase.tables.cache_clear()
    assert tablebase.tables().tobytes() == made


def boards(batch: Batch) -> list[str]:
    """Positions of a batch as FEN."""
    return [write_fen(one) for one in batch.states["game"]["position"]]


def test_endgames_begin_uniformly_on_what_is_trained_on():
    count = 8000
    batch = begun(ChessEndgamesWorld(endgame="KQK"), count)
    trained, total = np.zeros(12), 0
    table = records(tables())[0]
    shares = np.zeros((11, 2))
    _split(table, shares)
    trained = shares[:, 0] / shares[:, 0].sum()
    seen = np.bincount(batch.last.info["mate_in"], minlength=11)
    total = (seen - count * trained) ** 2 / np.maximum(count * trained, 1e-9)
    assert total[trained > 0].sum() < 35, "chi-squared of 9 degrees of freedom"
    assert abs(shares[:, 1].sum() / shares.sum() - 1 / 16) < 0.01
    assert len(set(boards(batch))) > 0.9 * count
    kinds = Counter(re.sub("[^QR]", "", one.split()[0]) for one in boards(begun(ChessEndgamesWorld(), count)))
    assert set(map("".join, map(sorted, kinds))) == {"Q", "R", "QR", "RR"}
    for pieces in ("Q", "R"):
        assert abs(kinds[pieces] / count - 1 / 4) < 4 * np.sqrt(3 / 16 / count)


@kernel
def _split(t, shares):
    """Boards with a queen by moves to mate, trained on and held out."""
    for black in range(64):
        for white in range(64):
            for first in range(64):
                value = np.int64(t.kqk[index_of(black, white, first, first, 1)])
                if value != IMPOSSIBLE:
                    shares[value, 1 if held_out(0, black, white, first, first) else 0] += 1


def symmetric(fen: str) -> set[str]:
    """The eight boards that are the same when turned or mirrored."""
    rows = ["".join("." * int(one) if one.isdecimal() else one for one in row) for row in fen.split()[0].split("/")]
    found = set()
    for _ in range(4):
        rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        found |= {"/".join(rows), "/".join(row[::-1] for row in rows)}
    return found


@pytest.mark.parametrize("endgame", ["all", *ENDGAMES])
def test_the_examination_is_never_trained_on(endgame):
    exam = boards(begun(ChessEndgamesWorld(endgame=endgame, split="evaluation"), 645))
    classes = [min(symmetric(one)) for one in exam]
    assert len(set(classes)) == 645, "none is another one turned or mirrored"
    trained = boards(begun(ChessEndgamesWorld(endgame=endgame), 4000))
    assert not {min(symmetric(one)) for one in trained} & set(classes)
    assert boards(begun(ChessEndgamesWorld(endgame=endgame, split="evaluation"), 646))[645] == exam[0]


def test_later_episodes_have_the_next_positions_of_the_examination():
    world = ChessEndgamesWorld(split="evaluation")
    batch = begun(world, 3)
    first = boards(batch)
    policy = companion(world, Players).expert()
    while batch.states["rng"]["episode"][0] < 2:
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    assert boards(batch)[0] == first[1]


def test_perfect_play_mates_as_fast_as_the_table_says():
    for options in ({}, {"endgame": "KRK"}, {"split": "evaluation"}):
        world = ChessEndgamesWorld(**options)
        batch = begun(world, 200)
        expected, policy, lengths = batch.last.info["mate_in"].copy(), companion(world, Players).expert(), np.zeros(200)
        over = np.zeros(200, bool)
        for _ in range(17):
            was = batch.done.copy()
            output = batch.step(policy.act(batch.last.observations, batch.states), batch.done)
            lengths += ~over & ~was
            assert (output.rewards[~over & output.terminated] == 1).all()
            over |= output.terminated
        assert over.all()
        assert (lengths == expected).all()


def test_the_king_takes_what_is_left_alone():
    """The only move that draws is found at once; with epsilon it is one of two."""
    fen = "8/8/8/8/8/7R/6k1/K7 w - - 0 1"
    output = moved(at(ChessEndgamesWorld(endgame="KRK"), fen), "a1b1")
    assert (output.rewards[0], output.terminated[0], output.info["drawn"][0]) == (0, True, True)
    batch = Batch(ChessEndgamesWorld(endgame="KRK", epsilon=1.0), 2000, num_threads=1)
    batch.seed(range(2000))
    batch.reset()
    for state in records(batch.states):
        state["game"] = game_of(fen)
    drawn = batch.step(np.full(2000, NAMES.index("a1b1"))).info["drawn"].mean()
    choices = len(legal(after(read_fen(fen), read_move("Kb1", read_fen(fen), legal(read_fen(fen)))[0])))
    assert abs(drawn - 1 / choices) < 4 * np.sqrt(1 / choices / 2000)


def test_reference_players_win():
    card = envsuite.card("ChessEndgames")
    played = play(card, expert_policy, 300, first_seed=0)
    assert (played.returns == 1).all()
    assert played.lengths.max() <= 16
    assert play(card, random_policy, 500, first_seed=0).returns.mean() < 0.05
    won = play(envsuite.card("Chess"), expert_policy, 16, first_seed=0).returns.mean()
    assert won > 0.5


# words, clicks, options


FEN = "r3k2r/8/8/3pP3/4b3/2N3N1/8/R3K3 w Qkq d6 0 9"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nd1", "c3d1"),
        ("N d 1\n", "c3d1"),
        ("I take in passing. Action: exd6", "e5d6"),
        ('{"thoughts": "castle?", "action": "O-O-O"}', "e1c1"),
        ("O - O - O", "e1c1"),
        ("0-0-0", "e1c1"),
        ("e1c1", "e1c1"),
        ("E5D6", "e5d6"),
        ("e5xd6", "e5d6"),
        ("9. Rd1", "a1d1"),
        ("**Rd1**.", "a1d1"),
        ("My move is Rd1!", "a1d1"),
        ("Nd1 (c3d1)", "c3d1"),
        ("Ngxe4", "g3e4"),
        ("", RefusalKind.EMPTY),
        (" \n", RefusalKind.EMPTY),
        ("Nxe4", RefusalKind.AMBIGUOUS),
        ("Rd1 or Nd1", RefusalKind.AMBIGUOUS),
        ("the knight goes home", RefusalKind.UNREADABLE),
        ("e9", RefusalKind.UNREADABLE),
        ("O-O", RefusalKind.ILLEGAL),
        ("d6", RefusalKind.ILLEGAL),
        ("nd1", RefusalKind.UNREADABLE),
        ("Kd2", "e1d2"),
        ("Kd3", RefusalKind.ILLEGAL),
    ],
)
def test_moves_are_read_from_text(text, expected):
    batch = at(ChessWorld(), FEN)
    found = companion(batch.world, Words).parse(text, batch.states[0])
    if isinstance(expected, RefusalKind):
        assert isinstance(found, Refusal)
        assert found.kind == expected, found
    else:
        assert NAMES[found] == expected


def test_promotions_need_their_piece():
    batch = at(ChessWorld(), "7k/P7/8/8/8/8/8/K7 w - - 0 1")
    words, state = companion(batch.world, Words), batch.states[0]
    refusal = words.parse("a8", state)
    assert refusal == Refusal(RefusalKind.AMBIGUOUS, "a8 can mean a8=Q+ or a8=R+ or a8=B or a8=N; say which")
    assert [NAMES[words.parse(text, state)] for text in ("a8=N", "a7a8q", "a8R", "a7a8B")] == [
        "a7a8n",
        "a7a8q",
        "a7a8r",
        "a7a8b",
    ]


def test_descriptions_say_what_can_be_known():
    batch = at(ChessWorld(), "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1")
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1" in told
    assert "2 . . . . r . . .\n1 . . . . K . . R\n  a b c d e f g h" in told
    assert "Your king is in check." in told
    moved(batch, "e1g1")
    assert "Your last move was illegal" in companion(batch.world, Words).describe(batch.states[0])
    moved(batch, "e1e2")
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "You went from e1 to e2. Black answered with its king from e8 to" in told
    batch = at(ChessEndgamesWorld(), "k7/8/1K6/8/8/8/8/6R1 w - - 0 1")
    moved(batch, "g1g8")
    assert "You have won by checkmate." in companion(batch.world, Words).describe(batch.states[0])


def square_place(name: str) -> tuple[float, float]:
    """Where a square lies in a picture, found by its colour alone: the middle of those that clicks take for it."""
    from envsuite.text_games.chess.render import ChessPictures, square_at

    points = [
        (x, y)
        for x in np.linspace(0, 1, 93)
        for y in np.linspace(0, 1, 93)
        if square_at((x, y), ChessPictures.size) == square_of(name)
    ]
    return tuple(np.mean(points, axis=0))


def test_two_clicks_make_a_move():
    batch = at(ChessWorld(), "7k/P7/8/8/8/8/8/K3R3 w - - 0 1")
    controls, state = companion(batch.world, Controls), batch.states[0]

    def clicked(*names: str, held: frozenset = frozenset()):
        return [controls.click(square_place(name), set(held), state) for name in names]

    assert clicked("e1", "e5") == [None, NAMES.index("e1e5")]
    assert clicked("a1", "e1", "e2") == [None, None, NAMES.index("e1e2")]
    assert clicked("c3", "c4", "h8") == [None, None, None]
    assert clicked("a7", "a8") == [None, NAMES.index("a7a8q")]
    assert clicked("a7", "a8", held=frozenset({"n"})) == [None, NAMES.index("a7a8n")]
    assert clicked("e1", "f3") == [None, NAMES.index("e1f3")], "the rules say that it is none"
    assert controls.click((0.5, 0.99), set(), state) is None


def test_amateurs_blunder_as_often_as_told_whatever_else_is_played():
    card = envsuite.card("ChessEndgames")

    def player(world, slots):
        return Amateur(world, TablePlayer(world), (0.405, 0.405))

    some = play(card, player, 600)
    again = play(card, player, 24, slots=5)
    assert again.returns.tolist() == some.returns[:24].tolist()
    assert again.lengths.tolist() == some.lengths[:24].tolist()
    # LMRL-Gym, table 1: 0.586 (0.492) points in 11.9 (12.0) moves
    error = some.returns.std() / 600**0.5
    assert abs(some.returns.mean() - 0.586) < 3 * error
    assert 9.5 < some.lengths.mean() < 13
    never = play(card, lambda world, slots: Amateur(world, TablePlayer(world), (0.0, 0.0)), 50)
    assert never.lengths.tolist() == play(card, expert_policy, 50).lengths.tolist()


def test_pictures_show_pieces_where_they_are():
    world = ChessWorld()
    pictures, batch = companion(world, Pictures), at(world, "7k/8/8/8/8/8/8/K7 w - - 0 1")
    empty = pictures.draw(batch.states[0], pictures.size).astype(int)
    for name, piece in (("c6", QUEEN), ("f2", -PAWN), ("g5", KNIGHT), ("b3", -BISHOP), ("d4", ROOK), ("h1", -KING)):
        batch.states["game"]["position"]["squares"][0, square_of(name)] = piece
        shown = pictures.draw(batch.states[0], pictures.size).astype(int)
        batch.states["game"]["position"]["squares"][0, square_of(name)] = 0
        rows, columns = np.nonzero(abs(shown - empty).sum(axis=2))
        middle = (columns.mean() / pictures.size[0], rows.mean() / pictures.size[1])
        assert np.allclose(middle, square_place(name), atol=0.03), name


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ChessWorld(opponent_depth=9), "opponent_depth is 9, expected a whole number from 0 to 6"),
        (lambda: ChessWorld(blunder_probability=1.5), "blunder_probability is 1.5, expected a number from 0 to 1"),
        (lambda: ChessWorld(max_moves=0), "max_moves is 0, expected a whole number"),
        (lambda: ChessEndgamesWorld(endgame="KBBK"), "endgame is 'KBBK', expected one of 'all', 'KQK'"),
        (lambda: ChessEndgamesWorld(split="test"), "split is 'test', expected one of 'train', 'evaluation'"),
        (lambda: ChessEndgamesWorld(epsilon=-0.1), "epsilon is -0.1, expected a number from 0 to 1"),
    ],
)
def test_bad_options_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.slow
def test_games_go_as_in_python_chess():
    """Moves, FEN, SAN and endings over random games, some with many captures, some going to and fro."""
    chess = pytest.importorskip("chess")
    draw, room, endings = random.Random(0), np.zeros(MOST_MOVES, np.int32), Counter()
    for k in range(400):
        game, other = game_of(), chess.Board()
        while True:
            position = game["position"]
            moves = {write_uci(one): one for one in legal(position)}
            theirs = {one.uci(): one for one in other.legal_moves}
            assert set(moves) == set(theirs), other.fen()
            assert write_fen(position) == other.fen()
            listed = list(moves.values())
            for name in draw.sample(sorted(moves), min(3, len(moves))):
                assert write_san(position, moves[name], listed) == other.san(theirs[name]), other.fen()
            ended = other.outcome()
            assert (game["ending"] != OPEN) == bool(ended or other.halfmove_clock >= 100 or other.is_repetition(3))
            if game["ending"] != OPEN:
                endings[ENDINGS[int(game["ending"])]] += 1
                if ended and ended.termination in (chess.Termination.CHECKMATE, chess.Termination.STALEMATE):
                    assert game["result"] == {True: 1, False: -1, None: 0}[ended.winner]
                    assert (game["ending"] == MATE) == (ended.termination == chess.Termination.CHECKMATE)
                break
            names = sorted(moves)
            if k % 4 == 1:
                names = [one for one in names if other.is_capture(theirs[one])] or names
            if k % 4 == 2 and len(other.move_stack) > 1 and draw.random() < 0.5:
                last = other.move_stack[-2]
                back = chess.Move(last.to_square, last.from_square).uci()
                names = [back] if back in moves else names
            name = draw.choice(names)
            play_move(game, moves[name], room)
            other.push(theirs[name])
    assert set(endings) == set(ENDINGS[1:])
