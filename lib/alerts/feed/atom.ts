import { escapeXml as xml } from "../text.ts";
import type { FeedEntry, FeedRow } from "./repository.ts";

interface Feed extends Pick<FeedRow, "id" | "language" | "created"> {
  title: string;
  /** Address of the project; null if the server's public address is not configured. */
  url: string | null;
}

/** Returns a feed as a document of Atom: https://www.rfc-editor.org/rfc/rfc4287 */
export const atomOf = (
  { id, language, created, title, url }: Feed,
  entries: readonly FeedEntry[],
): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(language)}">`,
    `<title>${xml(title)}</title>`,
    `<id>urn:uuid:${xml(id)}</id>`,
    `<updated>${entries[0]?.at ?? created}</updated>`,
    "<author><name>Callboard</name></author>",
    ...linkTo(url),
    ...entries.flatMap(entryLines),
    "</feed>",
    "",
  ].join("\n");

const entryLines = ({ id, at, event, title, text, url }: FeedEntry): string[] => [
  "<entry>",
  `<title>${xml(title)}</title>`,
  `<id>urn:uuid:${xml(id)}</id>`,
  `<updated>${at}</updated>`,
  `<category term="${event}"/>`,
  ...linkTo(url),
  `<content type="text">${xml(text)}</content>`,
  "</entry>",
];

const linkTo = (url: string | null): string[] =>
  url === null ? [] : [`<link rel="alternate" href="${xml(url)}"/>`];
