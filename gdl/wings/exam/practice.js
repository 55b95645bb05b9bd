"use strict";
// Marks what a student fills in. What is right, and why, stands in the data of the page: see gdl/wings/exam/practice.py.

let words = {}; // of the page, by the English ones
const say = (text, ...parts) => (words[text] ?? text).replace(/\{(\d)\}/g, (_, at) => parts[at]);

// ---- Marking: the rules of gdl/wings/exam/grade.py ------------------------------------------------------------------------

/** A text with plain digits and signs, and roots as numbers. */
const plain = (text) => text.normalize("NFKC").replace(/[٠-٩۰-۹]/g, (digit) => digit.charCodeAt(0) & 15).replace(/[−–]/g, "-").replace(/٫/g, ".").replace(/≤/g, "<=").replace(/≥/g, ">=").replace(/(?<![\w.)])(?:sqrt|√)\s*\(?\s*(\d+)\s*\)?/giu, (_, under) => Math.sqrt(under).toFixed(6));

/** The number that a text stands for; NaN if it is none. */
function readNumber(text) {
  const [, upper, lower] = /^([+-]?(?:\d*\.\d+|\d+(?=$|\/)))(?:\/(\d+))?$/.exec(plain(text).trim().replace(",", ".")) ?? [];
  return lower && upper.includes(".") ? NaN : Number(upper) / (Number(lower ?? 1) || NaN);
}

/** The numbers of a vector in brackets, or the one number. */
const readAmount = (text) => (text.startsWith("(") ? text.replace(/^\(+|\)+$/g, "").split(",") : [text]).map(readNumber);

