import {
  AndFilter,
  type ApproximateFilter,
  type EqualityFilter,
  type Filter,
  FilterParser,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
} from "ldapts";
import { Buffer } from "node:buffer";

/**
 * Returns the filter of a template, with `text` as the value of each `%s`. The template is parsed
 * first, so that the text is always a value and never a part of the filter. Throws if the template
 * is not a filter (RFC 4515).
 */
export function fillFilter(template: string, text: string): Filter {
  const filter = FilterParser.parseString(withLetters(template));
  fill(filter, (value) => value.replaceAll("%s", () => text));
  return filter;
}

/** Decodes escaped letters, because ldapts would take each byte of one for a letter. */
const withLetters = (template: string): string =>
  template.replaceAll(
    /(?:\\[89a-f][\da-f])+/gi,
    (bytes) => Buffer.from(bytes.replaceAll("\\", ""), "hex").toString(),
  );

function fill(filter: Filter, filled: (value: string) => string): void {
  if (filter instanceof AndFilter || filter instanceof OrFilter) {
    for (const part of filter.filters) fill(part, filled);
  } else if (filter instanceof NotFilter) fill(filter.filter, filled);
  else if (filter instanceof SubstringFilter) {
    filter.initial = filled(filter.initial);
    filter.any = filter.any.map(filled);
    filter.final = filled(filter.final);
  } else if (!(filter instanceof PresenceFilter)) {
    const compared = filter as EqualityFilter | ApproximateFilter;
    compared.value = filled(String(compared.value));
  }
}
