"use strict";

/** gdl in a worker (gdl/wings/page/site_files/worker.js): it is asked in JSON, and answers in JSON. */
class Asking {
  waiting = new Map();
  last = 0;

  /** `url` is the worker's, which starts when it is asked first. */
  constructor(url) { this.url = url; }

  start() {
    if (this.worker) return;
    this.worker = new Worker(this.url, { type: "module" });
    this.worker.onmessage = ({ data: { id, found } }) => { this.waiting.get(id)?.(found); this.waiting.delete(id); };
    this.worker.onerror = () => this.stop("gdl does not start here.");
  }

  /** The answer, or { problem }. */
  ask(asked) {
    this.start();
    return new Promise((resolve) => {
      this.waiting.set(++this.last, resolve);
      this.worker.postMessage({ id: this.last, asked });
    });
  }

  /** Ends what is being worked out. */
  stop(problem = "Stopped.") {
    this.worker.terminate();
    this.worker = null;
    for (const resolve of this.waiting.values()) resolve({ problem });
    this.waiting.clear();
  }
}
