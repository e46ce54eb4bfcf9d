"""Scenes as tables."""

import pytest

from envsuite.locomotion.models import HOPPER, SWIMMER
from envsuite.rigid import Body, Hinge, Scene, Sphere
from envsuite.rigid.tables import scene_tables

from .scenes import SCENES


def lines(scene: Scene) -> list[str]:
    return scene_tables(scene).splitlines()


def test_tables_say_what_there_is():
    found = lines(HOPPER)
    assert found[0] == (
        "Time step 0.002 s, RK4, Newton with at most 100 iterations, pyramidal cones, gravity 0 0 -9.81 m/s², "
        "15.82 kg in total."
    )
    assert "| leg_joint | leg | hinge | 0 0 0.25 | 0 -1 0 | -2.61799 to 0 |  | 1 | 1 |" in found
    assert "| leg_joint | motor | 200 | -1 to 1 |" in found
    assert "| thigh | torso | 0 0 -0.2 | 4.05789 | 0 0 -0.225 | 0.0932988 0.0932988 0.00494146 |" in found


def test_columns_without_content_are_left_out():
    joints = next(line for line in lines(HOPPER) if line.startswith("| joint | body |"))
    assert joints == "| joint | body | kind | anchor | axis | range | reference | damping | armature |"
    assert not any("Equalities" in line for line in lines(HOPPER))


def test_mediums_welds_and_servos_have_their_columns():
    assert "medium of 4000 kg/m³ and 0.1 Pa s" in lines(SWIMMER)[0]
    assert "| weld | guide, hand | 0 0 0 |" in lines(SCENES["hand"])
    assert "| right | position | 1 | 400 | 3 | -1 to 1 |" in lines(SCENES["hand"])


def test_every_row_has_as_many_cells_as_its_head():
    for scene in SCENES.values():
        heights = [line.count(" | ") for line in lines(scene)]
        for above, below, text in zip(heights, heights[1:], lines(scene)[1:], strict=False):
            assert above == below or not text.startswith("|") or not above


def test_bars_in_names_do_not_end_a_cell():
    scene = Scene(bodies=[Body("a|b", joints=[Hinge("c")], geoms=[Sphere(size=1)])])
    assert any(line.startswith("| a\\|b | world |") for line in lines(scene))


def test_scenes_that_cannot_be_have_no_table():
    with pytest.raises(ValueError, match=r"body 'a': parent is 'b'"):
        scene_tables(Scene(bodies=[Body("a", "b")]))
