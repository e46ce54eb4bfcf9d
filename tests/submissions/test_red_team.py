"""Every attempt is answered as it must be, and the page that lists them tells no more and no less."""

import re

import pytest

from .red_team_cases import CASES, GUARDS, PAGE, PROBES, answer, listener, probe

ALL = [(group, one) for group, cases in CASES.items() for one in cases]


@pytest.mark.parametrize(("group", "one"), ALL, ids=[f"{group}: {one.title}" for group, one in ALL])
def test_attempts_are_answered(bench, tmp_path, group, one):
    kind, reason = answer(bench, one, tmp_path)
    assert kind == one.kind, reason
    assert re.search(one.match, reason), reason
    said = "accepted" if kind == "accepted" else f"refused ({kind})"
    assert f"| {one.title} | {one.level} | {said}: " in PAGE.read_text(encoding="utf-8"), "write the page anew"


def test_no_two_attempts_have_one_title():
    titles = [one.title for _, one in ALL] + list(PROBES)
    assert len(titles) == len(set(titles))
    page = PAGE.read_text(encoding="utf-8").partition("\n## The server\n")[0]  # which has a test of its own
    assert page.count("\n| ") == len(titles) + 2 * (len(CASES) + 1)


def test_the_sandbox_prevents_everything_and_the_probes_would_work_without_it():
    with listener() as port:
        free = probe((), port)
        system = {"look up a name", "load machine code"}  # needs that name, and that library
        assert {free[title] for title in PROBES if title not in system} == {"done"}, free
        absent = {guard for guard in GUARDS if "guard not to be had here" in probe((guard,), port).values()}
        assert absent <= {"network namespace", "system calls"}
        together = probe(tuple(guard for guard in GUARDS if guard not in absent), port)
    assert set(together.values()) <= {"PermissionError", "MemoryError"}, together


@pytest.mark.parametrize("guard", ["audit hook", "system calls"])
def test_each_of_two_guards_alone_keeps_files_network_and_programs_away(guard):
    with listener() as port:
        found = probe((guard,), port)
    if "guard not to be had here" in found.values():
        pytest.skip(f"no {guard} on this system")
    reaching = [title for title in PROBES if title != "take 512 MB of memory where 256 are allowed"]
    allowed = {"PermissionError", "OSError", "gaierror"}  # libraries wrap what the kernel says
    assert {found[title] for title in reaching} <= allowed, found


def test_the_network_namespace_alone_has_no_network():
    with listener() as port:
        found = probe(("network namespace",), port)
    if "guard not to be had here" in found.values():
        pytest.skip("the kernel permits no network namespace")
    assert found["connect to a server on the same machine"] != "done"
