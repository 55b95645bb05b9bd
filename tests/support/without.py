"""gdl without some of its wings: the tree is copied without them and without the wings that need them, installed, and the
tests that remain are run.

    python tests/support/without.py NAME …     without these wings
    python tests/support/without.py --all      the core alone
    python tests/support/without.py NAME … -- tests/house -x     what follows -- goes to pytest

The copy has an environment of its own, which finds all other packages in the one that runs this. The last line is
pytest's, with its counts; the exit status is pytest's as well.
"""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Collection
from pathlib import Path
from venv import EnvBuilder

from places import ROOT

from gdl import wings


def with_dependents(names: Collection[str]) -> set[str]:
    """These wings, and all that need one of them."""
    found = set(names)
    while more := {one.name for one in wings.wings() if found & {*one.needs}} - found:
        found |= more
    return found


def copy_tree(left_out: Collection[str], folder: Path) -> None:
    """Copy the files that git knows, without some wings and their tests."""
    gone = [f"{place}/{name}/" for name in left_out for place in ("gdl/wings", "tests/wings")]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if not name.startswith(tuple(gone)) and ((ROOT / name).exists() or (ROOT / name).is_symlink()):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)


def install(folder: Path, environment: Path) -> Path:
    """Install a copy in a new environment that finds all else where this runs; returns its Python."""
    EnvBuilder(symlinks=True).create(environment)
    python = environment / "bin" / "python"
    scheme = sysconfig.get_paths(vars={"base": str(environment), "platbase": str(environment)})
    packages = [place for place in sys.path if Path(place).name == "site-packages"]
    Path(scheme["purelib"], "other_packages.pth").write_text("\n".join(packages), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "-e", str(folder)], check=True)
    return python


def main(words: list[str]) -> int:
    """Run the tests that remain; returns the exit status."""
    end = words.index("--") if "--" in words else len(words)
    names, further = words[:end], words[end + 1 :]
    asked = set(wings.WORDS) if names == ["--all"] else set(names)
    if not asked or not asked <= set(wings.WORDS):
        print(f"wings are {', '.join(wings.WORDS)}; or write --all", file=sys.stderr)
        return 2
    left_out = with_dependents(asked)
    print(f"without {', '.join(sorted(left_out))}", flush=True)
    with tempfile.TemporaryDirectory(prefix="gdl-without-") as place:
        folder = Path(place, "tree")
        copy_tree(left_out, folder)
        python = install(folder, Path(place, "environment"))
        return subprocess.run([python, "-m", "pytest", "-q", *further], cwd=folder).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
