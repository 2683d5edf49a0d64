/** What had the focus before, by itself and by its address: the page may have changed since. */
let opener: { element: HTMLElement; href: string | null } | null = null;

/** Where the focus goes back to. */
export function setOpener(element: HTMLElement | null): void {
  opener = element && { element, href: element.getAttribute("href") };
}

/** Where what lay over the page was opened from; else the page. */
export function restoreFocus(): void {
  // The browser has given it back itself.
  if (!opener && document.activeElement !== document.body) return;
  const { element, href } = opener ?? { element: null, href: null };
  opener = null;
  const selectors = [
    href && `a[href="${CSS.escape(href)}"]`,
    // It may have been in a menu that is closed by now.
    `[popovertarget="${element?.closest("[popover]")?.id}"]`,
    "#main",
  ].filter((selector) => selector !== null);
  const places = selectors.map((selector) => document.querySelector<HTMLElement>(selector));
  for (const place of [element, ...places]) {
    place?.focus();
    if (place && document.activeElement === place) return;
  }
}
