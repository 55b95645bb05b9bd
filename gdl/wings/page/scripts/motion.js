// What moves when a position follows another: men slide, those taken fade, seeds are sown, cards turn, dice roll. The page
// is drawn without waiting for it, and whoever asks for less motion has none.
import { element } from "./elements.js";
import { Part } from "./play.js";

const [SLIDE, FADE, TURN, BETWEEN] = [220, 260, 320, 45]; // milliseconds; the last between two men that go one after the other
const MOST_MOVED = 40; // men: of more, as where another play is opened, none moves

const placeOf = (drawn) => (/translate\((\S+) (\S+?)\)/.exec(drawn.getAttribute("transform") ?? "") ?? [0, 0, 0]).slice(1).map(Number);

/** Men of two positions: those that go from a place to another one, those that vanish, and those that come. A man who stays
 * is in none of the lists; each goes to the nearest place where one like it is new. */
export function pairMen(before, after) {
  const stays = (one, others) => others.some(({ key, x, y }) => key === one.key && x === one.x && y === one.y);
  const gone = before.filter((one) => !stays(one, after));
  const come = after.filter((one) => !stays(one, before));
  const moved = [];
  for (const one of gone) {
    const far = ({ x, y }) => Math.hypot(x - one.x, y - one.y);
    const [next] = come.filter(({ key }) => key === one.key).sort((a, b) => far(a) - far(b));
    if (next) moved.push({ from: one, to: come.splice(come.indexOf(next), 1)[0] });
  }
  return { moved, gone: gone.filter((one) => !moved.some(({ from }) => from === one)), come };
}

/** Cards that are new on the table, by their names; all dice where one of them is another. */
export function turnedOver(before, after) {
  const left = [...before];
  return after.filter((name) => { const k = left.indexOf(name); if (k >= 0) left.splice(k, 1); return k < 0; });
}

export class Motion extends Part {
  before = null; // what was drawn before the position changed

  constructor(play, boards = byId("boards"), table = byId("table")) {
    super(play);
    this.boards = boards;
    this.table = table;
  }

  show(moved) {
    if (!moved || this.before || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.before = this.drawn();
    queueMicrotask(() => {
      const { before } = this;
      this.before = null;
      if (before.boards.length + before.cards.length + before.dice.length && before.turned === this.play.turned) this.move(before, this.drawn());
    });
  }

  /** What is drawn: the men of each board, cards and dice. */
  drawn() {
    const boards = [...this.boards.querySelectorAll("figure > svg")].map((svg) => ({ svg, men: [...svg.querySelectorAll(".square")].flatMap((square) => this.menOn(square)) }));
    const named = (selector) => [...this.table.querySelectorAll(selector)].map((node) => ({ node, name: node.getAttribute("aria-label") ?? node.textContent }));
    return { turned: this.play.turned, boards, cards: named(".card:not(.back)"), dice: named(".die") };
  }

  /** The men on a square, each with what tells it from others; of a pit or a point of a track each seed or disc. */
  menOn(square) {
    const [x, y] = placeOf(square);
    const men = square.querySelector(".men");
    if (!square.matches(".lanes, .pit")) return men ? [{ node: men, key: men.innerHTML, x, y, at: [x, y] }] : [];
    return [...square.querySelectorAll("use")].map((node) => {
      const [dx, dy] = placeOf(node);
      return { node, key: node.getAttribute("fill"), x: x + dx, y: y + dy, at: [x, y] };
    });
  }

  move(before, after) {
    after.boards.forEach(({ svg, men }, k) => {
      const old = before.boards[k];
      if (!old || old.svg.getAttribute("viewBox") !== svg.getAttribute("viewBox")) return;
      const { moved, gone, come } = pairMen(old.men, men);
      if (moved.length + gone.length + come.length > MOST_MOVED) return;
      for (const one of gone) this.lay(svg, one).animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE, fill: "forwards" });
      for (const { node } of come) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
      moved.forEach(({ from, to }, n) => this.slide(svg, from, to, n * BETWEEN));
    });
    const cards = turnedOver(before.cards.map(({ name }) => name), after.cards.map(({ name }) => name));
    for (const { node, name } of after.cards) if (cards.includes(name)) node.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: TURN });
    const rolled = turnedOver(before.dice.map(({ name }) => name), after.dice.map(({ name }) => name)).length > 0;
    for (const { node } of rolled ? after.dice : []) node.firstChild.animate([{ transform: "rotate(-200deg) scale(.6)" }, { transform: "none" }], { duration: TURN, easing: "ease-out" });
  }

  /** A copy of a man above all squares, where it stands. */
  lay(svg, { node, at: [x, y] }) {
    const copy = element("g", { class: "moving", transform: `translate(${x} ${y})` }, node.cloneNode(true));
    svg.append(copy);
    setTimeout(() => copy.remove(), SLIDE + FADE + MOST_MOVED * BETWEEN);
    return copy;
  }

  /** A man goes from a place to another: a copy of it does, while it is not seen itself. */
  slide(svg, from, to, delay) {
    const copy = this.lay(svg, to);
    const way = [{ translate: `${from.x - to.x}px ${from.y - to.y}px` }, { translate: "0px 0px" }];
    to.node.animate([{ opacity: 0 }, { opacity: 0 }], { duration: SLIDE + delay });
    copy.animate(way, { duration: SLIDE, delay, fill: "backwards", easing: "ease-in-out" }).finished.then(() => copy.remove(), () => {});
  }
}
