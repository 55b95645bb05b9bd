// gdl on the machine that serves the page (gdl site --serve). It is asked in JSON, and answers in JSON, as worker.js does.
onmessage = async ({ data: { id, asked } }) => {
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) };
  postMessage({ id, found: await fetch("/gdl", sent).then((answer) => answer.json()).catch(() => ({ problem: "gdl does not start here." })) });
};
