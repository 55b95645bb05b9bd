"""The rows of the exam desk."""

from gdl.wings import Clash, CommandRow, PageRow, Wing

_ONE_PAGE = "--practice writes one page", "name it with -o, as in -o practice.html"

WING = Wing(
    "exam",
    "Exam trees and games made, printed, graded and put on pages to practise on.",
    commands={
        "quiz": CommandRow(
            "gdl.wings.exam.quiz_command:quiz",
            "Make exam trees with the properties you want.",
            'gdl quiz --want "2 cuts, no ties" --seed 1',
            section="Teach",
            clashes=(
                Clash("practice", ("output=.html",), ("json",), *_ONE_PAGE),
                Clash("language", ("practice",), (), "--language and --words are for pages to practise on",
                      "add --practice -o practice.html"),
            ),
            mends={
                "--level --hard --easy --difficulty":
                'say what the tree must have, as in --want "2 cuts, no ties" --depth 3',
                "--leaves": 'write --want "N leaves"',
                "--branches --width --children": "write --branching LOW..HIGH",
                "--number --questions --trees --copies --n": "write --batch N -o FOLDER",
                "NUMBER": "write --batch NUMBER -o FOLDER",
            },
            first_line=("a teacher", "gdl quiz"),
        ),
        "sheet": CommandRow(
            "gdl.wings.exam.sheet_command:sheet",
            "Make an exam sheet of games, and its key.",
            "gdl sheet figure_5_2 -o sheet.html --key key.html",
            "document",
            {"assignment exam handout homework test-sheet worksheet":
             "gdl sheet FILE -o SHEET.html makes an exam sheet, with --key its key"},
            section="Teach",
            clashes=(Clash("practice", ("output=.html",), ("key", "variants"), *_ONE_PAGE),),
            mends={
                "--answers --answer-key --solution --solutions --with-answers --with-solutions": "write --key FILE",
                "--variants --count --copies": 'an .exam file makes variants: exam "Midterm" (variants = 2)',
            },
        ),
        "grade": CommandRow(
            "gdl.wings.exam.grade_command:grade",
            "Grade students' answers to the questions of `gdl sheet`.",
            "gdl grade figure_5_2 answers.txt",
            synonyms={"correct mark score": "gdl grade FILE ANSWERS gives the points"},
            section="Teach",
            clashes=(
                Clash("results", ("program",)),
                Clash("program", (), ("json", "csv"), "--program prints the marks of a program in words",
                      "--results FILE writes them as JSON"),
                Clash("json", (), ("csv", "several"), "--json prints the marks of one file",
                      "--csv marks a whole class"),
            ),
        ),
    },
    answers={
        "quiz": ("gdl.wings.exam.answers:ExerciseAnswer", "gdl.wings.exam.answers:ExerciseAnswers"),
        "grade": ("gdl.wings.exam.answers:GradeAnswer", "gdl.wings.exam.answers:ClassAnswer"),
    },
    hooks={
        "a question as FILE": "gdl.wings.exam.saved_questions:read_questions",
        "a formula with roots": "gdl.wings.exam.purposes:read_transform",
        "a note on roots": "gdl.wings.exam.purposes:add_note",
        "Answer.grade": "gdl.wings.exam.grade:grade_text",
        "commands of .exam": "gdl.wings.exam.exam_command:command_of_exam",
    },
    pages={
        "teachers": PageRow("To begin", behind="students"),
        "exams": PageRow("To begin", behind="teachers"),
        "grading": PageRow("To begin", behind="exams"),
        "lessons": PageRow("To begin", behind="grading"),
    },
)  # fmt: skip
