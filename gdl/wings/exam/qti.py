"""A bank of questions as a package of QTI 2.1 (IMS Question and Test Interoperability): an item for each question with
its pictures, a test for each variant, and the manifest; the same exam gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement

from gdl.errors import clean
from gdl.wings.exam.moodle import ESSAY_LINES, tolerance_of, write_xml
from gdl.wings.exam.question_bank import CHOICE, NUMBER, AnswerField, BankQuestion, QuestionBank, picture_text

_QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_BASE_TYPES = {NUMBER: "float", CHOICE: "identifier"}


def qti_package(bank: QuestionBank) -> bytes:
    """The bank as the bytes of a zip file."""
    files: dict[str, str] = {"imsmanifest.xml": ""}
    manifest = Element("manifest", xmlns=_PACKAGE, identifier="exam")
    about = SubElement(manifest, "metadata")
    SubElement(about, "schema").text, SubElement(about, "schemaversion").text = "QTIv2.1 Package", "1.0.0"
    SubElement(manifest, "organizations")
    resources = SubElement(manifest, "resources")

    def add_resource(name: str, kind: str, content: Element, used: dict[str, str]) -> Element:
        files.update({f"{name}.xml": write_xml(content), **used})
        about = {"identifier": f"resource-{name}", "type": f"imsqti_{kind}_xmlv2p1", "href": f"{name}.xml"}
        found = SubElement(resources, "resource", about)
        for file in (f"{name}.xml", *used):
            SubElement(found, "file", href=file)
        return found

    for variant, (_, questions) in enumerate(bank.variants(), start=1):
        test = add_resource(f"test-{variant}", "test", _make_test(bank, variant, questions), {})
        for one in questions:
            item = _make_item(one, bank.exam.words.language)
            add_resource(_name_of(one), "item", item, dict(_pictures_of(one)))
            SubElement(test, "dependency", identifierref=f"resource-{_name_of(one)}")
    files["imsmanifest.xml"] = write_xml(manifest)
    return _zip_files(files)


def _zip_files(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # of 1980, whatever the clock says
    return packed.getvalue()


def _name_of(one: BankQuestion) -> str:
    return f"question-{one.variant}-{one.number}"


def _pictures_of(one: BankQuestion) -> Iterator[tuple[str, str]]:
    """The picture of a question and, of an essay, that of its key, by their files."""
    if one.picture:
        yield f"{_name_of(one)}.svg", one.picture
    if one.solved and not one.fields:
        yield f"{_name_of(one)}-key.svg", one.solved


def _make_test(bank: QuestionBank, variant: int, questions: list[BankQuestion]) -> Element:
    """The test of a variant, with the sheet of formulas."""
    test = Element("assessmentTest", xmlns=_QTI, identifier=f"test-{variant}", title=bank.title)
    part = SubElement(test, "testPart", identifier="part", navigationMode="nonlinear", submissionMode="simultaneous")
    section = SubElement(part, "assessmentSection", identifier="section", title=bank.title, visible="true")
    if bank.exam.exam.formulas:
        rubric = SubElement(section, "rubricBlock", view="candidate")
        _add_paragraphs(rubric, (bank.exam.words["formulas"], *bank.exam.exam.formulas))
    for one in questions:
        SubElement(section, "assessmentItemRef", identifier=_name_of(one), href=f"{_name_of(one)}.xml")
    return test


def _make_item(one: BankQuestion, language: str) -> Element:
    about = {"identifier": _name_of(one), "title": clean(one.name), "xml:lang": language}
    item = Element("assessmentItem", about, xmlns=_QTI, adaptive="false", timeDependent="false")
    for number, field in enumerate(one.fields, start=1):
        _declare_response(item, f"RESPONSE{number}", field)
    if not one.fields:
        SubElement(item, "responseDeclaration", identifier="RESPONSE1", cardinality="single", baseType="string")
    for name, value in (("SCORE", 0.0), ("MAXSCORE", float(one.points))):
        score = SubElement(item, "outcomeDeclaration", identifier=name, cardinality="single", baseType="float")
        SubElement(SubElement(score, "defaultValue"), "value").text = str(value)
    body = SubElement(item, "itemBody")
    _add_paragraphs(body, (one.heading, *one.text))
    if one.picture:
        _add_picture(body, f"{_name_of(one)}.svg", one.picture)
    _add_paragraphs(body, one.note)
    for number, field in enumerate(one.fields, start=1):
        _add_interaction(body, f"RESPONSE{number}", field)
    if not one.fields:
        _add_essay(body, one)
        return item
    processing = SubElement(item, "responseProcessing")
    for number, field in enumerate(one.fields, start=1):
        _add_points(processing, f"RESPONSE{number}", field)
    return item


def _declare_response(item: Element, name: str, field: AnswerField) -> None:
    """The declaration of a field with its right answers; words may be written in several ways."""
    kind = _BASE_TYPES.get(field.kind, "string")
    declared = SubElement(item, "responseDeclaration", identifier=name, cardinality="single", baseType=kind)
    rights = [_option_name(field, told) if field.kind == CHOICE else clean(told) for told in field.rights]
    SubElement(SubElement(declared, "correctResponse"), "value").text = rights[0]
    if kind == "string":
        mapping = SubElement(declared, "mapping", defaultValue="0")
        for told in dict.fromkeys(rights):
            SubElement(mapping, "mapEntry", mapKey=told, mappedValue="1", caseSensitive="false")


def _option_name(field: AnswerField, told: str) -> str:
    return f"OPTION{field.options.index(told) + 1}"


def _add_interaction(body: Element, name: str, field: AnswerField) -> None:
    """A field to fill in: a box after its label, or options."""
    label = f"{clean(field.label)}: "
    if field.kind != CHOICE:
        box = SubElement(body, "p")
        box.text = label
        SubElement(box, "textEntryInteraction", responseIdentifier=name, expectedLength="15")
        return
    choice = SubElement(body, "choiceInteraction", responseIdentifier=name, shuffle="false", maxChoices="1")
    SubElement(choice, "prompt").text = label
    for told in field.options:
        SubElement(choice, "simpleChoice", identifier=_option_name(field, told)).text = clean(told)


def _add_essay(body: Element, one: BankQuestion) -> None:
    """A box for an essay, below the headings that an answer has, and the key for whoever marks."""
    lines = str(max(ESSAY_LINES, len(one.template) + 2))
    box = SubElement(body, "extendedTextInteraction", responseIdentifier="RESPONSE1", expectedLines=lines)
    if one.template:
        SubElement(box, "prompt").text = "; ".join(map(clean, one.template))
    if one.key:
        rubric = SubElement(body, "rubricBlock", view="scorer")
        _add_paragraphs(rubric, one.key)
        if one.solved:
            _add_picture(rubric, f"{_name_of(one)}-key.svg", one.solved)


def _add_points(processing: Element, name: str, field: AnswerField) -> None:
    """The rule that gives the points of a field if its answer is right."""
    chosen = SubElement(SubElement(processing, "responseCondition"), "responseIf")
    if field.kind == NUMBER:
        far = tolerance_of(field.rights[0])
        test = SubElement(chosen, "equal", toleranceMode="absolute", tolerance=f"{far} {far}")
    elif field.kind == CHOICE:
        test = SubElement(chosen, "match")
    else:
        test = SubElement(chosen, "gt")
        SubElement(test, "mapResponse", identifier=name)
        SubElement(test, "baseValue", baseType="float").text = "0"
    if len(test) == 0:
        SubElement(test, "variable", identifier=name)
        SubElement(test, "correct", identifier=name)
    total = SubElement(SubElement(chosen, "setOutcomeValue", identifier="SCORE"), "sum")
    SubElement(total, "variable", identifier="SCORE")
    SubElement(total, "baseValue", baseType="float").text = str(float(field.points))


def _add_paragraphs(parent: Element, texts: Sequence[str]) -> None:
    for text in texts:
        SubElement(parent, "p").text = clean(text)


def _add_picture(parent: Element, file: str, picture: str) -> None:
    SubElement(SubElement(parent, "p"), "img", src=file, alt=picture_text(picture))
