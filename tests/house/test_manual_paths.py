"""The manual is a book: each page says for whom it is, and the pages of each reader's path lead to one another."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from places import missing_wings
from together import together

from gdl.web.manual import page_files, page_text, search_manual

INDEX = "words"  # a table of all words is no page to read
LONGEST = 2500  # words of a page
ASKED = """
    slides beamer lecture powerpoint moodle shop money coins dice pooling separating prior incomplete+information
    economist print-and-play homework classroom projector bayesian signalling signaling screening types auction networkx
    own+solver mixed+strategy payoff+matrix pruning bluff latex publish website playground security cite stable
    changelog two+kinds+of+pieces buy
""".split()  # words of newcomers, some of which once found nothing


@together(sorted(page_files()))
def test_a_page_says_for_whom_it_is_and_what_one_will_have(name: str):
    text = page_text(name)
    assert re.match(r"# .+\n\n\*For [^*]+\.\s+You\s+will\s+(have|know)\s[^*]+\*\n\n", text), text[:200]


@together(sorted(page_files().keys() - {INDEX}))
def test_a_page_is_read_in_a_quarter_of_an_hour(name: str):
    assert len(page_text(name).split()) <= LONGEST


def test_every_page_of_a_path_ends_with_the_next_one():
    paths = re.findall(r"^\| an? .+? \| (.+) \|$", page_text("start"), re.MULTILINE)
    assert len(paths) == 6
    for path in paths:
        pages = [Path(page).name for page in re.findall(r"[(]([^)#]+)[.]md", path)]
        assert len(pages) == 3
        for page, following in pairwise(pages):
            if page in page_files():
                assert f"({following}.md" in page_text(page).rpartition("**Next:**")[2], (page, following)
        last = page_text(pages[-1]) if pages[-1] in page_files() else "**Next:** ."
        assert last.rpartition("**Next:**")[1], pages[-1]


@pytest.mark.skipif(bool(missing_wings()), reason="pages of wings answer some")
def test_the_words_of_newcomers_find_a_section():
    assert [words for words in ASKED if not search_manual(words.replace("+", " "), []).sections] == []
