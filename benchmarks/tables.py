"""Writes the recorded results into ``docs/speed.md``, between its markers."""

import json
import re
from pathlib import Path

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


def main() -> None:
    """Replace what stands between the markers."""
    results = ROOT / "benchmarks" / "results"
    rates, extra = speed(json.loads((results / "speed.json").read_text(encoding="utf-8")))
    sections = {
        "speed": rates,
        "overhead": extra,
        "cartpole": cartpole(json.loads((results / "cartpole.json").read_text(encoding="utf-8"))),
    }
    page = ROOT / "docs" / "speed.md"
    text = page.read_text(encoding="utf-8")
    for name, content in sections.items():
        begin, end = f"<!-- {name} -->", f"<!-- end {name} -->"
        text = re.sub(f"{begin}.*?{end}", f"{begin}\n\n{content}\n\n{end}", text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
