// Drawings of men and of what lies under them, each in a square of one by one around the middle.
import { element, symbol, text } from "./elements.js";
import { Part } from "./play.js";

const BRIGHT = ["#fdfdf8", "#f0e442", "#e6b422", "#b9bec4", "#e7a1c4"]; // colours on which letters are dark
const [WOOD, MARKED, SEED] = ["#6d5a3f", "#8a6420", "#a3752c"]; // of men of nobody, of marks, and of seeds
export const COLOUR = /^(red|green|blue|yellow|white|black|orange|purple|pink|brown|grey|gold|silver)$/; // a kind of men that is called so has it
const CROSSES = { X: "cross", O: "circle" }; // what players with such names draw
const [SEEDS, GOLDEN] = [24, 2.4]; // seeds of a pit that are drawn, and the angle from one to the next

/** The drawing of a kind of men of a board, or the letters chosen for it, where there is one. */
export const glyphOn = ({ glyphs }, name, owner = 0) => (glyphs[name.toLowerCase()] ?? glyphs[name.toLowerCase().split(" ")[0]])?.at(owner ? -1 : 0);

/** Whether the page has a drawing with this name. */
export const isDrawn = (name) => Boolean(name && byId(`s-${name}`));

/** Colours of a drawing: its own, and that of its lines, which are seen on it. */
export const inColour = (fill) => ({ fill, stroke: BRIGHT.includes(fill) ? "#222" : "#f4efe2" });

