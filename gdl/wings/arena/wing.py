"""The row of this wing."""

from gdl.wings import Clash, CommandRow, PageRow, Wing

_HOME = "gdl.wings.arena"
_ANSWERS = f"{_HOME}.answers"
WING = Wing(
    "arena",
    "Plays: in the terminal, between computer players, in records, and for other programs",
    commands={
        "play": CommandRow(f"{_HOME}.play_command:play", "Play a game in the terminal.",
            "gdl play connect_four --as Red", "dialogue",
            {"demo": "gdl explain figure_5_2 shows a search; gdl play tic_tac_toe plays",
            "run": "gdl play FILE plays a game, gdl solve FILE solves it",
            "hint": "gdl play FILE takes the word hint; gdl solve FILE --after ACTIONS finds the best action",
            "serve server": "gdl play FILE plays in the terminal, gdl page FILE on a page, gdl engine FILE by UCI"},
            "Play", (Clash("level", excludes=("table", "solver")),),
            {"--players --humans --hotseat --two": "write --as once for each person, by the players' names",
            "--color --colour --side --seat --player": "write --as PLAYER",
            "--difficulty --strength --skill": "write --level N (1 to 8) or --time SECONDS"},
            ("a player", "gdl play chess")),
        "match": CommandRow(f"{_HOME}.match_command:match", "Let two computer players play many games.",
            "gdl match tic_tac_toe mcts:simulations=50 random --games 10", section="Play"),
        "analyse": CommandRow(f"{_HOME}.analyse_command:analyse", "Judge every move of a play.",
            'gdl analyse tic_tac_toe --after "take(a1) take(b1) take(c1)"',
            synonyms={"analyze": "gdl analyse RECORD judges every move of a play"}, section="Play"),
        "compare": CommandRow(f"{_HOME}.compare_command:compare", "Run solvers side by side.",
            "gdl compare nim tic_tac_toe --solvers minimax,alpha-beta,mcts:simulations=100",
            synonyms={"benchmark": "gdl compare GAME --solvers A,B runs solvers side by side"}, section="Solve"),
        "bench": CommandRow(f"{_HOME}.bench_command:measure_suites",
            "Measure gdl, and check that its answers are the stored ones.", "gdl bench nodes", section="Solve"),
        "engine": CommandRow(f"{_HOME}.engine_command:engine",
            "Serve other programs as a game engine, by UCI, UGI or GTP.", "gdl engine chess", "dialogue",
            {"uci gtp": "gdl engine GAME speaks UCI, with --gtp GTP"}, "Serve other programs"),
        "ugi": CommandRow(f"{_HOME}.engine_command:ugi", "Another name for engine, after the protocol UGI.",
            "gdl ugi connect_four", "dialogue", section="Serve other programs"),
    },
    answers={
        "compare": (f"{_ANSWERS}:CompareAnswer",),
        "bench": (f"{_ANSWERS}:BenchAnswer",),
        "match": (f"{_ANSWERS}:MatchAnswer", f"{_ANSWERS}:RoundRobinAnswer"),
        "analyse": (f"{_ANSWERS}:AnalyseAnswer",),
    },
    hooks={
        "--record": f"{_HOME}.record_argument:add_record_file",
        "a record of a play": f"{_HOME}.record_argument:add_record_text",
        "the computer player": f"{_HOME}.computer:Computer",
        "the command that plays": f"{_HOME}:PLAY",
        "a told action": f"{_HOME}.match:told_action",
    },
    names={"compare": f"{_HOME}.comparison:compare"},
    pages={
        "plays": PageRow("To look things up", "more-commands"),
        "comparing": PageRow("To look things up", "plays"),
        "engines": PageRow("To look things up", "programs"),
    },
)  # fmt: skip
