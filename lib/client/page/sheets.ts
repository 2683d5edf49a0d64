const SHEETS = 'link[rel="stylesheet"]';

/** Moves the links to style sheets from HTML to the document, as `loadSheets` adds them. */
export async function bringSheets(html: ParentNode): Promise<void> {
  const links = [...html.querySelectorAll<HTMLLinkElement>(SHEETS)];
  links.forEach((link) => link.remove());
  await loadSheets(links.map(({ href }) => href));
}

/**
 * Adds style sheets to the document, unless it has them. Resolves when they apply or cannot be
 * loaded. What they are for is shown only then, so that it is never seen without its style.
 */
export async function loadSheets(addresses: string[]): Promise<void> {
  await Promise.all(addresses.map((address) => load(new URL(address, location.href).href)));
}

/** Sheets that are being loaded, by their addresses. */
const coming = new Map<string, Promise<void>>();

async function load(href: string): Promise<void> {
  const shown = [...document.head.querySelectorAll<HTMLLinkElement>(SHEETS)];
  if (!shown.some((one) => one.href === href)) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    const loaded = new Promise<void>((done) => {
      link.onload = link.onerror = () => done();
    });
    coming.set(href, loaded.then(() => void coming.delete(href)));
    // Sheets apply in the order of their names, whichever page came first.
    document.head.insertBefore(link, shown.find((one) => one.href > href) ?? null);
  }
  await coming.get(href);
}
