"""Pages with cells as notebooks: `python tests/support/notebooks.py` writes gdl/docs/notebook.ipynb, and those that lie
beside pages of wings, anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gdl
from gdl.web.manual import page_files

PAGE = Path(gdl.__file__).parent / "docs" / "notebook.md"
FILE = PAGE.with_suffix(".ipynb")
_CELL = re.compile(r"^```python cell\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def cells(text: str) -> Iterator[dict[str, Any]]:
    """The cells of a page: text and code in turn."""
    for number, part in enumerate(_CELL.split(text)):
        source = part.strip("\n").splitlines(keepends=True)
        if number % 2:
            yield {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
        elif source:
            yield {"cell_type": "markdown", "metadata": {}, "source": source}


def notebook(text: str) -> str:
    """A page as a Jupyter notebook, without outputs."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": list(cells(text)), "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for page in page_files().values():
        if _CELL.search(text := page.read_text(encoding="utf-8")):
            page.with_suffix(".ipynb").write_text(notebook(text), encoding="utf-8")