/** Whether a text is the amount, exactly or rounded to the decimals that it gives; a half may go either way. */
function sameAmount(text, amount) {
  const [said, right] = [text, amount].map((one) => plain(one).trim());
  const [found, numbers] = [said, right].map(readAmount);
  if (said.startsWith("(") !== right.startsWith("(") || found.length !== numbers.length) return false;
  const unit = /^[^(]*[.,]/.test(said) ? 10 ** -said.split(/[.,]/)[1].length : 0;
  return found.every((number, at) => Math.abs(number - numbers[at]) * 2 < unit * (1 + 1e-9) + 1e-8); // a third of one's own numbers has ten digits
}

const agrees = (claim, right) => claim.sign === right.sign && sameAmount(claim.amount, right.amount);

/** The marks of one question by one rule, in the order of the search, and the score. `others` are the keys of other rules;
 * answers are { claims: node -> { sign, amount, alpha, beta }, cut: nodes, best: node or null, windows: whether asked, fields }. */
function marked(tree, key, others, answers) {
  const worth = (sort, marks) => marks.map((mark) => ({ ...mark, worth: tree.worths?.[sort] ?? 1 }));
  const marks = tree.parts?.map((part, at) => partMark(part, at, answers.fields?.[at] ?? "")) ?? [];
  const nodes = key?.nodes ?? [];
  marks.push(...worth("nodes", nodes.map((right) => valueMark(right, others, answers.claims[right.node]))));
  if (answers.windows) marks.push(...worth("windows", nodes.filter((right) => right.windows).map((right) => windowMark(right, answers.claims[right.node]))));
  if (key?.skipped) marks.push(...worth("cut", [cutMark(tree, key, others, answers.cut)]));
  if (key?.best.length) marks.push(...worth("best", [bestMark(tree, key, answers.best)]));
  const beside = Object.keys(answers.claims).filter((node) => answers.claims[node].amount && !nodes.some((right) => right.node === Number(node)));
  marks.push(...beside.map((node) => ({ item: Number(node), given: true, correct: false, counts: false, why: say("The search never looks at this node.") })));
  const counting = marks.filter((mark) => mark.counts);
  const sum = (points) => Math.round(counting.reduce((all, mark) => all + mark.worth * points(mark), 0) * 1000) / 1000;
  return { marks, of: sum(() => 1), score: sum((mark) => (mark.correct ? 1 : mark.share ?? (mark.half ? 0.5 : 0))) };
}

// ---- Marking: the rules of gdl/wings/exam/judged_parts.py -----------------------------------------------------------------
const FILLERS = new Set("and or then is -> =".split(" "));
const NOTHING = ["none", "nothing", "no", "-", "∅", ""];
const fold = (text) => plain(text).trim().toLowerCase().replace(/, /g, ",");
const bare = (word) => (/^[^()]+\([^()]*\)$/.test(word) ? word : word.replace(/^[()]+|[()]+$/g, ""));
const wordsIn = (text) => (text.match(/"[^"]*"|[^\s,;:|()"]+\([^()]*\)|[^\s,;:|]+/g) || []).map((word) => fold(bare(word.replace(/^["'.[\]{}]+|["'.[\]{}]+$/g, "")))).filter((word) => word && !FILLERS.has(word));

/** How many of some names are right, how many wrong, and how many there should be. */
function counted(text, due) {
  const said = NOTHING.includes(fold(text)) ? [] : [...new Set(wordsIn(text))];
  const right = said.filter((word) => due.includes(word)).length;
  return [right, said.length - right, due.length];
}

/** Whether some words are neither known nor look like numbers or the names of actions. */
const isStrange = (words, known) => words.some((word) => !known.includes(word) && /^\p{L}{3,}$/u.test(word) && !NOTHING.includes(word));

/** The share that is right, less what is wrong. */
const lessWrong = (good, bad, of) => Math.max(0, good - bad) / of;

/** What judges a text, by the name of a check: the share that is right; null where `gdl grade` alone can say. */
const CHECKS = {
  number(text, { right, nothing }) {
    const figures = new Set(plain(text).split("=").at(-1).match(/(?<![\w.])[-+]?(?:\d+\/\d+|\d*\.\d+|\d+)/g));
    return right ? (figures.size === 1 ? Number(sameAmount([...figures][0], right)) : null) : Number([...NOTHING, ...nothing].includes(fold(text)));
  },
  one(text, { right }) {
    const said = wordsIn(text);
    if (right.includes(fold(text)) || (said.length && said.every((word) => right.includes(word)))) return 1;
    return said.length === 1 ? 0 : null;
  },
  several(text, { right, beside }) {
    if (isStrange(wordsIn(text), right)) return null;
    const [good, bad, of] = counted(wordsIn(text).filter((word) => !beside.includes(word)).join(" "), right);
    return !bad && good === of ? 1 : good && good >= bad + of - good ? 0.5 : 0;
  },
  shares: (text, { right }) => lessWrong(...counted(text, right)),
  order(text, { right }) {
    const said = wordsIn(text);
    if (!said.length || isStrange(said, right.flat())) return null;
    return Number(right.some((due) => due.length === said.length && due.every((word, at) => word === said[at] || readNumber(word) === readNumber(said[at]))));
  },
  window(text, { right }) {
    const said = fold(text).replace(/∞/g, "inf").match(/[-+]?(?:inf(?:inity)?\b|[\d./]*\d)/g);
    return said?.length === 2 ? (sameEnd(said[0], right[0]) + sameEnd(said[1], right[1])) / 2 : null;
  },
  place(text, { nodes, leaves, right, strict }) {
    const values = wordsIn(text).map(readNumber);
    if (values.some(Number.isNaN) || values.length !== leaves.length) return null;
    return Number(searched({ nodes, own: { max: true } }, Object.fromEntries(leaves.map((at, place) => [at, values[place]])), { prunes: true, strict }).visited.length === right);
  },
  profiles(text, part) {
    const [found, known] = [text, part.right].map((one) => profiles(one, part));
    if (found.includes(null) || !found.length) return null;
    if (part.ends) return Number(found.every((mixes) => part.owners.every((player) => gain(player, part, mixes) < 1e-9)));
    const [said, due] = [found, known].map((some) => [...new Set(some.map(spelled))]);
    const good = said.filter((one) => due.includes(one)).length;
    return lessWrong(good, said.length - good, due.length);
  },
  cases(text, { right, names, whole, split, joints }) {
    const pattern = (source) => new RegExp(source.replaceAll("\\w", "[\\p{L}\\d_]"), "iu");
    const written = Object.entries(joints).reduce((so, [name, source]) => so.split(pattern(source)).join(` ${name} `), plain(text));
    const pieces = written.split(/[;\n]/).filter((piece) => piece.trim()).map((piece) => {
      const { index, 0: sign } = pattern(split).exec(piece) ?? { index: piece.length, 0: "" };
      return [piece.slice(0, index).trim(), piece.slice(index + sign.length)];
    });
    const [due, share] = [Object.entries(right), (verdict) => verdict && Number(verdict)];
    if (!due.length) return Number(NOTHING.includes(fold(text)));
    const joined = (some) => some.map(([subject, when]) => `value = ${subject}${when.trim() && ` and ${when}`}`).join(" or ");
    if (whole) return share(sameCondition(joined(due), joined(pieces), names));
    const meant = (subject) => due.find(([name]) => fold(name) === fold(subject));
    const verdicts = pieces.map(([subject, when]) => Boolean(meant(subject)) && sameCondition(meant(subject)[1], when, names));
    const others = new Set(pieces.map(([subject]) => subject).filter((subject) => !meant(subject))).size;
    return verdicts.includes(null) ? null : lessWrong(verdicts.filter(Boolean).length, others, due.length);
  },
  text: (text, { told, also }) => ([told, ...also].some((right) => fold(right) === fold(text)) ? 1 : null),
};

// ---- Conditions on open numbers, as in `y < 3 and x >= max(y, 2) or x = 1` --------------------------------------------

const HOLDS = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b, "==": (a, b) => a === b };

/** Whether a condition holds of some numbers, by name; null where it cannot be read. */
function holds(text, numbers) {
  let told = text.replace(/\p{L}[\p{L}\d_]*/gu, (name) => numbers[name] ?? name);
  for (let depth = 0; depth < 20; depth += 1) told = told.replace(/(min|max)\(([^()a-z]*)\)/g, (_, pick, of) => Math[pick](...of.split(",").map(readNumber)));
  if (/^\s*(always|true)?\s*$/.test(told)) return true;
  const chains = told.split(/\bor\b/).map((all) => all.split(/\band\b/).map((chain) => chain.split(/([<>=]+)/)));
  const readable = (chain) => chain.length > 1 && chain.every((part, at) => (at % 2 ? part in HOLDS : !Number.isNaN(readNumber(part))));
  const isTrue = (chain) => chain.every((sign, at) => at % 2 === 0 || HOLDS[sign](readNumber(chain[at - 1]), readNumber(chain[at + 1])));
  return chains.flat().every(readable) ? chains.some((all) => all.every(isTrue)) : null;
}

/** Whether two conditions hold of the same numbers, in whatever order they stand; null where one cannot be read, or in too many. */
function sameCondition(one, other, names) {
  const both = `${one} ; ${other}`.replaceAll("?", "");
  const used = names.filter((name) => both.split(/[^\p{L}\d_]+/u).includes(name));
  const ends = [...new Set(both.match(/(?<![\p{L}\d_./])-?[\d./]+/gu)?.map(readNumber))].sort((a, b) => a - b);
  const levels = [(ends[0] ?? 0) - 1, ...ends].flatMap((low, at) => [...used, ""].map((_, n) => low + (n * ((ends[at] ?? low + 1) - low)) / (used.length + 1)));
  for (let n = 0; n < levels.length ** used.length; n += 1) {
    const at = Object.fromEntries(used.map((name, place) => [name, levels[Math.floor(n / levels.length ** place) % levels.length]]));
    const [mine, its] = both.split(";").map((text) => holds(text, at));
    if (mine === null || its === null || n > 50000) return null;
    if (mine !== its) return false;
  }
  return true;
}

/** Profiles as the mixtures at all information sets, read as gdl/wings/exam/lines.py does; [null] if one is not whole. */
function profiles(text, { heads, actions, turns, owners }) {
  const names = [...heads.map(([name]) => name), ...actions].sort((a, b) => b.length - a.length).map((name) => plain(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const begins = "(?<![\\p{L}\\d_/.])";
  const token = new RegExp(`${begins}(?:${names.join("|")})(?![\\p{L}\\d_]|[/.]\\d)|${begins}(?:\\d+/[1-9]\\d*|\\d*\\.?\\d+)%?`, "giu");
  const [found, begun] = [[], (mix) => Object.keys(mix).length > 0];
  let [mixes, set, turn, last, ahead, first] = [owners.map(() => ({})), -1, 0, "", null, false];
  const endIfWhole = () => {
    if (!mixes.every((mix) => Math.abs(Object.values(mix).reduce((all, share) => all + share, 0) - 1) < 1e-9)) return;
    found.push(mixes);
    [mixes, set, turn, last] = [owners.map(() => ({})), -1, 0, ""];
  };
  for (const piece of plain(text).replace(/(^|[\s;)])\d+[.)]\s+(?=[^\d\s])/g, "$1").split(/[;\n]|(?<=\))[\s,]*(?=\()/)) {
    for (const word of piece.match(token) ?? []) {
      const [head, action] = [heads.find(([name]) => fold(name) === fold(word)), actions.find((name) => fold(name) === fold(word))];
      if (head ? begun(mixes[head[1]]) : turn === turns.length) endIfWhole();
      if (head ? turn || begun(mixes[head[1]]) : action && (set < 0 || turn) && turn === turns.length) return [null];
      if (head) [set, last, ahead, first] = [head[1], "", null, false];
      else if (action) {
        if (set < 0 || turn) [set, turn] = [turns[turn], turn + 1];
        [mixes[set][action], ahead, last] = [ahead ?? 1, null, action];
      } else {
        const amount = readNumber(word.replace("%", "")) / (word.endsWith("%") ? 100 : 1);
        if (set < 0 || turn) {
          if (!Number.isInteger(amount)) return [null];
        } else if ((first ||= !last)) ahead = amount;
        else mixes[set][last] = amount;
      }
    }
    endIfWhole();
  }
  return mixes.some(begun) ? [null] : found;
}

/** A profile in one spelling, without what is not played. */
const spelled = (mixes) => JSON.stringify(mixes.map((mix) => Object.fromEntries(Object.entries(mix).filter(([, share]) => share).sort())));

/** How much a player could gain by another plan: the best at each own set, the latest first. Ends are [chance, moves by set, payoffs]. */
function gain(player, { owners, ends }, mixes) {
  const share = (moves, own) => Object.entries(moves).reduce((all, [set, action]) => all * ((owners[set] === player) === own ? mixes[set][action] ?? 0 : 1), 1);
  let open = ends.map(([chance, moves, pays]) => [moves, chance * pays[player] * share(moves, false)]);
  const sum = (some) => some.reduce((all, pay) => all + pay, 0);
  const now = sum(open.map(([moves, pay]) => pay * share(moves, true)));
  for (const set of owners.map((_, at) => at).filter((at) => owners[at] === player).reverse()) {
    const pays = {};
    for (const [moves, pay] of open) if (set in moves) pays[moves[set]] = (pays[moves[set]] ?? 0) + pay;
    const [best] = Object.keys(pays).sort((a, b) => pays[b] - pays[a]);
    open = open.filter(([moves]) => !(set in moves) || moves[set] === best);
  }
  return sum(open.map(([, pay]) => pay)) - now;
}

function partMark(part, at, text) {
  const given = text.trim() !== "";
  const share = given ? CHECKS[part.check](text, part) ?? null : 0;
  const why = share === null ? say("Your teacher marks this: hand it in.") : say("Right is {0}.", part.told);
  return { item: `field ${at}`, field: at, counts: share !== null, worth: part.worth, given, share: share ?? 0, unclear: share === null, correct: share === 1, half: share > 0, right: part.told, why };
}

function valueMark(right, others, claim) {
  const mark = { item: right.node, counts: true, correct: false, given: Boolean(claim && claim.amount), right: `${right.sign} ${right.amount}` };
  if (!mark.given) return { ...mark, why: right.why.any };
  if ([right.amount, ...right.also].some((amount) => agrees(claim, { ...right, amount }))) return { ...mark, correct: true, why: "" };
  const elsewhere = others.some((key) => key.nodes.some((other) => other.node === right.node && agrees(claim, other)));
  const [told, other] = [whyWrong(right, claim), elsewhere ? say("(It would be right with the other pruning rule.)") : ""];
  return { ...mark, why: `${told} ${other}`, slip: `${told === right.why.any ? "" : told} ${other}`.trim() };
}

function whyWrong(right, claim) {
  if (readAmount(claim.amount.trim()).some(Number.isNaN)) return say("“{0}” is no number.", claim.amount);
  if (!claim.sign) return say("Say whether it is a value (=) or only a bound (≤, ≥).");
  if (sameAmount(claim.amount, right.amount)) return right.why.sign;
  return right.why.extreme && sameAmount(claim.amount, right.why.extreme[0]) ? right.why.extreme[1] : right.why.any;
}

function windowMark(right, claim) {
  const given = [claim?.alpha ?? "", claim?.beta ?? ""];
  const ends = right.windows.map((end, at) => sameEnd(given[at], end));
  const told = right.windows.map((end) => end.replace("inf", "∞"));
  return { item: `window ${right.node}`, node: right.node, counts: true, given: Boolean(given[0] || given[1]), correct: ends[0] && ends[1], right: told.join(", "), why: say("The search enters with α, β: {0}, {1}.", ...told) };
}

const sameEnd = (text, end) => (end.endsWith("inf") ? ["∞", "inf", "infinity", "oo"].some((word) => fold(text).replace(/^\+/, "") === end.replace("inf", word)) : sameAmount(text, end));

/** Some nodes and all that is below them. */
const below = (tree, roots) => roots.flatMap((node) => [node, ...below(tree, tree.nodes[node].children)]);
const leavesBelow = (tree, roots) => new Set(below(tree, roots).filter((node) => !tree.nodes[node].children.length));
const sameSet = (a, b) => a.size === b.size && [...a].every((each) => b.has(each));

function cutMark(tree, key, others, cut) {
  const given = leavesBelow(tree, cut);
  const mark = { item: "cut", counts: true, given: true, right: key.skipped.map((node) => tree.nodes[node].branch).join(", ") || say("none") };
  if (sameSet(given, leavesBelow(tree, key.skipped))) return { ...mark, correct: true, why: "" };
  const missing = key.skipped.filter((root) => [...leavesBelow(tree, [root])].some((leaf) => !given.has(leaf)));
  const extra = key.visited.filter((leaf) => given.has(leaf)).map((leaf) => tree.nodes[leaf].branch);
  const said = [missing.length && key.cutWhy, extra.length && say("looked at: {0}", extra.join(", "))].filter(Boolean);
  const elsewhere = others.some((other) => other.skipped && sameSet(given, leavesBelow(tree, other.skipped)));
  const visited = new Set([...key.visited, ...key.nodes.map((right) => right.node)]);
  const right = key.skipped.length - missing.length;
  const half = right > 0 && right >= missing.length + cut.filter((node) => visited.has(node)).length;
  return { ...mark, correct: false, half, why: `${said.join("; ")} ${elsewhere ? say("(It would be right with the other pruning rule.)") : ""}` };
}

function bestMark(tree, key, best) {
  const right = (key.skipped ? key.best.slice(0, 1) : key.best).map((node) => tree.nodes[node].branch).join(", "); // of several a search that prunes knows one
  const correct = key.best.includes(best) || key.tied.includes(best);
  return { item: "best", counts: true, given: best !== null, correct, right, why: correct ? "" : key.bestWhy };
}

// ---- Numbers of the student's own ------------------------------------------------------------------------------------

const asks = (mover) => (mover === say("chance") ? say("Chance decides there: what is the average?") : say("{0} moves there: does {0} want much or little?", mover));

/** The key of a search that looks at every node, with these values at the leaves (by node): of MAX, or vectors, a number for each player (`seats`). */
function valued({ nodes, own: { max, seats } }, values) {
  const found = { nodes: [], best: [], tied: [], bestWhy: "" };
  const told = (worth) => (seats ? `(${worth.join(", ")})` : String(worth[0]));
  /** What a node may be worth: of children that are equally good for whoever moves any may be taken, the first one first. */
  function look(at) {
    const { children, mover, weights } = nodes[at];
    if (!children.length) return [[values[at]].flat()];
    const below = children.map(look);
    const firsts = below.map(([first]) => first);
    const want = (worth) => (seats ? worth[seats.indexOf(mover)] : mover === max ? worth[0] : -worth[0]);
    const mean = (some) => some[0].map((_, n) => Number(some.reduce((sum, worth, place) => sum + weights[place] * worth[n], 0).toFixed(10)));
    const first = weights ? mean(firsts) : firsts.reduce((best, worth) => (want(worth) > want(best) ? worth : best));
    const others = weights ? below.reduce((all, some) => all.flatMap((one) => some.map((worth) => [...one, worth])), [[]]).map(mean) : below.flat().filter((worth) => below.every((some) => some.some((other) => want(worth) >= want(other))));
    const any = new Map([first, ...others].map((worth) => [told(worth), worth]));
    found.nodes.push({ node: at, sign: "=", amount: told(first), also: [...any.keys()].slice(1), windows: null, why: { any: asks(mover), sign: asks(mover) } });
    found.best = found.tied = weights ? [] : children.filter((_, place) => below[place].some((worth) => any.has(told(worth)))); // at last of the root
    return [...any.values()];
  }
  look(0);
  return found;
}

/** The key of a search from left to right, in the form in which the page has it, with these values at the leaves (by node). */
function searched(tree, values, { prunes, strict }) {
  const whole = valued(tree, values);
  if (!prunes) return whole;
  const found = { ...whole, nodes: [], best: whole.best.slice(0, 1), skipped: [], visited: [], cutWhy: "" };
  /** The least and the greatest that a node may be worth by what is seen below it, and what search returns. */
  function look(at, alpha, beta) {
    if (at in values) return found.visited.push(at) && Array(3).fill(values[at]);
    const [{ children, mover }, isMax] = [tree.nodes[at], tree.nodes[at].mover === tree.own.max];
    let [range, low, high] = [null, alpha, beta];
    for (const [place, child] of children.entries()) {
      const below = look(child, low, high);
      range = range?.map((end, n) => (isMax ? Math.max : Math.min)(end, below[n])) ?? below;
      [low, high] = isMax ? [Math.max(low, range[2]), high] : [low, Math.min(high, range[2])];
      if ((strict ? low <= high : low < high) || place === children.length - 1) continue;
      found.skipped.push(...children.slice(place + 1));
      range[Number(isMax)] = isMax ? Infinity : -Infinity; // what was not seen may be better still
      break;
    }
    const [sign, why] = [range[0] === range[1] ? "=" : range[0] === range[2] ? ">=" : "<=", asks(mover)];
    const windows = [alpha, beta].map((end) => String(end).replace("Infinity", "inf"));
    found.nodes.push({ node: at, sign, amount: String(range[2]), also: [], windows, why: { any: why, sign: why } });
    return range;
  }
  look(0, -Infinity, Infinity);
  return found;
}

if (typeof module !== "undefined") module.exports = { marked, searched, sameAmount, sameCondition, CHECKS };

// ---- The page -------------------------------------------------------------------------------------------------------

/** The text that gdl/wings/exam/practice.py has veiled. */
const unveil = (text) => new TextDecoder().decode(Uint8Array.from(atob(text), (one, at) => one.charCodeAt(0) ^ ((at * 31 + 7) & 255)));

function start() {
  const { cut: first, trees: data, shelf, words: ours, engine } = JSON.parse(unveil(byId("data").textContent));
  words = ours;
  const gdl = engine && location.protocol !== "file:" ? new Asking(engine) : null; // a file may start no worker
  const stages = [...document.querySelectorAll(".tree")];
  const pictures = stages.map((stage) => stage.innerHTML);
  const shown = [...pictures];
  const blank = () => ({ claims: {}, cut: [], best: null, fields: {}, numbers: null, anew: null }); // numbers of one's own, and what gdl has made of them: { told, drawn }
  let [written, solved] = [data.map(blank), data.map(() => false)]; // what was filled in, by question
  let [now, hints, hinted, node] = [0, 0, "", -1]; // the question, hints about what, the node that is written at
  try {
    const kept = JSON.parse(localStorage.getItem(shelf));
    if (kept?.written?.length === data.length) ({ written, solved, now } = { now, ...kept });
    else document.querySelector("details").open = Object.keys(data[0].keys).length > 0; // help on trees for who comes the first time
  } catch { /* nothing is kept */ }

  const tree = () => written[now].anew?.told ?? data[now];
  const rules = () => Object.keys(tree().keys);
  const rule = () => (rules().length > 1 ? byId("rule").value : rules()[0]);
  const keyBy = (name, { numbers } = written[now]) => (numbers ? searched(tree(), numbers, { prunes: Boolean(tree().keys[name].skipped), strict: name === "gt" }) : tree().keys[name]);
  const key = () => keyBy(rule());
  const leaves = () => (tree().own ? below(tree(), [0]).filter((at) => at in tree().own.values) : []);
  const result = () => marked(tree(), key(), rules().filter((name) => name !== rule()).map((name) => keyBy(name)), { ...written[now], windows: byId("windows").checked });
  const named = (at) => `${tree().nodes[at].name} (${tree().nodes[at].mover})`;
  const progress = () => say(solved.some(Boolean) ? "Question {0} of {1}, {2} solved" : "Question {0} of {1}", now + 1, data.length, solved.filter(Boolean).length);
  const group = (at) => stages[now].querySelector(`.node[data-n="${at}"]`);
  const labelOf = ({ item, field, node: at }) => (field !== undefined ? tree().parts[field].label : item === "cut" ? say("Never looked at") : item === "best" ? say("Best move") : at !== undefined ? `α, β: ${named(at)}` : named(item));

  function show(number) {
    close();
    [now, hints, hinted] = [(number + data.length) % data.length, 0, ""];
    stages.forEach((stage, at) => { stage.hidden = at !== now || !stage.firstChild; });
    const picture = written[now].anew?.drawn ?? pictures[now];
    if (shown[now] !== picture) stages[now].querySelector("svg").outerHTML = shown[now] = picture;
    const svg = stages[now].querySelector("svg");
    if (key() && matchMedia("(pointer: coarse)").matches) svg.style.minWidth = `${svg.viewBox.baseVal.width * 1.75}px`; // so that fingers hit one branch
    byId("which").textContent = progress();
    const parts = { rules: rules().length > 1, windowed: key()?.nodes.some((right) => right.windows), "cut-line": key()?.skipped, "best-line": key()?.best.length, "own-line": tree().own || gdl && tree().numbers.length };
    for (const [id, is] of Object.entries(parts)) byId(id).hidden = !is;
    byId("task").replaceChildren(...[tree().title, ...tree().text].map((line, at) => make(at ? "p" : "h2", { textContent: line, hidden: !line })));
    byId("fields").replaceChildren(...tree().parts.map((part, at) => {
      const field = make("input", { id: `field-${at}`, dir: "auto", value: written[now].fields[at] ?? "", oninput: () => { written[now].fields[at] = field.value; forget(`field ${at}`); }, onchange: () => changed(`field ${at}`) });
      const note = part.check === "text" ? say("Your teacher marks this: hand it in.") : "";
      return make("p", {}, make("label", {}, part.label, field), make("small", { textContent: note }));
    }));
    byId("best").replaceChildren(new Option("", ""), ...(tree().nodes[0]?.children ?? []).map((child) => new Option(tree().nodes[child].branch, child)));
    byId("best").value = written[now].best ?? "";
    byId("said").textContent = "";
    const values = written[now].numbers ?? tree().own?.values ?? {};
    for (const at of Object.keys(values)) group(at).querySelectorAll("title, text:not([class])").forEach((text) => { text.textContent = text.textContent.replace(/(\([^()]*\)|\S+)$/, [values[at]].flat().length > 1 ? `(${values[at].join(", ")})` : values[at]); });
    byId("numbers").value = (gdl ? tree().numbers : leaves().map((at) => values[at])).join(" ");
    forget();
  }

  /** Begins anew with these numbers, in the order of the game. gdl itself works out what is right where it can be
   * asked, else the page does. Where they do not fit, all stays as it was. */
  async function renumber(texts) {
    const [at, numbers, size] = [now, texts.map((text) => readNumber(text.replace(/^\w+=|:$/g, ""))), tree().own?.seats?.length ?? 1]; // of a vector
    const [wrong, wanted] = [texts.find((_, place) => (gdl ? Number.isNaN(numbers[place]) : !Number.isFinite(numbers[place]))), gdl ? tree().numbers.length : leaves().length * size];
    const unread = wrong ? say("“{0}” is no number.", wrong.slice(0, 20)) : texts.length !== wanted ? say("{0} numbers are wanted.", wanted) : "";
    if (!unread && gdl) byId("said").textContent = say("gdl works it out …");
    const anew = !unread && gdl ? await gdl.ask({ ask: "lesson", language: document.documentElement.lang, number: at, numbers: texts }) : null;
    const problem = unread || say(anew?.problem ?? "");
    if (!problem) written[at] = { ...blank(), anew, numbers: gdl ? null : Object.fromEntries(leaves().map((leaf, place) => [leaf, size > 1 ? numbers.slice(place * size, (place + 1) * size) : numbers[place]])) };
    if (at !== now) return;
    if (!problem) show(now);
    byId("said").textContent = problem;
  }

  /** Other numbers of the range of the first ones, by chance, but no other weights (1/2:) or settings (c=1): with something to prune, if that was asked for. */
  async function another() {
    const [at, first] = [now, gdl ? data[now].numbers.map(readNumber).filter(Number.isFinite) : Object.values(data[now].own.values).flat()];
    const [low, high] = [Math.floor(Math.min(...first)), Math.max(...first, Math.min(...first) + 9)];
    for (let tries = 0; at === now && tries < 99 && (!tries || key()?.skipped?.length === 0); tries += 1) await renumber((gdl ? tree().numbers : first).map((text) => (Number.isNaN(readNumber(`${text}`)) ? text : `${low + Math.floor(Math.random() * (high - low + 1))}`)));
  }

  /** Opens the place at a node where its answer is written. */
  function open(at) {
    node = at;
    const claim = written[now].claims[at] ?? {};
    for (const name of ["sign", "amount", "alpha", "beta"]) {
      byId(name).value = claim[name] ?? "";
      byId(name).ariaLabel = `${{ sign: say("What is known"), amount: say("Value") }[name] ?? name}: ${named(at)}`;
    }
    stages[now].append(byId("editor"));
    byId("editor").hidden = false;
    const [box, frame, { offsetWidth: width, offsetHeight: height, style }] = [group(at).getBoundingClientRect(), stages[now].getBoundingClientRect(), byId("editor")];
    const top = box.top - frame.top + stages[now].scrollTop - height - 2;
    style.top = `${top < 0 ? box.bottom - frame.top + stages[now].scrollTop : top}px`;
    style.left = `${stages[now].scrollLeft + Math.max(0, Math.min(box.left - frame.left, stages[now].clientWidth - width))}px`;
    light(at);
    byId("amount").focus();
  }

  const close = () => { byId("editor").hidden = true; };

  function write() {
    const [, sign, amount] = /^\s*([<>]=|=)?(.*)$/.exec(plain(byId("amount").value));
    if (sign) [byId("sign").value, byId("amount").value] = [sign, amount];
    if (byId("amount").value.trim() && !byId("sign").value && !/^\s*[<>]/.test(amount)) byId("sign").value = "=";
    written[now].claims[node] = Object.fromEntries(["sign", "amount", "alpha", "beta"].map((name) => [name, byId(name).value]));
    forget(node, `window ${node}`);
  }

  /** Shows which node is written at, or meant. */
  const light = (at) => stages[now].querySelectorAll(".node").forEach((each) => each.classList.toggle("now", Number(each.dataset.n) === at));

  /** The marks of what was answered: of the branches where one is marked, or all else is answered. */
  const answered = (marks) => marks.filter((mark) => mark.given && (mark.item !== "cut" || written[now].cut.length || !marks.some((other) => !other.given)));

  /** Marks what was written so far, where that is wished, names slips, and shows the mark of what was changed; branches
   * are marked when all of them are. */
  function changed(item) {
    if (!byId("live").checked) return;
    const lines = answered(result().marks).filter((mark) => mark.item !== "cut").map((mark) => [mark.item, tell({ ...mark, why: mark.unclear ? mark.why : mark.slip })]);
    lines.find(([marked]) => marked === item)?.[1].scrollIntoView({ block: "nearest" });
  }

  /** The question as it is filled in. */
  function draw() {
    const [cut, skipped, counts] = [new Set(written[now].cut), new Set(below(tree(), written[now].cut)), Boolean(key()?.skipped)];
    const windows = byId("windows").checked && !byId("windowed").hidden;
    for (const edge of key() ? stages[now].querySelectorAll(".edge") : []) {
      const at = Number(edge.dataset.n);
      setClasses(edge, { cut: cut.has(at), skipped: skipped.has(at) });
      if (counts) setAttributes(edge, { role: "checkbox", tabindex: "0", "aria-checked": String(cut.has(at)), "aria-label": `${say("Never looked at")}: ${tree().nodes[at].branch}` });
    }
    for (const each of key() ? stages[now].querySelectorAll(".node[tabindex]") : []) {
      const { sign, amount, alpha, beta } = written[now].claims[each.dataset.n] ?? {};
      each.classList.toggle("skipped", skipped.has(Number(each.dataset.n)));
      const told = { value: amount ? `${{ "<=": "≤", ">=": "≥" }[sign] ?? sign} ${amount}` : "…", alpha: windows ? `α ${alpha || "…"}` : "", beta: windows ? `β ${beta || "…"}` : "" };
      for (const [name, text] of Object.entries(told)) each.querySelector(`.${name}`).textContent = text;
      each.removeAttribute("aria-expanded");
      each.setAttribute("aria-label", `${named(each.dataset.n)}: ${Object.values(told).join(" ").replace("…", say("empty"))}`);
    }
    keep();
    byId("cut").textContent = [...cut].sort((a, b) => a - b).map((at) => tree().nodes[at].branch).join(", ") || say("nothing marked");
    document.body.classList.toggle("windows", windows);
  }

  function toggle(at) {
    const { cut } = written[now];
    if (key().skipped) written[now].cut = cut.includes(at) ? cut.filter((each) => each !== at) : [...cut, at];
    forget("cut");
  }

  /** Takes away the marks of the items whose answers have changed; all marks if none is named. */
  function forget(...items) {
    const those = items.length ? items.map((item) => `[data-item="${item}"], .node[data-n="${item}"]`).join() : "[data-item], .node";
    for (const each of document.querySelectorAll(those)) if (each.matches("li")) each.remove(); else each.classList.remove("good", "bad");
    draw();
  }

  function tell(mark) {
    const [text, look] = mark.unclear ? ["?", ""] : mark.correct ? ["✓ right", "right"] : mark.half ? ["½ partly right", "wrong"] : ["✗ wrong", "wrong"];
    forget(mark.item);
    const line = make("li", { className: `mark ${look}` }, `${labelOf(mark)}: ${say(text)}${mark.given && !mark.correct && mark.why ? `: ${mark.why}` : ""}`);
    line.dataset.item = mark.item;
    byId("marks").append(line);
    if (typeof mark.item === "number") group(mark.item)?.classList.add(mark.correct ? "good" : "bad");
    return line;
  }

  /** Marks what was answered, and gives nothing away. */
  function check() {
    forget();
    const { marks, score, of } = result();
    for (const mark of answered(marks)) tell({ ...mark, why: mark.unclear ? mark.why : "" });
    const missing = marks.length - answered(marks).length;
    solved[now] = score === of && of > 0;
    byId("which").textContent = progress();
    keep();
    byId("said").textContent = [of && say("{0} of {1} right.", String(score).replace(/^0?\.5$/, "½").replace(/\.5$/, "½"), of), solved[now] ? say("All is right.") : missing ? say("{0} not answered yet.", missing) : ""].filter(Boolean).join(" ");
  }

  /** Keeps the work over a reload, where the browser lets a page do so. */
  const keep = () => { try { localStorage.setItem(shelf, JSON.stringify({ written, solved, now })); } catch { /* it does not */ } };

  /** What is written at a question, as `gdl grade` reads it. */
  function asText({ nodes, parts, keys }, { claims, cut, best, fields }) {
    const quoted = (name) => (/^[^\s=<>≤≥,:;"']+$/.test(name) ? name : `"${name}"`);
    const said = Object.entries(claims).filter(([, claim]) => claim.amount).map(([at, claim]) => `${quoted(nodes[at].name)}${claim.sign}${claim.amount}`);
    const windows = Object.entries(claims).filter(([, { alpha, beta }]) => alpha || beta).map(([at, { alpha, beta }]) => `${quoted(nodes[at].name)} [${alpha || "?"}, ${beta || "?"}]`);
    const branches = cut.map((at) => quoted(nodes[at].branch)).join(" ") || say("none");
    const items = [...new Set(parts.filter((_, at) => fields[at]?.trim()).map(({ item }) => item))];
    const lines = items.map((item) => `${item}: ${parts.map((part, at) => (part.item === item && fields[at]?.trim() ? `${part.head ? `${part.head}: ` : ""}${fields[at]}` : "")).filter(Boolean).join("; ")}`);
    return [said.join(" "), windows.join(" "), Object.values(keys)[0]?.skipped && (said.length || cut.length || best !== null) ? `${say("cut")}: ${branches}` : "", best === null ? "" : `${say("best")}: ${quoted(nodes[best].branch)}`, ...lines].filter(Boolean).join("\n");
  }

  /** One step further each time: where to look, who chooses there, and among what. */
  function hint() {
    const wrong = result().marks.find((mark) => !mark.correct);
    if (!wrong) { byId("said").textContent = say("Nothing is missing."); return; }
    hints = hinted === labelOf(wrong) ? hints + 1 : 1;
    hinted = labelOf(wrong);
    const mover = typeof wrong.item === "number" ? tree().nodes[wrong.item].mover : "";
    const count = wrong.field !== undefined && wrong.right.split(/[\s;]+/).length;
    const steps = [say("Look at {0}.", hinted), ...(mover ? [asks(mover)] : count > 1 ? [say("{0}: {1} words or numbers are wanted.", hinted, count)] : wrong.field !== undefined ? tree().text.slice(-1) : []), `${hinted}: ${wrong.why}`];
    byId("said").textContent = steps[Math.min(hints, steps.length) - 1];
    if (typeof wrong.item === "number") light(wrong.item);
  }

  function reveal() {
    const claims = Object.fromEntries((key()?.nodes ?? []).map(({ node, sign, amount, windows }) => [node, { sign, amount, alpha: windows?.[0], beta: windows?.[1] }]));
    written[now] = { ...written[now], claims, cut: key()?.skipped ?? [], best: key()?.best[0] ?? null, fields: Object.fromEntries(tree().parts.map(({ told }, at) => [at, told])) };
    show(now);
    check();
  }

  const on = (id, event, does) => byId(id).addEventListener(event, does);
  const deeds = { previous: () => show(now - 1), following: () => show(now + 1), another, hint, reveal, clear: () => { const { numbers, anew } = written[now]; written[now] = { ...blank(), numbers, anew }; show(now); } };
  for (const [id, does] of Object.entries(deeds)) on(id, "click", does);
  on("rule", "change", () => { forget(); byId("said").textContent = ""; });
  on("windows", "change", draw);
  on("numbers", "focus", () => gdl?.start());
  on("numbers", "change", () => renumber(plain(byId("numbers").value).split(/[\s,;()]+/).filter(Boolean)));
  on("best", "change", ({ target }) => { written[now].best = target.value === "" ? null : Number(target.value); forget("best"); changed("best"); });
  on("answers", "submit", (event) => {
    event.preventDefault();
    if (document.activeElement !== byId("numbers")) check(); // Enter there takes the numbers alone
  });
  on("editor", "input", write);
  on("editor", "change", () => { write(); changed(node); });
  on("editor", "keydown", ({ key: pressed }) => {
    if (pressed === "Enter" || pressed === "Escape") { const at = node; close(); group(at).focus(); }
  });
  document.addEventListener("keydown", ({ key: pressed, target }) => {
    if (/^Arrow(Left|Right)$/.test(pressed) && !target.closest("input, select, textarea")) show(now + ((pressed === "ArrowLeft") === (document.dir === "rtl") ? 1 : -1));
  });
  document.addEventListener("pointerdown", ({ target }) => { if (!target.closest("#editor")) close(); });
  const press = (event) => {
    const each = event.target.closest(".node, .edge");
    if (!each || !key() || (event.key ?? "Enter") !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    (each.matches(".node[tabindex]") ? open : toggle)(Number(each.dataset.n));
  };
  for (const event of ["click", "keydown"]) on("trees", event, press);
  on("hand-in", "click", () => {
    const texts = data.map((one, at) => [at, written[at].numbers || written[at].anew ? "" : asText(one, written[at])]).filter(([, text]) => text);
    byId("text").hidden = false;
    byId("text").value = data.length === 1 ? texts.map(([, text]) => text).join("") : texts.map(([at, text]) => `${say("question")} ${at + 1}:\n${text}\n`).join("\n");
    byId("text").select();
  });
  byId("rule").value = first;
  show(now);
}

if (typeof document !== "undefined") start();
