"use strict";
// A button that makes all of a page large, for a projector; who leaves the full screen makes it small again.
{
  const button = document.getElementById("present");
  const present = (on) => {
    document.documentElement.classList.toggle("present", on);
    button.setAttribute("aria-pressed", String(on));
    dispatchEvent(new Event("resize")); // what is drawn by the size of the window is drawn anew
  };
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    present(on);
    (on ? document.documentElement.requestFullscreen?.() : document.fullscreenElement && document.exitFullscreen())?.catch?.(() => {});
  });
  document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) present(false); });
}
