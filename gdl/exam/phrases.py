"""What an exam sheet says, in the languages that it can be printed in: a table of phrases, a row for each."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, Mapping[str, str]] = {
    "exam": {"en": "Exam", "de": "Klausur", "el": "Εξέταση", "zh": "考试", "vi": "Bài thi"},
    "key": {"en": "Key", "de": "Lösung", "el": "Λύσεις", "zh": "答案", "vi": "Đáp án"},
    "variant": {"en": "Variant", "de": "Variante", "el": "Παραλλαγή", "zh": "试卷", "vi": "Đề số"},
    "name": {"en": "Name", "de": "Name", "el": "Ονοματεπώνυμο", "zh": "姓名", "vi": "Họ và tên"},
    "point": {"en": "point", "de": "Punkt", "el": "μονάδα", "zh": "分", "vi": "điểm"},
    "points": {"en": "points", "de": "Punkte", "el": "μονάδες", "zh": "分", "vi": "điểm"},
    "values": {
        "en": "Find the value of every inner node by {solver}, and the best action at the root.",
        "de": "Bestimmen Sie mit {solver} den Wert jedes inneren Knotens und den besten Zug an der Wurzel.",
        "el": "Βρείτε με {solver} την τιμή κάθε εσωτερικού κόμβου και την καλύτερη κίνηση στη ρίζα.",
        "zh": "用 {solver} 求每个内部结点的值，以及根结点的最佳行动。",
        "vi": "Dùng {solver} tìm giá trị của mỗi nút trong và nước đi tốt nhất tại gốc.",
    },
    "search": {
        "en": "Search the tree by {solver}. Write at every inner node that is visited what the search returns: "
        "a value (=), "
        "or a bound (≤, ≥) where something was cut. Say which branches are never looked at, and which action "
        "is best at "
        "the root.",
        "de": "Durchsuchen Sie den Baum mit {solver}. Schreiben Sie an jeden besuchten inneren Knoten, was die Suche "
        "zurückgibt: einen Wert (=), oder eine Schranke (≤, ≥), wo etwas abgeschnitten wurde. Nennen Sie die "
        "Zweige, die "
        "nie betrachtet werden, und den besten Zug an der Wurzel.",
        "el": "Εφαρμόστε στο δέντρο {solver}. Γράψτε σε κάθε εσωτερικό κόμβο που εξετάζεται τι επιστρέφει η "
        "αναζήτηση: "
        "μια τιμή (=), ή ένα φράγμα (≤, ≥) όπου κάτι κλαδεύτηκε. Γράψτε ποια κλαδιά δεν εξετάζονται ποτέ και "
        "ποια κίνηση "
        "είναι η καλύτερη στη ρίζα.",
        "zh": "用 {solver} 搜索这棵树。在每个访问到的内部结点旁写出搜索返回的结果：值（=），"
        "若发生剪枝，则写出界（≤、≥）。"
        "写出哪些分支从未被查看，以及根结点的最佳行动。",
        "vi": "Tìm kiếm trên cây bằng {solver}. Tại mỗi nút trong được thăm, hãy ghi kết quả mà thuật toán trả "
        "về: một giá "
        "trị (=), hoặc một cận (≤, ≥) nếu có nhánh bị cắt. Ghi những nhánh không được xét và nước đi tốt nhất "
        "tại gốc.",
    },
    "windows": {
        "en": "Also write alpha and beta as they are on entry.",
        "de": "Geben Sie auch Alpha und Beta beim Betreten des Knotens an.",
        "el": "Γράψτε επίσης τα α και β κατά την είσοδο στον κόμβο.",
        "zh": "同时写出进入结点时的 α 和 β。",
        "vi": "Ghi cả α và β khi bắt đầu xét nút.",
    },
    "table": {
        "en": "Mark every best reply, and find all equilibria, pure and mixed.",
        "de": "Markieren Sie jede beste Antwort und bestimmen Sie alle Gleichgewichte, reine und gemischte.",
        "el": "Σημειώστε κάθε βέλτιστη απόκριση και βρείτε όλες τις ισορροπίες, αμιγείς και μικτές.",
        "zh": "标出每个最优反应，并求出所有纯策略和混合策略均衡。",
        "vi": "Đánh dấu mọi phản ứng tốt nhất và tìm tất cả các cân bằng, cả thuần túy lẫn hỗn hợp.",
    },
    "sets": {
        "en": "Find an equilibrium: for every information set, with which probability each action is played. A "
        "dashed line "
        "joins the nodes that the mover cannot tell apart.",
        "de": "Bestimmen Sie ein Gleichgewicht: für jede Informationsmenge die Wahrscheinlichkeit jedes "
        "Zuges. Eine "
        "gestrichelte Linie verbindet Knoten, die der Spieler am Zug nicht unterscheiden kann.",
        "el": "Βρείτε μια ισορροπία: για κάθε σύνολο πληροφόρησης, με ποια πιθανότητα παίζεται κάθε κίνηση. Η "
        "διακεκομμένη "
        "γραμμή ενώνει κόμβους που ο παίκτης δεν διακρίνει.",
        "zh": "求一个均衡：对每个信息集，写出每个行动的概率。虚线连接行动者无法区分的结点。",
        "vi": "Tìm một cân bằng: tại mỗi tập thông tin, mỗi hành động được chọn với xác suất bao nhiêu. Nét "
        "đứt nối các nút "
        "mà người đi không phân biệt được.",
    },
    "open": {
        "en": "The numbers with a question mark are left open. Say for which of their values each action at the root "
        "is best, and what the value of the game is.",
        "de": "Die Zahlen mit Fragezeichen sind offen. Geben Sie an, für welche ihrer Werte welcher Zug an der Wurzel "
        "der beste ist, und was der Wert des Spiels ist.",
        "el": "Οι αριθμοί με ερωτηματικό μένουν ανοιχτοί. Γράψτε για ποιες τιμές τους κάθε κίνηση στη ρίζα είναι η "
        "καλύτερη, και ποια είναι η αξία του παιχνιδιού.",
        "zh": "带问号的数未定。写出它们取哪些值时根结点的各个行动为最佳，以及博弈的值。",
        "vi": "Các số có dấu hỏi chưa được cho. Hãy ghi với những giá trị nào của chúng thì mỗi nước đi tại gốc là tốt "
        "nhất, và giá trị của trò chơi.",
    },
    "open_cuts": {
        "en": "Say also for which values alpha-beta never looks at which branches.",
        "de": "Geben Sie auch an, für welche Werte Alpha-Beta welche Zweige nie betrachtet.",
        "el": "Γράψτε επίσης για ποιες τιμές η άλφα-βήτα δεν εξετάζει ποια κλαδιά.",
        "zh": "同时写出在哪些取值下 α-β 搜索从不查看哪些分支。",
        "vi": "Ghi cả với những giá trị nào thì alpha-beta không xét những nhánh nào.",
    },
    "open_table": {
        "en": "The numbers with a question mark are left open. Say for which of their values each pure profile is an "
        "equilibrium.",
        "de": "Die Zahlen mit Fragezeichen sind offen. Geben Sie an, für welche ihrer Werte welches reine Profil ein "
        "Gleichgewicht ist.",
        "el": "Οι αριθμοί με ερωτηματικό μένουν ανοιχτοί. Γράψτε για ποιες τιμές τους κάθε αμιγές προφίλ είναι "
        "ισορροπία.",
        "zh": "带问号的数未定。写出它们取哪些值时各个纯策略组合是均衡。",
        "vi": "Các số có dấu hỏi chưa được cho. Hãy ghi với những giá trị nào của chúng thì mỗi bộ chiến lược thuần "
        "túy là cân bằng.",
    },
    "ge": {
        "en": "Cut when alpha ≥ beta.",
        "de": "Abgeschnitten wird, sobald Alpha ≥ Beta.",
        "el": "Κλάδεμα όταν α ≥ β.",
        "zh": "当 α ≥ β 时剪枝。",
        "vi": "Cắt khi α ≥ β.",
    },
    "gt": {
        "en": "Cut only when alpha > beta.",
        "de": "Abgeschnitten wird nur, wenn Alpha > Beta.",
        "el": "Κλάδεμα μόνο όταν α > β.",
        "zh": "仅当 α > β 时剪枝。",
        "vi": "Chỉ cắt khi α > β.",
    },
    "given": {
        "en": "Children are looked at from left to right.",
        "de": "Die Kinder werden von links nach rechts betrachtet.",
        "el": "Τα παιδιά εξετάζονται από αριστερά προς τα δεξιά.",
        "zh": "子结点按从左到右的顺序查看。",
        "vi": "Các nút con được xét từ trái sang phải.",
    },
    "best": {
        "en": "The best child is looked at first.",
        "de": "Das beste Kind wird zuerst betrachtet.",
        "el": "Πρώτα εξετάζεται το καλύτερο παιδί.",
        "zh": "最先查看最好的子结点。",
        "vi": "Nút con tốt nhất được xét trước.",
    },
    "worst": {
        "en": "The worst child is looked at first.",
        "de": "Das schlechteste Kind wird zuerst betrachtet.",
        "el": "Πρώτα εξετάζεται το χειρότερο παιδί.",
        "zh": "最先查看最差的子结点。",
        "vi": "Nút con kém nhất được xét trước.",
    },
    "between": {
        "en": "It is known that every utility lies between {low} and {high}.",
        "de": "Bekannt ist, dass jeder Nutzenwert zwischen {low} und {high} liegt.",
        "el": "Είναι γνωστό ότι κάθε απόδοση είναι από {low} έως {high}.",
        "zh": "已知每个效用都在 {low} 与 {high} 之间。",
        "vi": "Biết rằng mọi giá trị ở lá nằm trong khoảng từ {low} đến {high}.",
    },
    "sum": {
        "en": "It is known that the utilities of every end add up to {sum}.",
        "de": "Bekannt ist, dass die Nutzenwerte an jedem Blatt zusammen {sum} ergeben.",
        "el": "Είναι γνωστό ότι οι αποδόσεις σε κάθε φύλλο έχουν άθροισμα {sum}.",
        "zh": "已知每个叶结点的效用之和为 {sum}。",
        "vi": "Biết rằng tổng các giá trị tại mỗi lá bằng {sum}.",
    },
    "cut": {
        "en": "Never looked at",
        "de": "Nie betrachtet",
        "el": "Δεν εξετάζονται",
        "zh": "从未查看",
        "vi": "Không được xét",
    },
    "action": {
        "en": "Best action",
        "de": "Bester Zug",
        "el": "Καλύτερη κίνηση",
        "zh": "最佳行动",
        "vi": "Nước đi tốt nhất",
    },
    "value": {"en": "Value", "de": "Wert", "el": "Αξία", "zh": "值", "vi": "Giá trị"},
    "equilibria": {
        "en": "Equilibria",
        "de": "Gleichgewichte",
        "el": "Ισορροπίες",
        "zh": "均衡",
        "vi": "Các cân bằng",
    },
}

LANGUAGES = tuple(PHRASES["name"])

LEGEND: Mapping[str, Mapping[str, str]] = {  # the signs of a picture, by the English words
    "best play": {"de": "bestes Spiel", "el": "βέλτιστο παιχνίδι", "zh": "最优路线", "vi": "nước đi tối ưu"},
    "best for the one who moves": {
        "de": "am besten für den, der zieht", "el": "καλύτερη για όποιον παίζει",
        "zh": "行动者的最佳选择", "vi": "tốt nhất cho người đi",
    },
    "the line of play": {"de": "Spielverlauf", "el": "πορεία του παιχνιδιού", "zh": "实际路线", "vi": "diễn biến"},
    "played": {"de": "gespielt", "el": "παίζεται", "zh": "采用", "vi": "được chơi"},
    "cut: never looked at": {
        "de": "abgeschnitten: nie betrachtet", "el": "κλάδεμα: δεν εξετάζεται ποτέ",
        "zh": "剪枝：从未查看", "vi": "bị cắt: không được xét",
    },
    "one information set": {
        "de": "eine Informationsmenge", "el": "ένα σύνολο πληροφόρησης", "zh": "同一信息集", "vi": "một tập thông tin",
    },
    "[α, β]: the window on entry": {
        "de": "[α, β]: das Fenster beim Eintritt", "el": "[α, β]: το παράθυρο κατά την είσοδο",
        "zh": "[α, β]：进入时的窗口", "vi": "[α, β]: cửa sổ khi vào nút",
    },
    "… play goes on below": {
        "de": "… darunter geht es weiter", "el": "… το παιχνίδι συνεχίζεται πιο κάτω",
        "zh": "… 下面还有后续", "vi": "… ván chơi còn tiếp bên dưới",
    },
    "best reply": {"de": "beste Antwort", "el": "βέλτιστη απόκριση", "zh": "最优反应", "vi": "đáp trả tốt nhất"},
    "equilibrium": {"de": "Gleichgewicht", "el": "ισορροπία", "zh": "均衡", "vi": "cân bằng"},
}  # fmt: skip


def legend(language: str) -> Mapping[str, str]:
    """The words of a legend in that language, by the English ones."""
    return {words: told[language] for words, told in LEGEND.items() if language in told}


def phrase(name: str, language: str, **parts: str) -> str:
    """The phrase in that language, with its parts filled in."""
    return PHRASES[name][language].format(**parts)
