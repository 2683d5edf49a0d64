import { asset } from "fresh/runtime";
import type { Ui } from "../../i18n/ui.ts";

/** The build's list of the sets of names for which a page needs the style sheet of an area. */
const INDEX = new URL("../../../_generated/sheets.json", import.meta.url);

/** The sets of classes and ids of each area. HTML with all names of a set needs its style sheet. */
const AREAS: readonly [area: string, sets: string[][]][] = Object.entries<string[]>(
  JSON.parse(readIndex()),
).map(([area, sets]) => [area, sets.map((set) => set.split(" "))]);

function readIndex(): string {
  try {
    return Deno.readTextFileSync(INDEX);
  } catch (error) {
    // Without a build there are no style sheets.
    if (error instanceof Deno.errors.NotFound) return "{}";
    throw error;
  }
}

const NAMES = / (?:class|id)="([^"]+)"/g;

/** Returns the areas whose style sheets apply to some HTML, in the order of the sheets. */
function areasOf(html: string): string[] {
  // Most rows of a list have the same classes.
  const attributes = new Set([...html.matchAll(NAMES)].map(([, names]) => names));
  const has = new Set([...attributes].flatMap((names) => names.split(" ")));
  return AREAS.filter(([, sets]) => sets.some((set) => set.every((name) => has.has(name))))
    .map(([area]) => area);
}

/** Returns the addresses of the style sheets that some HTML needs beside the one of all pages. */
export const sheetsOf = (ui: Pick<Ui, "href">, html: string): string[] =>
  areasOf(html).map((area) => ui.href(asset(`/styles/${area}.css`)));

/** Returns HTML that is merged into a page, with links to the style sheets that it needs. */
export const withSheets = (ui: Pick<Ui, "href">, html: string): string =>
  sheetsOf(ui, html).map((href) => `<link rel="stylesheet" href="${href}">`).join("") + html;
