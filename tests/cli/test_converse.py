"""`envsuite play --text`."""

import pytest
from click.testing import CliRunner

from envsuite.cli import main


def test_an_episode_is_played_in_words():
    played = CliRunner().invoke(
        main, ["play", "NumberLine", "--text", "--seed", "4"], input="hm\n" + "right\n" * 5 + "left\n" * 5
    )
    assert played.exit_code == 0, played.output
    assert "your target is" in played.output
    assert "no known choice found; choose one of: left, right" in played.output
    assert "seed 4: return" in played.output
    assert "not ended" not in played.output


def test_the_end_of_the_input_ends_the_game():
    played = CliRunner().invoke(main, ["play", "NumberLine", "--text"], input="")
    assert played.exit_code == 0
    assert played.output.rstrip().endswith("return 0 after 0 steps, not ended")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["MOConnect4", "--text"], "MOConnect4-v0 has 2 agents, expected one"),
        (["NumberLine", "--text", "--policy", "random"], "--text goes with neither"),
    ],
)
def test_what_cannot_be_played_in_words_is_refused(arguments, message):
    played = CliRunner().invoke(main, ["play", *arguments])
    assert played.exit_code != 0
    assert message in played.output
