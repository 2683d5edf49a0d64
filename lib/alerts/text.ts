import type { AlertMessage } from "./message.ts";

/** Returns the message as lines of text. */
export const plainMessage = ({ title, facts, url }: AlertMessage): string =>
  [
    title,
    "",
    factLines({ facts }),
    ...(url ? ["", url] : []),
  ].join("\n");

/** Returns the facts of a message as lines of text, for services that show its title apart. */
export const factLines = ({ facts }: Pick<AlertMessage, "facts">): string =>
  facts.map(({ label, value, url }) => `${label}: ${value}${url ? ` (${url})` : ""}`).join("\n");

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns the text escaped for HTML, as a link if there is an address. */
export const htmlLink = (text: string, url: string | undefined): string =>
  url ? `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>` : escapeHtml(text);

/** Characters that no XML document may contain: https://www.w3.org/TR/xml/#charsets */
// deno-lint-ignore no-control-regex -- they are removed
const NOT_IN_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Returns the text escaped for XML, without characters that it cannot have. */
export const escapeXml = (text: string): string =>
  escapeHtml(text.toWellFormed().replace(NOT_IN_XML, ""));

/** Returns the text escaped for HTML, also for attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
