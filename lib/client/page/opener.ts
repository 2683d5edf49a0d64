/** The element that had the focus, and its address in case the page has changed since. */
let opener: { element: HTMLElement; href: string | null } | null = null;

/** Sets the element that gets the focus back. */
export function setOpener(element: HTMLElement | null): void {
  opener = element && { element, href: element.getAttribute("href") };
}

/** Returns the focus to the element that opened the overlay, or else to the page. */
export function restoreFocus(): void {
  // The browser has already restored it.
  if (!opener && document.activeElement !== document.body) return;
  const { element, href } = opener ?? { element: null, href: null };
  opener = null;
  const selectors = [
    href && `a[href="${CSS.escape(href)}"]`,
    // It may have been in a menu that is closed now.
    `[popovertarget="${element?.closest("[popover]")?.id}"]`,
    "#main",
  ].filter((selector) => selector !== null);
  const targets = selectors.map((selector) => document.querySelector<HTMLElement>(selector));
  // The next page may have made another link of the same element.
  const same = element?.getAttribute("href") === href ? element : null;
  for (const target of [same, ...targets]) {
    target?.focus();
    if (target && document.activeElement === target) return;
  }
}
