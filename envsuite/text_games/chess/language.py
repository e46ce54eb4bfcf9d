"""Chess in words: boards and FEN; answers are moves."""

import re

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.jit import records
from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.chess.game import ENDINGS, MATE, OPEN, action_of
from envsuite.text_games.chess.notation import legal, letter, read_move, square_name, write_fen, write_san
from envsuite.text_games.chess.position import in_check

KINDS = ("", "pawn", "knight", "bishop", "rook", "queen", "king")
_STATED = re.compile(r"\baction\W{0,3}:(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,3}\.{1,3}")
_TOKEN = re.compile(
    r"(?<![\w-])(?:[KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](?:=?[QRBNqrbn])?|[O0]-[O0](?:-[O0])?)[+#]?(?![\w-])"
)
_LONGEST = 60
"""Characters of an answer that can be one move with blanks between all of them."""


def board_text(position: np.void) -> str:
    """The board in characters, White's pieces as capital letters, Black's as small ones.

    Args:
        position: record of type `Position`.
    """
    rows = [
        f"{rank + 1} " + " ".join(letter(int(position["squares"][16 * rank + file])) for file in range(8))
        for rank in range(7, -1, -1)
    ]
    return "\n".join([*rows, "  a b c d e f g h"])


class ChessWords(Words):
    """The board, what has just happened, and the rules; answers are moves in SAN or UCI."""

    opponent = "Black is a chess engine."

    def describe(self, state, agent=0):
        """The board in characters and as FEN, the last moves, and the rules."""
        position = state["game"]["position"]
        lines = [
            f"Position (FEN): {write_fen(position)}",
            board_text(position),
            self._happened(state),
            self.instructions(state, agent),
        ]
        return "\n".join(line for line in lines if line)

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            f"You play White, the capital letters. {self.opponent} Mate the king: winning pays 1, losing -1, a draw "
            "nothing. Stalemate, too few pieces to mate, a position that comes for the third time, and fifty moves of "
            "both sides without a capture or a pawn's move are draws. You have "
            f"{int(self.world.params[0]['longest'])} moves at most; an illegal one costs 1 and changes nothing. Answer "
            "with one move in algebraic notation (e4, Nf3, exd5, O-O, e8=Q) or by its squares (e2e4, e7e8q); there may "
            "be blanks between the characters, and words before 'Action:'."
        )

    def _happened(self, state) -> str:
        game, position = state["game"], state["game"]["position"]
        if game["ending"] != OPEN:
            how = ENDINGS[int(game["ending"])]
            won = "You have won" if game["result"] > 0 else "You have lost"
            return f"{won} by {how}." if game["ending"] == MATE else f"The game is a draw by {how}."
        said = []
        if game["own_move"] >= 0:
            said.append(f"You went from {_squares(int(game['own_move']))}.")
            kind = KINDS[abs(int(position["squares"][int(game["last_to"])]))]
            said.append(f"Black answered with its {kind} from {_squares(int(game['reply']))}.")
        elif state["clock"]["step"] > 0:
            said.append("Your last move was illegal: the board is as before.")
        if in_check(position):
            said.append("Your king is in check.")
        return " ".join(said)

    def answers(self, state, agent=0):
        """The legal moves in SAN."""
        position, moves = state["game"]["position"], self._moves(state)
        return [write_san(position, one, moves) for one in moves]

    def parse(self, text, state, agent=0):
        """Read a move that is legal, in SAN or UCI."""
        position = state["game"]["position"]
        moves = self._moves(state)
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with one move, such as e4 or e2e4")
        answer = [text, *_STATED.findall(text)][-1].strip(" \t\n\"'`*{}.,;:!?")
        whole = _NUMBER.sub("", "".join(answer.split()), count=1) if len(answer) <= _LONGEST else ""
        found = read_move(whole, position, moves)
        if found is not None:
            return self._chosen([(whole, found)], position, moves)
        named = list(dict.fromkeys(_TOKEN.findall(answer)))
        if not named:
            return Refusal(RefusalKind.UNREADABLE, "no move found; answer with one move, such as Nf3 or g1f3")
        return self._chosen([(one, read_move(one, position, moves) or []) for one in named], position, moves)

    def _moves(self, state: np.void) -> list[int]:
        return legal(state["game"]["position"]) if state["game"]["ending"] == OPEN else []

    def _chosen(self, named: list[tuple[str, list[int]]], position: np.void, moves: list[int]):
        """The action of the only move that is named, or why there is none."""
        if len({tuple(found) for _, found in named}) > 1:
            shown = ", ".join(one for one, _ in named[:20])
            return Refusal(RefusalKind.AMBIGUOUS, f"the answer names several moves ({shown}); write one")
        name, found = named[0]
        if len(found) == 1:
            return int(action_of(records(self.world.params)[0], found[0]))
        if found:
            shown = " or ".join(write_san(position, one, moves) for one in found)
            return Refusal(RefusalKind.AMBIGUOUS, f"{name} can mean {shown}; say which")
        return Refusal(RefusalKind.ILLEGAL, f"{name} is not legal now; {_legal_text(position, moves)}")


class ChessEndgamesWords(ChessWords):
    """Likewise, against a bare king."""

    opponent = "Black has only its king, and knows the endgame."


def _squares(move: int) -> str:
    return f"{square_name(move & 127)} to {square_name(move >> 7 & 127)}"


def _legal_text(position: np.void, moves: list[int]) -> str:
    if not moves:
        return "the game is over"
    check = "your king is in check; " if in_check(position) else ""
    shown = ", ".join(write_san(position, one, moves) for one in moves[:20])
    return f"{check}legal moves: {shown}{' and others' * (len(moves) > 20)}"
