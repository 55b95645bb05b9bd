"""Pages on a phone: in a frame of 360 pixels, where chromium's own window cannot be so narrow, nothing is wider.

The pages are opened from disk, with all that unfolds in them unfolded; whatever is wider must scroll in its own box.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from browsers import CHROMIUM, needs_browser
from click.testing import CliRunner

from gdl.commands import cli

BROAD = "players MAX, MIN\ntree MAX(" + ", ".join(["MIN(3, 12, 8, 4, 5, 6)"] * 6) + ")"
PAGES = {
    "stepping": ["draw", "-", "-o"],
    "simulations": ["draw", "figure_5_2", "--solver", "mcts", "-o"],
    "table": ["draw", "battle_of_the_sexes", "-o"],
    "plans": ["draw", "beer_quiche", "-o"],
    "practice": ["quiz", "--practice", "--batch", "2", "--branching", "3", "-o"],
    "report": ["report", "kuhn", "--games", "8", "--agents", "random", "-o"],
}
FRAMES = """<!DOCTYPE html><meta charset="utf-8"><body>FRAMES<pre id="result"></pre>
<script>
window.onload = () => {
  const found = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument;
    page.querySelectorAll("details").forEach((each) => { each.open = true; });
    for (const name of ["more", "reveal"]) page.getElementById(name)?.click();
    const hidden = (each) => ["auto", "scroll", "hidden"].includes(frame.contentWindow.getComputedStyle(each).overflowX);
    const boxed = (each) => each.parentElement && (hidden(each.parentElement) || boxed(each.parentElement));
    const over = [...page.body.querySelectorAll("*")].filter(
      (each) => each.getBoundingClientRect().right > frame.contentWindow.innerWidth + 0.5 && !boxed(each));
    found[frame.name] = [frame.contentWindow.innerWidth, page.documentElement.scrollWidth, over.map((each) => each.tagName)];
  }
  document.getElementById("result").textContent = JSON.stringify(found);
};
</script>"""


def measured(folder: Path, pages: Mapping[str, Path]) -> dict[str, tuple[int, int, list[str]]]:
    """Of each page its width on the phone, how wide its content is, and which elements stick out."""
    frames = "".join(
        f'<iframe name="{name}" src="{file.as_uri()}" style="width:360px;height:740px;border:0"></iframe>'
        for name, file in pages.items()
    )
    file = folder / "frames.html"
    file.write_text(FRAMES.replace("FRAMES", frames), encoding="utf-8")
    words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--dump-dom"]
    words += ["--virtual-time-budget=5000", f"--user-data-dir={folder / 'profile'}", file.as_uri()]
    done = subprocess.run([str(CHROMIUM), *words], capture_output=True, text=True, timeout=100, check=True)
    found = re.search(r'<pre id="result">(.+?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-500:]
    return {name: tuple(row) for name, row in json.loads(html.unescape(found[1])).items()}


@pytest.mark.thorough
@needs_browser
def test_every_page_fits_360_pixels(tmp_path: Path):
    pages = {name: tmp_path / f"{name}.html" for name in PAGES}
    for name, words in PAGES.items():
        made = CliRunner().invoke(cli.commands, [*words, str(pages[name])], input=BROAD)
        assert made.exit_code == 0, made.output
    pages["control"] = tmp_path / "control.html"
    pages["control"].write_text('<!DOCTYPE html><p style="width: 400px">wider', encoding="utf-8")
    found = measured(tmp_path, pages)
    width, content, over = found.pop("control")
    assert width == 360 < content and over == ["P"]
    assert all(content <= width == 360 and not over for width, content, over in found.values()), found
    assert found.keys() == PAGES.keys()
