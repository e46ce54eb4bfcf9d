"""Writes the recorded results into ``docs/speed.md``, ``trainers.md`` and ``baselines.md``, between their markers."""

import json
import re
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).resolve().parents[1]


def table(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def speed(found: dict) -> tuple[str, str]:
    """Steps a second, and the front end's overhead."""
    ids = [name for name in found if "/" in name]
    rates, extra = [], []
    for name in ids:
        one, two = (found[name]["steps_per_second"][key] for key in ("1 thread", "2 thread"))
        single, use = found[name]["single"], found[name]["first_use"]
        rates.append(
            [name.split("/")[1], f"{one / 1e6:.2f} M", f"{two / 1e6:.2f} M", f"{two / one:.2f}"]
            + [f"{single[key] / 1e3:.0f} k" for key in ("unwrapped", "wrapped")]
            + [f"{use[key]:.2f} s" for key in ("compiling", "cached")]
        )
        for kind, words in (
            ("overhead_us", "beyond the kernel"),
            ("front_end_us", "beyond a kernel that does nothing"),
        ):
            extra.append([name.split("/")[1], words, *(f"{value:.1f} us" for value in found[name][kind].values())])
    sizes = [f"{n} instances" for n in found[ids[0]]["overhead_us"]]
    header = ["environment", "1 thread", "2 threads", "scaling", "one instance", "with wrappers"]
    header += ["first step, compiling", "first step, cached"]
    return table(header, rates), table(["environment", "measured", *sizes], extra)


def cartpole(found: dict) -> str:
    """Gymnasium and envsuite side by side."""
    names = [name for name in found if name[0].isdigit()]
    rows = [
        [name, f"{found[name]['gymnasium']:,.0f}", f"{found[name]['envsuite']:,.0f}", f"{found[name]['ratio']:.2f}"]
        for name in names
    ]
    return table(["instances", "Gymnasium", "envsuite", "ratio"], rows)


def quadcopters(found: dict) -> dict[str, str]:
    """Every drone task, gym-pybullet-drones at equal physics, the other simulators, and agreement."""
    tasks = [
        [name.split("/")[1], _rate(one["steps per second"]), _rate(one["drone steps per second"])]
        for name, one in found["envsuite"].items()
    ]
    gpd, here = found["peers"]["gym-pybullet-drones"]["found"], found["equal physics"]
    equal = []
    for name, theirs in gpd.items():
        cells = [name]
        for kind in ("hovering", "random actions"):
            cells += [f"{theirs[kind]:,.0f}", _rate(here[name][kind]), f"{here[name][kind] / theirs[kind]:,.0f}"]
        equal.append(cells)
    header = ["task", "hovering", "envsuite", "ratio", "random actions", "envsuite", "ratio"]
    others = [
        [peer, name, _rate(one["random actions"])]
        for peer in ("pyflyt", "crazyflow", "l2f")
        for name, one in found["peers"][peer]["found"].items()
    ]
    others += [
        ["envsuite", f"QuadHover, l2f's vehicle, {name}", _rate(one)] for name, one in found["full step"].items()
    ]
    exact = [
        [name, *(f"{value:.0e}" if value else "0" for value in worst.values())]
        for name, worst in found["agreement with gym-pybullet-drones"].items()
    ]
    close = [
        [f"envsuite in {name}", *(f"{value:.0e}" for value in worst.values())]
        for name, worst in found["agreement with l2f"].items()
    ]
    units = ["position (m)", "attitude", "velocity (m/s)", "rates (rad/s)", "rotor speed (share)"]
    return {
        "quadcopters": table(["environment", "steps/s", "drone steps/s"], tasks),
        "gpd": table(header, equal),
        "simulators": table(["simulator", "what", "steps/s"], others),
        "gpd agreement": table(["mode", "position (m)", "observation", "reward"], exact),
        "l2f agreement": table(["largest difference over 100 steps", *units], close),
    }


def _rate(value: float) -> str:
    return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value / 1e3:.0f} k" if value >= 1e4 else f"{value:,.0f}"


def throughput(found: dict) -> str:
    """Training steps a second."""
    rows = [[name, f"{one['steps_per_second']:,.0f}", f"{one['ratio']:.1f}"] for name, one in found["speed"].items()]
    return table(["PPO", "steps a second", "envsuite with 64 instances is faster by"], rows)


