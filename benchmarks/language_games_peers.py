"""Rates of OpenSpiel and TextArena for `language_games.py`; prints them as JSON.

python benchmarks/language_games_peers.py open_spiel|textarena
"""

import json
import random
import re
import sys
import time
from importlib.metadata import version

SECONDS = 2.0
SPIEL = {
    "tic-tac-toe": "tic_tac_toe",
    "Kuhn poker": "kuhn_poker",
    "Leduc poker": "leduc_poker",
    "Nim": "nim(pile_sizes=3;4;5,is_misere=false)",
    "Pig": "pig",
    "liar's dice": "liars_dice",
    "Mini Hanabi": "hanabi(players=2,colors=2,ranks=2,hand_size=3,max_information_tokens=3,max_life_tokens=3)",
    "Simple Hanabi": "hanabi(players=2,colors=3,ranks=2,hand_size=5,max_information_tokens=8,max_life_tokens=3)",
}
ARENA = {
    "tic-tac-toe": "TicTacToe-v0",
    "Kuhn poker": "KuhnPoker-v0",
    "Nim": "Nim-v0",
    "Pig": "PigDice-v0",
    "negotiation, five kinds": "SimpleNegotiation-v0",
}


def spiel() -> dict:
    """Moves a second of random games, states cloned never, with and without the text of the information state."""
    import pyspiel

    found = {}
    for name, game in SPIEL.items():
        loaded, row = pyspiel.load_game(game), {}
        for text in (False, True):
            moves, start = 0, time.process_time()
            while time.process_time() - start < SECONDS:
                state = loaded.new_initial_state()
                while not state.is_terminal():
                    if state.is_chance_node():
                        state.apply_action(random.choice(state.chance_outcomes())[0])
                        continue
                    if text:
                        str(state)
                    state.apply_action(random.choice(state.legal_actions()))
                    moves += 1
            row["text steps/s" if text else "steps/s"] = round(moves / (time.process_time() - start))
        found[name] = row
    return {"version": version("open_spiel"), **found}


def arena() -> dict:
    """Moves a second of random games with the observations that a language model is given."""
    import textarena

    found = {}
    for name, game in ARENA.items():
        env = textarena.make(env_id=game)
        moves, start = 0, time.process_time()
        while time.process_time() - start < SECONDS:
            env.reset(num_players=2, seed=moves)
            done = False
            while not done:
                _, text = env.get_observation()
                done, _ = env.step(answer(name, text))
                moves += 1
            env.close()
        found[name] = {"text steps/s": round(moves / (time.process_time() - start))}
    return {"version": version("textarena"), **found}


def answer(name: str, text: str) -> str:
    """A random legal move, as the game's last list tells them."""
    if name == "Nim":
        pile, size = random.choice([found for found in re.findall(r"pile (\d+): (\d+)", text)[-3:] if found[1] != "0"])
        return f"[{pile} {random.randint(1, int(size))}]"
    if name.startswith("negotiation"):
        give, want = random.sample(("Wheat", "Wood", "Sheep", "Brick", "Ore"), 2)
        return random.choice(("[Deny]", f"[Offer: 1 {give} -> 1 {want}]"))
    listed = re.findall(r"\[\w+\]", text[text.lower().rfind("available ") :])
    return random.choice(listed)


if __name__ == "__main__":
    print(json.dumps({"open_spiel": spiel, "textarena": arena}[sys.argv[1]]()))
