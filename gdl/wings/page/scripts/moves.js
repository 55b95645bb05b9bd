// Moves by buttons and by their names.
import { button, tell } from "./elements.js";
import { isShortFor } from "./opening.js";
import { Part } from "./play.js";
import { shown, spoken } from "./words.js";

const MOST_BUTTONS = 300;

export class Moves extends Part {
  constructor(play, squares, things) {
    super(play);
    this.squares = squares;
    this.things = things;
    for (const id of ["values", "every"]) byId(id).addEventListener("change", () => play.show());
    byId("typed").addEventListener("submit", (event) => { event.preventDefault(); this.type(byId("move").value.trim()); });
  }

  show() {
    byId("moves-part").hidden = !this.play.isOpen();
    if (this.play.isOpen()) this.showMoves();
    else for (const id of ["moves", "names"]) byId(id).replaceChildren();
  }

  /** Play what somebody has written: the name of an action, or a short one that fits one alone. */
  type(written) {
    const { play } = this;
    const forms = [({ name }) => name, ({ name }) => spoken(play, name, play.at)].map((form) => (option) => form(option).toLowerCase() === written.toLowerCase());
    const fitting = [...forms, (option) => isShortFor(this.squares, written, option)].map((fits) => play.options().filter(fits)).find(({ length }) => length) ?? [];
    if (fitting.length !== 1) { tell(written && this.squares.refusal(written, [], ({ name }) => name === written, (option) => isShortFor(this.squares, written, option))); return; }
    byId("move").value = "";
    play.go(fitting[0].name);
  }

  /** The buttons for what no click on a board does; for everything where that is asked for. */
  showMoves() {
    const fitting = this.play.picked.length ? this.play.options().filter((option) => this.squares.begins(option, this.play.picked)) : this.play.options();
    const values = byId("values").checked ? this.play.at.found : null;
    const clickable = new Set([...byId("table").querySelectorAll("button[title]")].map((each) => each.title)); // cards and heaps
    const named = byId("values").checked || byId("every").checked ? [...fitting] : fitting.filter((option) => !this.squares.isClickable(option) && !this.things.isByDice(option) && !clickable.has(option.name));
    const worth = ({ name }) => Number(values?.values[name]?.[this.play.mover()] ?? -Infinity);
    if (values) named.sort((a, b) => worth(b) - worth(a));
    const listed = this.play.at.listed ?? MOST_BUTTONS; // how many actions have buttons in this position
    const more = button(this.play.say("{0} more", named.length - listed), () => { this.play.at.listed = listed + MOST_BUTTONS; this.play.show(); });
    byId("moves").replaceChildren(...named.slice(0, listed).map((option) => this.moveButton(option, values)), ...(named.length > listed ? [more] : []));
    byId("names").replaceChildren(...this.play.options().slice(0, MOST_BUTTONS).map((option) => new Option(option.name)));
  }

  moveButton({ name }, values) {
    const made = button(spoken(this.play, name, this.play.at), () => this.play.go(name), name === this.play.advised ? "best" : "");
    if (made.textContent !== name) made.title = name;
    const worth = values?.values[name];
    if (worth) made.append(make("small", { textContent: ` ${shown(this.play, worth[this.play.mover()], values.exact)}${values.exact ? "" : "?"}` }));
    return made;
  }
}