def solved(found: dict) -> str:
    """When CartPole was solved."""
    rows = []
    for name, one in found["cartpole"].items():
        runs = [run for run in one["runs"] if run["step"] is not None]
        finals = [run["final"] for run in one["runs"]]
        steps, seconds = (median(run[key] for run in runs) for key in ("step", "seconds"))
        still = sum(final >= 475.0 for final in finals)
        cells = [f"{one['solved']} of {len(one['runs'])}", f"{steps:,.0f}", f"{seconds:.2g} s", f"{still}"]
        rows.append([{"sb3": "PPO of SB3 (RL Zoo)"}.get(name, name), *cells, f"{mean(finals):.0f}"])
    header = ["algorithm", "seeds that reached 475", "steps (median)", "training time (median)"]
    return table([*header, "seeds at 475 at the end", "mean return at the end"], rows)


def doors(found: dict) -> str:
    """Steps a second through each door, with the ratio to the plain batch."""
    ids = [name for name in found if "/" in name]
    sizes = list(found[ids[0]])
    header = ["door", *(f"{name.split('/')[1]}, {size}" for name in ids for size in sizes)]
    names = dict.fromkeys(door for name in ids for size in sizes for door in found[name][size])
    rows = []
    for door in names:
        cells = [found[name][size].get(door) for name in ids for size in sizes]
        told = [f"{_rate(one['steps_per_second'])} ({one['ratio']:.2f})" if one else "" for one in cells]
        rows.append(["plain batch" if door == "batch" else door, *told])
    return table(header, rows)


def gpu(found: dict) -> dict[str, str]:
    """Steps a second on a GPU, PPO there in both ways, and seconds until drones settle."""
    counts = sorted({int(key.split()[1]) for one in found["steps"].values() for key in one if key.startswith("gpu")})
    rows = []
    for name, one in found["steps"].items():
        cells = [_rate(one[f"gpu {count}"]) for count in counts]
        best = max(one[f"gpu {count}"] for count in counts) / one["one thread"]
        rows.append([name, *cells, _rate(one["one thread"]), f"{best:.0f}", f"{one['first use (s)']:.0f} s"])
    header = ["environment", *(f"{count:,} instances" for count in counts)]
    stepped = table([*header, "one thread of the processor", "ratio", "first use"], rows)
    rows = []
    for name, ways in found["training"].items():
        for count in sorted({int(key.split()[1]) for key in ways if key.startswith("cuda")}):
            recorded, plain = (ways[f"cuda {count} {way}"] for way in ("graph", "kernel by kernel"))
            rates = [one["steps a second"] for one in (recorded, plain)]
            busy = f"{1e3 * recorded['busy (s)']:.0f} ms"
            rows.append([name, f"{count:,}", *map(_rate, rates), f"{rates[0] / rates[1]:.1f}", busy])
    header = ["PPO", "instances", "recorded", "kernel by kernel", "ratio", "the device's own time for a round"]
    trained = table(header, rows)
    rows = []
    for name, one in found["settling"].items():
        times, shares = ([run[key] for run in one["runs"]] for key in ("with the evaluation (s)", "settled"))
        steps = f"{one['settings']['total_steps'] / 1e6:.1f} M"
        rows.append([name, str(len(times)), steps, f"{median(times):.1f} s", f"{median(shares):.2f}"])
    settled = table(["settings", "seeds", "steps", "training and evaluation", "settled"], rows)
    return {"gpu steps": stepped, "gpu training": trained, "gpu settling": settled}


def write(page: Path, sections: dict[str, str]) -> None:
    """Replace what stands between the markers of a page."""
    text = page.read_text(encoding="utf-8")
    for name, content in sections.items():
        begin, end = f"<!-- {name} -->", f"<!-- end {name} -->"
        text = re.sub(f"{begin}.*?{end}", f"{begin}\n\n{content}\n\n{end}", text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    """Write all tables."""
    results = ROOT / "benchmarks" / "results"

    def recorded(name: str) -> dict:
        return json.loads((results / f"{name}.json").read_text(encoding="utf-8"))

    rates, extra = speed(recorded("speed"))
    sections = {"speed": rates, "overhead": extra, "cartpole": cartpole(recorded("cartpole"))}
    write(ROOT / "docs" / "speed.md", sections | quadcopters(recorded("quadcopters")) | gpu(recorded("gpu")))
    write(ROOT / "docs" / "trainers.md", {"doors": doors(recorded("doors"))})
    found = recorded("baselines")
    write(ROOT / "docs" / "baselines.md", {"throughput": throughput(found), "solved": solved(found)})


if __name__ == "__main__":
    main()
