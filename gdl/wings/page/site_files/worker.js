// gdl in the browser's Python. It is asked in JSON, and answers in JSON (gdl/wings/page/playground_answers.py).
import { loadPyodide } from "./pyodide/pyodide.mjs";

async function started() {
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  const packed = await (await fetch(new URL("./gdl.zip", import.meta.url))).arrayBuffer();
  python.unpackArchive(packed, "zip");
  return python.pyimport("gdl.wings.page.playground_answers").answer;
}

const answer = started();

onmessage = async ({ data: { id, asked } }) => {
  try {
    postMessage({ id, found: JSON.parse((await answer)(JSON.stringify(asked))) });
  } catch (error) {
    postMessage({ id, found: { problem: `gdl fails on this: ${String(error.message ?? error).trim().split("\n").pop()}` } });
  }
};
