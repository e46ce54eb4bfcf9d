"""Builds wheel and source archive and uses both as a stranger would: in bare environments, away from the repository.

``python .ci/wheel.py`` does it with the Python that runs it; ``--python`` names others. Continuous integration calls
it on every system and Python that is supported, the release before it publishes, and tests/test_wheel.py here.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ID = "QuadHover"


def run(*command: str | Path, cwd: Path, status: int = 0) -> str:
    """Run a command away from the repository; what it printed.

    Args:
        *command: program and arguments.
        cwd: folder.
        status: exit status that is expected.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"ENVSUITE_CACHE_DIR": str(cwd / "cache"), "PYTHONUTF8": "1"}
    started = time.monotonic()
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    shown = " ".join(map(str, command[1:] if Path(command[0]).stem.startswith("python") else command))
    print(f"{time.monotonic() - started:6.1f} s  {shown[-110:]}", flush=True)
    if done.returncode != status:
        raise SystemExit(f"exit status {done.returncode}, expected {status}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def build(folder: Path) -> tuple[Path, Path]:
    """Wheel and source archive of the repository.

    Args:
        folder: where they go.
    """
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, str(ROOT), cwd=folder)
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def bare(python: str, folder: Path, archive: str) -> tuple[Path, Path]:
    """Python and `envsuite` of a new environment that holds the archive and what it asks for."""
    run(python, "-m", "venv", folder / "venv", cwd=folder)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    ending = ".exe" if os.name == "nt" else ""
    inside = programs / f"python{ending}"
    run(inside, "-m", "pip", "install", "--quiet", archive, cwd=folder)
    return inside, programs / f"envsuite{ending}"


def use(python: str, archive: Path, extras: str, folder: Path) -> None:
    """Install an archive and do what its README promises of it.

    Args:
        python: whose environment.
        archive: wheel or source archive.
        extras: to install with it, separated by commas; empty for none.
        folder: empty.
    """
    inside, envsuite = bare(python, folder, f"{archive}[{extras}]" if extras else str(archive))
    assert "rotation matrix" in run(envsuite, "info", ID, cwd=folder)
    assert f"ppo/{ID}-v0" in run(envsuite, "baselines", "list", cwd=folder)
    run(envsuite, "bench", ID, "--num-envs", "16", "--seconds", "0.1", cwd=folder)
    run(envsuite, "evaluate", ID, "--policy", f"ppo/{ID}", "--episodes", "10", cwd=folder)
    run(envsuite, "play", ID, "--policy", f"ppo/{ID}", "--record", "flight.gif", "--save", "flight.npz", cwd=folder)
    run(envsuite, "replay", "flight.npz", "--check", cwd=folder)
    assert (folder / "flight.gif").stat().st_size > 1000
    run(envsuite, "new", "mine/pendulum", cwd=folder, status=2)
    run(envsuite, "new", "mine/pendulum", "--into", "worlds", cwd=folder)
    code = "import gymnasium, envsuite; env = gymnasium.make_vec('envsuite/QuadHover-v0', num_envs=8)"
    run(inside, "-c", f"{code}; env.reset(seed=0); env.step(env.action_space.sample())", cwd=folder)
    if "baselines" in extras:
        run(envsuite, "baselines", "train", "ppo/QuadHoverGPD", "--", "--total-steps", "20000", cwd=folder)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", help="program; may be repeated; this one by default")
    parser.add_argument("--extras", default="", help="also install these, separated by commas")
    parser.add_argument("--dist", type=Path, help="take the archives that lie in this folder instead of building them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        place = Path(scratch)
        if given.dist is None:
            archives = build(place)
        else:
            dist = given.dist.resolve()
            archives = next(dist.glob("*.whl")), next(dist.glob("*.tar.gz"))
        for number, python in enumerate(given.python or [sys.executable]):
            for archive in archives:
                folder = place / f"{number}-{archive.suffix[1:]}"
                folder.mkdir()
                print(f"{python}: {archive.name}", flush=True)
                use(python, archive, given.extras, folder)
    print("wheel and source archive work")


if __name__ == "__main__":
    main()
