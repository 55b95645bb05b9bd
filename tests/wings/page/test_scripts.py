"""The scripts of pages, checked by TypeScript's compiler, which is a tool for development: nothing of it is shipped."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from places import ROOT

from gdl.wings.page.play_page import ENGINE, PAGE

TSC = ["tsc"] if shutil.which("tsc") else ["npx", "--no-install", "tsc"]
OPTIONS = ["--noEmit", "--allowJs", "--checkJs", "--strict", "false", "--skipLibCheck", "--target", "es2022"]
OPTIONS += ["--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable"]
ASKING = "gdl/wings/exam/asking.js"
AFTER_ASKING = ["gdl/wings/exam/practice.js", "gdl/wings/page/site_files/playground.js"]
TOGETHER = {  # what follows a script on a page
    "gdl/render/controls.js": [["gdl/render/page.js"], ["gdl/render/tables.js"]],
    ASKING: [[name] for name in AFTER_ASKING],
}
EVERYWHERE = "gdl/render/present.js"  # stands before the scripts of all pages
AFTER = {"gdl/render/page.js", "gdl/render/tables.js", *AFTER_ASKING}


def groups() -> list[list[str]]:
    """The scripts that are seen together: modules say what they import, others stand on a page in a row."""
    names = sorted(
        file.relative_to(ROOT).as_posix() for file in (ROOT / "gdl").rglob("*.js") if "solvers" not in file.parts
    )
    page = [name for name in names if Path(name).parent == Path("gdl/wings/page/scripts")]
    alone = [name for name in names if name not in {*page, *AFTER, *TOGETHER, EVERYWHERE}]
    rows = [[first, *more] for first, rest in TOGETHER.items() for more in rest]
    return [[EVERYWHERE, *group] for group in (page, *rows, *([name] for name in alone))]


def test_no_two_modules_of_the_page_declare_one_name():
    """They stand on the page as one script for the engine and one for the page, which would hide it."""
    named = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function\*?) (\w+|\[[^\]]*\])", re.MULTILINE)
    texts = [(ROOT / "gdl/wings/page/scripts" / name).read_text(encoding="utf-8") for name in (*ENGINE, *PAGE)]
    names = [name for text in texts for found in named.findall(text) for name in re.findall(r"\w+", found)]
    assert len(names) > 150 and [name for name, count in Counter(names).items() if count > 1] == []


def test_each_module_of_the_page_imports_what_stands_before_it_alone():
    """So there is no circle, and what is given the play knows nothing of the page that gives it."""
    order = [*ENGINE, *PAGE]
    for name in order:
        text = (ROOT / "gdl/wings/page/scripts" / name).read_text(encoding="utf-8")
        imported = re.findall(r'^import .* from "\./(.*)";$', text, re.MULTILINE)
        assert imported == sorted(imported) and set(imported) <= set(order[: order.index(name)]), name
    assert sorted(order) == sorted(file.name for file in (ROOT / "gdl/wings/page/scripts").glob("*.js"))


@pytest.mark.thorough
def test_the_scripts_hold_what_they_promise():
    if shutil.which(TSC[0]) is None or subprocess.run([*TSC, "--version"], capture_output=True, cwd=ROOT).returncode:
        pytest.skip("tsc is not installed: npm install --global typescript")
    for group in groups():
        words = [*TSC, *OPTIONS, "tests/wings/page/scripts.d.ts", *group]
        done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stdout
