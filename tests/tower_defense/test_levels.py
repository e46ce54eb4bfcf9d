"""Levels: the numbers of the benchmark, files and their errors, levels made at random."""

from itertools import pairwise

import numpy as np
import pytest

from envsuite.tower_defense.kernel import BulwarkWorld
from envsuite.tower_defense.levels import LevelError, benchmark, read_level
from envsuite.tower_defense.levels.files import write_level
from envsuite.tower_defense.levels.procedural import judge, make
from envsuite.tower_defense.levels.viewer import HEADER, picture, waves
from envsuite.tower_defense.params import ENEMY_TABLE

# of each benchmark level: enemies, their health, difficulty index
PUBLISHED = {
    1: (69, 22020, 3.55),
    2: (59, 18140, 3.92),
    3: (49, 17500, 3.67),
    4: (44, 18040, 5.28),
    5: (37, 19420, 6.37),
}


@pytest.mark.parametrize("number", PUBLISHED)
def test_benchmark_levels_have_their_numbers(number):
    level = benchmark(number)
    enemies, health, difficulty = PUBLISHED[number]
    assert (len(level.enemies), level.total_hp) == (enemies, health)
    assert level.difficulty == pytest.approx(difficulty, abs=0.06), "path is sampled every 16 su"


def test_covered_path_in_closed_form():
    """A straight road past a site at distance 0.6: a chord of a circle of radius 1.25."""
    level = make_level(paths="[[[-3, 0], [3, 0]]]", sites="[[0, 0.6]]")
    assert level.covered()[0] == pytest.approx(2 * np.sqrt(1.25**2 - 0.6**2), abs=0.02)
    assert level.lengths == (6.0,)
    assert np.array_equal(level.tables[0][[0, 1, -1]], [[-3072, 0], [-3056, 0], [3072, 0]])


TEXT = """
name = "Mine"
paths = PATHS
sites = SITES
waves = WAVES
"""


def text(paths="[[[-3, 0], [3, 0]]]", sites="[[0, 0.6]]", waves='[["raider x 2"]]', more=""):
    return TEXT.replace("PATHS", paths).replace("SITES", sites).replace("WAVES", waves) + more


def make_level(tmp=None, **parts):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.toml"
        path.write_text(text(**parts), encoding="utf-8")
        return read_level(path)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"more": "speed = 3"}, "unknown key 'speed'"),
        ({"more": 'gold = "much"'}, "gold is 'much', expected an integer"),
        ({"more": "gold = 1.5"}, "gold is 1.5, expected an integer"),
        ({"more": "spawn = true"}, "spawn is True, expected a number"),
        ({"more": "life = 0"}, "life is 0, expected 1 to 1000"),
        ({"more": "gold = 900\ngold_cap = 800"}, "gold_cap is 800, expected 900 to"),
        ({"more": "fog = nan"}, "fog is nan, expected an integer"),
        ({"more": "first = nan"}, "first is nan, expected 0.05 to 1000"),
        ({"paths": "[]"}, "paths is '\\[\\]', expected a list of 1 to 5"),
        ({"paths": "[[[-3, 0]]]"}, r"paths\[0\] has 1 way-points"),
        ({"paths": "[[[-3, 0], [3.5, 0]]]"}, r"paths\[0\]\[1\] is \(3.5, 0\)"),
        ({"paths": "[[[-3, 0], [nan, 0]]]"}, r"paths\[0\]\[1\] is \(nan, 0\)"),
        ({"paths": "[[[-3, 0], [-2.5, 0]]]"}, "units long, expected 1 to 20"),
        ({"paths": "[[[-3, 0], [3]]]"}, r"paths\[0\]\[1\] is \[3\], expected two numbers"),
        ({"sites": "[[0, 0.6], [0.3, 0.8]]"}, r"sites\[1\] is 0.30 from sites\[0\]"),
        ({"waves": '[["dragon x 2"]]'}, r"waves\[0\]\[0\] is 'dragon x 2', expected a text like 'raider x 8'"),
        ({"waves": '[["raider 2"]]'}, r"waves\[0\]\[0\] is 'raider 2'"),
        ({"waves": '[["raider x 0"]]'}, r"waves\[0\] holds 0 of type 0"),
        ({"waves": '[["raider x 500"]]'}, r"waves\[0\] has 500 enemies, expected 1 to 192"),
        ({"waves": "["}, "is not a TOML file"),
    ],
)
def test_faults_of_level_files_are_named(parts, words):
    with pytest.raises(LevelError, match=words) as caught:
        make_level(**parts)
    assert "mine.toml" in str(caught.value)


def test_a_missing_key_is_named(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text('name = "Short"\npaths = [[[-3, 0], [3, 0]]]\n', encoding="utf-8")
    with pytest.raises(LevelError, match="'sites' is missing"):
        read_level(path)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(LevelError, match=r"missing\.toml cannot be read: No such file"):
        BulwarkWorld(level=str(tmp_path / "missing.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(LevelError, match="Is a directory"):
        read_level(tmp_path / "folder.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(LevelError, match="no UTF-8"):
        read_level(tmp_path / "bytes.toml")


def test_levels_survive_their_files(tmp_path):
    for k, level in enumerate((benchmark(5), make(3, 7.0).level)):
        path = tmp_path / f"{k}.toml"
        path.write_text(write_level(level), encoding="utf-8")
        assert read_level(path) == level


@pytest.mark.parametrize("difficulty", [0.0, 4.0, 9.0])
def test_levels_made_at_random_are_sound(difficulty):
    made = [make(number, difficulty) for number in range(6)]
    assert make(2, difficulty) == made[2]
    assert len({one.level.paths for one in made}) == 6
    for one in made:
        level = one.level
        assert len(level.paths) == 1 + int(difficulty / 2.5)
        assert level.difficulty == pytest.approx(3 + 0.35 * difficulty, abs=0.25)
        assert np.mean(one.lost) <= 18
        assert judge(level) == one.lost
        for path, length in zip(level.paths, level.lengths, strict=True):
            assert 7 <= length <= 14
            assert all((a[0] == b[0]) != (a[1] == b[1]) for a, b in pairwise(path)), "orthogonal"
        assert len({path[-1] for path in level.paths}) == 1, "one base"
        assert len(level.order) < len(level.sites), "there are decoys"
        assert {kind for wave in level.waves for kind, _ in wave} <= set(range(len(ENEMY_TABLE)))


def test_harder_levels_cost_more():
    lost = [np.mean([make(number, difficulty).lost for number in range(8)]) for difficulty in (1.0, 5.0, 9.5)]
    assert lost[0] < lost[1] < lost[2]


def test_wrong_numbers_of_levels_are_named():
    with pytest.raises(ValueError, match="difficulty is 11"):
        make(0, 11)
    with pytest.raises(ValueError, match="number of a level is -1"):
        make(-1, 3)


def test_viewer():
    level = benchmark(1)
    assert picture(level, 200).shape == (220, 200, 3)
    rows = waves(level)
    assert len(rows) == 5
    assert rows[1] == ("2", "32", "12", "3,120", "8 x raider, 4 x runner")
    assert len(HEADER) == len(rows[0])
