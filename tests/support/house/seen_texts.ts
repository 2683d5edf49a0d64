/** Attributes that people see or hear. */
const TOLD = /\s(title|aria-label|aria-description|placeholder|alt|data-told|label)="([^"]*)"/g;

/** Parts of a page that people or programs have written, or that name their own language. */
const VERBATIM = /<(code|pre|kbd|textarea|style|script|svg)\b[^>]*>.*?<\/\1>/gs;
/** Lines of output: Ansible's own words, and the runner's between them. */
const OUTPUT = /<div class="log-line.*?<\/div>/gs;
/**
 * Time zones have their names of the tz database, because cron formats and clients use them. Names
 * of weekdays come from the locale, as times do, and languages have their own names.
 */
const BY_LOCALE =
  /<select\b[^>]* name="(?:(?:quiet\.)?timezone|on_weekday|language)"[^>]*>.*?<\/select>/gs;
const OTHER_LANGUAGE = /<(span|a|h2|option)\b[^>]* lang="[^"]*"[^>]*>.*?<\/\1>/gs;

/** Where a long word may break: see `Breakable`. */
const BREAKS = /<wbr[^>]*>|<span class="part">([^<]*)<\/span>/g;

const plain = (html: string) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&").replaceAll(/\s+/g, " ").trim();

/** Returns the texts of a page that people read or hear, including those in attributes. */
export function seenTexts(html: string): string[] {
  const own = html.replaceAll(BREAKS, "$1").replaceAll(BY_LOCALE, " ").replaceAll(OUTPUT, " ");
  const attributes = [...own.matchAll(TOLD)].map(([, , text]) => text);
  const body = own.replaceAll(VERBATIM, " ").replaceAll(OTHER_LANGUAGE, " ");
  const texts = body.split(/<[^>]*>/);
  return [...new Set([...attributes, ...texts].map(plain).filter((text) => text !== ""))];
}

/** Returns the targets of a page's links and frames, which change nothing. */
export const linksOf = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/<a\b[^>]*?\shref="(\/[^"]*)"/g)].map(([, href]) =>
      plain(href).replace(/#.*/, "")
    ),
  ),
];
