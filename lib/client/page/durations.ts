import { createUi } from "../../i18n/ui.ts";

const SECOND_MS = 1_000;

/** Updates each element with `data-since` to show the time since then. */
export function tick(signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (document.hidden) return;
    const running = document.querySelectorAll<HTMLElement>("[data-since]");
    if (running.length === 0) return;
    const language = document.documentElement.lang;
    const { duration } = createUi({ language, theme: "system", basePath: "", t: (key) => key });
    for (const element of running) {
      element.textContent = duration(Date.now() - Date.parse(element.dataset.since!));
    }
  }, SECOND_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}
