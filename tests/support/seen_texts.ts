/** Attributes that people see or are told. */
const TOLD = /\s(title|aria-label|aria-description|placeholder|alt|data-told|label)="([^"]*)"/g;

/** What stands in a page as it was written by people or programs, or is in a language that it names. */
const VERBATIM = /<(code|pre|kbd|textarea|style|script|svg)\b[^>]*>.*?<\/\1>/gs;
/** Lines of output: Ansible's own words, and the runner's beside them. */
const OUTPUT = /<div class="log-line.*?<\/div>/gs;
/** Names of time zones are those of the tz database: cron formats and clients use them. */
const ZONES = /<select\b[^>]* name="timezone"[^>]*>.*?<\/select>/gs;
const OTHER_LANGUAGE = /<(span|a|h2)\b[^>]* lang="[^"]*"[^>]*>.*?<\/\1>/gs;

const plain = (html: string) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&").replaceAll(/\s+/g, " ").trim();

/** The texts of a page that people read or are told, its attributes too. */
export function seenTexts(html: string): string[] {
  const own = html.replaceAll(ZONES, " ").replaceAll(OUTPUT, " ");
  const attributes = [...own.matchAll(TOLD)].map(([, , text]) => text);
  const body = own.replaceAll(VERBATIM, " ").replaceAll(OTHER_LANGUAGE, " ");
  const texts = body.split(/<[^>]*>/);
  return [...new Set([...attributes, ...texts].map(plain).filter((text) => text !== ""))];
}

/** Where a page leads without changing anything, by its links and frames of parts. */
export const linksOf = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/<a\b[^>]*?\shref="(\/[^"]*)"/g)].map(([, href]) =>
      plain(href).replace(/#.*/, "")
    ),
  ),
];
