"""The site in a real browser, opened from disk: sorting, filtering, replays, keyboard, phone, no requests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import envsuite
from envsuite.evaluation.rollout import play, random_policy
from envsuite.submissions.site.viewer import write_viewer

playwright = pytest.importorskip("playwright.sync_api")

BROWSER = os.environ.get("ENVSUITE_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed; ENVSUITE_BROWSER names one")

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=BROWSER, args=QUIET)
        yield found
        found.close()


@pytest.fixture
def page(browser) -> Iterator:
    """A page that fails its test on console errors, page errors, dialogs and requests to anything but files."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script("window.injected = 0")
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else faults.append(request.url)
    )
    page.on("requestfailed", lambda request: faults.append(f"failed: {request.url}"))
    yield page
    assert page.evaluate("window.injected") == 0
    assert faults == []
    context.close()


def open_page(page, path: Path) -> None:
    page.goto(path.as_uri())


def methods(page) -> list[str]:
    return page.eval_on_selector_all(
        "table.board tbody tr", "rows => rows.filter(r => !r.hidden).map(r => r.dataset.name)"
    )


def test_sorting_by_click_and_by_keyboard(page, site):
    open_page(page, site / "quadcopters.html")
    board = page.locator("table.board")
    heading = board.get_by_role("columnheader", name="IQM")
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert methods(page)[0] == "Boaster"
    heading.get_by_role("button").press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    assert methods(page)[-1] == "Boaster"
    board.get_by_role("columnheader", name="Method").get_by_role("button").click()
    found = methods(page)
    assert [name for name in found if name[0].isalpha()] == ["Better", "Boaster", "Good"]
    assert heading.get_attribute("aria-sort") == "none"


def test_filters(page, site):
    open_page(page, site / "quadcopters.html")
    assert len(methods(page)) == 4
    page.get_by_label("reported", exact=True).uncheck()
    assert "Boaster" not in methods(page)
    page.get_by_label("other").uncheck()
    assert methods(page) == ["Good", "Better"]
    page.get_by_label("Method", exact=True).fill("bett")
    assert methods(page) == ["Better"]
    assert page.locator("form.filters output").text_content() == "1 of 4 methods"


def test_replay_plays(page, site):
    open_page(page, site / "quadcopters" / "20261102_expert.html")
    replay = page.locator("section.replay").first
    replay.get_by_role("button", name="Open the replay").click()
    page.wait_for_selector("section.replay[data-ready=yes]")
    picture = "s => s.querySelector('canvas').toDataURL()"
    first = replay.evaluate(picture)
    assert len(first) > 5_000  # something is drawn
    replay.get_by_label("Speed").select_option("4")
    replay.get_by_role("button", name="Play").press("Enter")
    page.wait_for_function("() => Number(document.querySelector('section.replay').dataset.frame) > 5")
    replay.get_by_role("button", name="Pause").click()
    assert replay.evaluate(picture) != first
    assert "step" in replay.locator("output").text_content()
    replay.get_by_label("Frame").fill("0")
    assert replay.evaluate(picture) == first


def test_the_viewer_goes_step_by_step(page, tmp_path):
    card = envsuite.card("QuadHover")
    log = play(card, random_policy, 1, first_seed=5, record=True).log
    write_viewer(tmp_path / "flight.html", log, 0, card)
    open_page(page, tmp_path / "flight.html")
    page.wait_for_selector("section.replay[data-ready=yes]")
    replay = page.locator("section.replay")
    frame, told = "s => Number(s.dataset.frame)", page.locator(".texts")
    first = told.text_content()
    assert "agent" in first
    page.keyboard.press("ArrowRight")
    assert (replay.evaluate(frame), replay.locator("output").text_content()[:7]) == (1, "step 1,")
    assert told.text_content() != first
    page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="One step back").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")  # no further than the beginning
    assert (replay.evaluate(frame), told.text_content()) == (0, first)
    replay.get_by_label("Step", exact=True).fill("1000000")
    assert replay.evaluate(frame) == log.lengths[0]


def test_texts_of_strangers_do_nothing(page, site):
    open_page(page, site / "quadcopters.html")
    assert any("<script>" in name for name in methods(page))
    open_page(page, site / "quadcopters" / "20261102_harmless.html")
    assert page.locator("dd", has_text="<script>").count() > 0
    page.locator("section.replay").first.get_by_role("button", name="Open the replay").click()
    page.wait_for_selector("section.replay[data-ready=yes]")


@pytest.mark.parametrize("name", ["index.html", "quadcopters.html", "quadcopters/20261102_expert.html"])
def test_phone(page, site, name):
    page.set_viewport_size({"width": 360, "height": 740})
    open_page(page, site / name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360  # tables scroll inside their frames


def test_the_overview_is_not_cut_on_a_small_laptop(page, site):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, site / "quadcopters.html")
    for kind in ("board", "references"):
        assert page.evaluate(f"(t => t.scrollWidth <= t.parentElement.clientWidth)(document.querySelector('.{kind}'))")


def test_keyboard_reaches_everything(page, site):
    open_page(page, site / "quadcopters.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName"))
    assert {"A", "BUTTON", "INPUT"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_text(page, site, scheme):
    """At least 4.5 : 1 (WCAG 2.1, AA) for every text of the board."""
    page.emulate_media(color_scheme=scheme)
    open_page(page, site / "quadcopters.html")
    assert page.evaluate(CONTRAST) == []


CONTRAST = """() => {
  const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (css, over) => {
    pen.fillStyle = `rgb(${over})`; pen.fillRect(0, 0, 1, 1);
    pen.fillStyle = css; pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (c) => {
    const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    const chain = [];
    for (; e; e = e.parentElement) chain.unshift(getComputedStyle(e).backgroundColor);
    return chain.reduce((over, css) => rgba(css, over), [255, 255, 255]);
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !e.checkVisibility() || e.tagName === 'SCRIPT') continue;
    const under = ground(e);
    const [x, y] = [light(rgba(getComputedStyle(e).color, under)), light(under)];
    const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (ratio < 4.5) bad.push([e.tagName, e.className, walker.currentNode.textContent.trim().slice(0, 20), ratio]);
  }
  return bad;
}"""
