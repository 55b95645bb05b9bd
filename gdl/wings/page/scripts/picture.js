// The picture of a tree or a matrix on which play is made.
import { Part } from "./play.js";

const READABLE = 0.8; // the least scale of it

export class Picture extends Part {
  constructor(play) {
    super(play);
    const tree = /** @type {any} */ (byId("picture").querySelector("svg"));
    if (tree) tree.style.minWidth = `${Number(tree.getAttribute("width")) * READABLE}px`; // a wide one is scrolled
    byId("picture").addEventListener("click", ({ target }) => {
      const n = Number(target.closest(".open")?.dataset.n);
      const option = play.options().find(({ row }) => this.game.possible(play.state).some((at) => this.game.nodes[at].to[row] === n));
      if (option) play.go(option.name);
    });
  }

  /** Where the one to move may be, and what was played. */
  show() {
    const here = this.play.viewer === null || this.play.viewer === this.play.mover() ? this.game.possible?.(this.play.state) ?? [] : [];
    const line = !this.data.hidden || this.play.node.kind === "end" ? this.play.path().map((place) => place.state.at) : [];
    for (const each of byId("picture").querySelectorAll("[data-n]")) {
      const n = Number(each.dataset.n);
      const open = this.play.options().some(({ row }) => here.some((at) => this.game.nodes[at].to[row] === n));
      setClasses(each, { now: each.matches(".node") && here.includes(n), played: each.matches(".edge") && line.includes(n), open });
      each.removeAttribute("tabindex");
    }
  }
}
