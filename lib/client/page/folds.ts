const YEAR_SECONDS = 31_536_000;

/**
 * Remembers in a cookie which groups of sections are folded, until `signal` aborts. The server
 * renders them folded, so that the next page does not jump.
 */
export function followFolds(signal: AbortSignal): void {
  document.addEventListener("click", ({ target }) => {
    const summary = target instanceof Element ? target.closest("[data-fold] > summary") : null;
    if (!summary) return;
    const groups = [...document.querySelectorAll<HTMLDetailsElement>("[data-fold]")];
    // The click has not opened or closed its group yet.
    const folded = groups.filter((group) => group.open === (group === summary.parentElement))
      .map(({ dataset }) => dataset.fold);
    const { cookie, cookiePath } = summary.closest<HTMLElement>("[data-cookie]")!.dataset;
    document.cookie = `${cookie}=${
      folded.join(".")
    }; path=${cookiePath}; max-age=${YEAR_SECONDS}; samesite=lax`;
  }, { signal });
}