export function ground(kind, { wide = 1, high = 1 } = {}) {
  if (kind === "points") return element("circle", { r: 0.3, class: "ground" });
  if (kind === "hexagons") return element("polygon", { points: "0,.577 .5,.289 .5,-.289 0,-.577 -.5,-.289 -.5,.289", class: "ground" });
  return element("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, class: "ground" });
}

/** The mark of a square; its sign where nothing stands. */
export function marked({ mark }, taken) {
  if (!mark) return [];
  return [element("circle", { r: 0.42, class: "mark" }), ...(taken ? [] : [isDrawn(mark) ? symbol(mark, inColour(MARKED), 0.6) : text(mark, { class: "sign", "font-size": "0.55px" })])];
}

/** The lines of a grid that cross in the middle of a square, which end at its border. */
export function crossing(x, y, board) {
  const ends = (at, axis) => [at > 0 ? -0.5 : 0, at < Math.max(...board.squares.map((square) => square[axis])) ? 0.5 : 0];
  const [[x1, x2], [y1, y2]] = [ends(x, "x"), ends(y, "y")];
  return [element("line", { x1, x2, y1: 0, y2: 0, class: "joined" }), element("line", { x1: 0, x2: 0, y1, y2, class: "joined" })];
}

/** So many seeds in a pit, from the middle outwards, and their number. */
export function seeds(count) {
  const drawnSeeds = Array.from({ length: Math.min(count, SEEDS) }, (_, k) => symbol("seed", { fill: SEED, stroke: "#5c3d10", transform: `translate(${0.08 * Math.sqrt(k) * Math.cos(GOLDEN * k)} ${0.08 * Math.sqrt(k) * Math.sin(GOLDEN * k)})` }, 0.15));
  return [...drawnSeeds, text(String(count), { y: 0.33, "font-size": "0.26px", class: "number" })];
}

/** The sign of a kind of men on whichever board has it; undefined where none does. */
export const manSign = ({ boards }, name, owner = 0) => boards.filter((board) => board.variables.some((each) => each.names.includes(name))).map((board) => glyphOn(board, name, owner))[0];

export class Men extends Part {
  man(sign, owner, name, board) {
    if (!sign) return [];
    if (owner === null && sign === "x") return [element("rect", { x: -0.36, y: -0.36, width: 0.72, height: 0.72, rx: 0.12, class: "block" })];
    if (board.look === "lines" && owner === null) return [element("path", { d: { "-": `M${-(board.reach ?? 0.5)} 0H${board.reach ?? 0.5}`, "|": `M0 ${-(board.reach ?? 0.5)}V${board.reach ?? 0.5}` }[sign] ?? "M0 0h.001", class: "stroke" })];
    if (owner === null && /^\d+$/.test(sign) && board.variables.length === 1 && !board.variables[0].signs.length) return this.tile(sign);
    const glyph = glyphOn(board, name, owner ?? 0) ?? (board.crossed && /^\d+$/.test(sign) ? "hull" : undefined);
    if (owner !== null && !name && this.game.players[owner].length === 1) return [CROSSES[this.game.players[owner]] ? symbol(CROSSES[this.game.players[owner]], { fill: "#222" }, 0.9) : text(this.game.players[owner], { fill: "#222", "font-size": "0.85px" })];
    const [room, colour] = [board.kind === "points" ? 0.68 : 1, owner === null ? WOOD : this.data.colours[owner]];
    const flag = glyph !== "crowned" && board.variables.some(({ called }) => called === name); // a truth: a man of a kind, who has something more
    if (isDrawn(glyph) && !flag) {
      const number = board.crossed && /^\d/.test(sign) ? [text(sign.match(/\d+/)[0], { x: 0.36, y: 0.36, "font-size": "0.3px", class: "number" })] : []; // of a ship that was hit
      return [board.look === "wedges" ? this.wedge(owner, glyph, sign) : symbol(glyph, board.look === "rings" ? { stroke: colour } : inColour(colour), room), ...number, ...(name.includes(" ") && !board.glyphs[name.toLowerCase()] ? [element("circle", { cx: 0.38, cy: -0.38, r: 0.07, class: "more" })] : [])];
    }
    if (glyph && !flag) return [text(glyph, { fill: owner === null ? "#222" : colour, stroke: "#222", "stroke-width": 0.02, "font-size": "0.85px" })];
    if (owner !== null && !name && (board.variables.length === 1 || sign[0].toLowerCase() === this.game.players[owner][0].toLowerCase())) return [symbol(board.plain, { ...inColour(colour), class: "disc" }, room)];
    return [...(owner === null ? [] : [element("circle", { r: 0.38 * room, fill: colour, class: "disc" })]), this.lettered(flag ? name : sign, owner)];
  }

  /** A number that lies on a square, the warmer the larger. */
  tile(sign) {
    const high = Math.log2(1 + Number(sign));
    return [element("rect", { x: -0.45, y: -0.45, width: 0.9, height: 0.9, rx: 0.08, fill: `hsl(${Math.max(4, 48 - 4 * high)} ${Math.min(90, 30 + 7 * high)}% ${Math.max(48, 88 - 4.2 * high)}%)`, class: "tile" }), this.lettered(sign, null)];
  }

  /** A stack: each man a little above the one below, the top one plain, and how many there are; of kinds, slabs with names. */
  piled(men, board) {
    const [high, colours] = [Math.min(0.45, 0.9 / men.length), men.map(({ owner, name }) => (owner === null ? COLOUR.exec(name)?.[0] ?? "#cfc6b0" : this.data.colours[owner]))];
    const called = ({ owner, name }, k, sign = glyphOn(board, name, owner ?? 0)) => (isDrawn(sign) ? element("g", { transform: `scale(${high})` }, symbol(sign, inColour(colours[k]))) : text(name, { "font-size": `${Math.min(0.6 * high, 1.5 / name.length)}px`, class: "number" }));
    const slab = (each, k) => element("g", { transform: `translate(0 ${0.45 - high * (k + 0.5)})` }, element("rect", { x: -0.45, y: -high / 2, width: 0.9, height: high, rx: 0.05, "fill-opacity": 0.7, fill: isDrawn(glyphOn(board, each.name, each.owner ?? 0)) ? "#cfc6b0" : colours[k], class: "disc" }), called(each, k));
    if (men.every(({ name }) => name)) return men.map(slab);
    const apart = Math.min(0.15, 0.4 / (men.length - 1));
    const place = (k) => `translate(0 ${apart * ((men.length - 1) / 2 - k)})`;
    const below = men.slice(0, -1).map(({ owner }, k) => symbol(board.plain, { ...inColour(owner === null ? "#cfc6b0" : this.data.colours[owner]), class: "disc", transform: place(k) }));
    const { sign, owner, name } = men.at(-1);
    return [...below, element("g", { transform: place(men.length - 1) }, ...this.man(sign, owner, name, board)), text(String(men.length), { x: 0.36, y: 0.36, "font-size": "0.3px", class: "number" })];
  }

  /** A man of shogi, who looks to the other side, as it is or with Latin letters, which are red once it is promoted. */
  wedge(owner, glyph, sign) {
    const letter = symbol(`letter-${sign.at(-1).toUpperCase()}`, { stroke: sign.length > 1 ? "#b3261e" : "#222", transform: "translate(0 .06)" }, 0.5);
    const face = this.play.latin ? [symbol("wedge"), letter] : [symbol(glyph)];
    return element("g", { transform: `rotate(${(owner === 1) === this.play.turned ? 0 : 180})` }, ...face);
  }

  lettered(sign, owner, most = (owner === null ? 1.5 : 1.1) / sign.length) {
    const pale = owner !== null && !BRIGHT.includes(this.data.colours[owner]);
    return text(sign, { fill: pale ? "#fff" : "#222", "font-size": `${Math.min(0.55, most)}px` });
  }

  /** Men side by side, the smaller the more there are, and where something is said of their square. */
  sideBySide(men, room, board) {
    return men.flatMap((each, k) => {
      const owner = each.owner ?? (this.game.players.length === 1 ? 0 : null);
      const glyph = each.glyph || glyphOn(board, each.name.split(" ").pop(), owner ?? 0);
      const disc = owner === null ? [] : [element("circle", { r: 0.4, fill: this.data.colours[owner], class: "disc" })];
      const place = `translate(${(room * ((2 * k + 1) / men.length - 1)) / 2} 0) scale(${room / men.length})`;
      if (isDrawn(glyph)) return [element("g", { transform: place }, symbol(glyph, inColour(each.owner === null ? WOOD : this.data.colours[owner]))), " "];
      return [element("g", { transform: place }, ...disc, this.lettered(glyph || each.sign, owner, 0.75 / each.sign.length)), " "];
    });
  }

  /** An edge of a graph, in its owner's colour, and around it the room in which it is clicked. */
  edge({ line }, owner) {
    const turn = { d: line, transform: `rotate(${this.play.turned ? 180 : 0})` };
    return [element("path", { ...turn, class: "hit" }), element("path", { ...turn, class: "line", stroke: owner === null ? "#8a7044" : this.data.colours[owner] })];
  }

  /** A point of a track, from the edge inwards (1: downwards), with its number and the men of both, closer where they are many. */
  lane(square, inwards) {
    const men = square.cells.flatMap((cell, p) => Array.from({ length: this.play.shownCells()[cell] }, () => this.data.colours[p]));
    const apart = Math.min(0.86, 4.1 / men.length) * inwards;
    const discs = men.map((fill, k) => symbol("man", { ...inColour(fill), class: "disc", transform: `translate(0 ${apart * k})` }, 1.1));
    const ground = square.end ? element("rect", { x: -0.46, y: inwards > 0 ? -0.5 : -4.9, width: 0.92, height: 5.4, rx: 0.1, class: "ground" }) : element("path", { d: `M-.5 ${-0.5 * inwards}H.5L0 ${4.6 * inwards}Z`, class: "ground" });
    return [ground, element("rect", { x: -0.5, y: inwards > 0 ? -0.5 : -5, width: 1, height: 5.5, fill: "transparent" }), ...discs, text(square.end ? this.play.say(square.end) : square.name, { y: (square.end ? 4.6 : 5.2) * inwards, class: "label" })];
  }
}
