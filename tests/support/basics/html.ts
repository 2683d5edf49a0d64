/**
 * Returns the page of an answer as text with folded blanks, and without Fresh's comments for keys.
 */
export const htmlOf = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/<!--\/?frsh:key.*?-->/g, "").replaceAll(/\s+/g, " ");

/** The document's title. */
export const titleOf = (html: string): string => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";

/** Returns the opening tag of the field with that name. */
export const fieldOf = (html: string, name: string): string =>
  html.match(/<(input|select|textarea)\b[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`)) ??
    "";

/** Returns the cookies that an answer sets, by name. An expired one is "". */
export const cookiesOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    response.headers.getSetCookie().map((cookie) => {
      const [name, value] = cookie.split(";")[0].split("=");
      return [name, decodeURIComponent(value)];
    }),
  );

/** Returns the target of the link with that text, even if elements surround the text. */
export const linkOf = (html: string, text: string): string | undefined =>
  new RegExp(`href="([^"]*)"[^>]*>(?:\\s|<[^a][^>]*>)*${text}`).exec(html)?.[1].replaceAll(
    "&amp;",
    "&",
  );

const text = (html: string) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&");

/** Returns the text of a part of a page, without its elements. */
export const textOf = (html: string): string =>
  text(html.replaceAll(/<[^>]*>/g, " ")).replaceAll(/\s+/g, " ").trim();

const attributesOf = (tag: string): Record<string, string | undefined> =>
  Object.fromEntries(
    [...tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [
      name,
      text(value ?? ""),
    ]),
  );

/**
 * Returns the fields that a browser sends for a page's first form with that action and, if given,
 * that field.
 */
export function sentForm(html: string, action: string, field?: string): Record<string, string> {
  const forms = html.match(/<form\b[^>]*>.*?<\/form>/gs) ?? [];
  const form = forms.find((form) =>
    attributesOf(form.match(/<form\b[^>]*>/)![0]).action === action &&
    (field === undefined || form.includes(` name="${field}"`))
  );
  if (form === undefined) throw new Error(`no form is sent to ${action}`);
  const sent: Record<string, string> = {};
  const fields = form.matchAll(
    /<(input)\b((?:[^>"]|"[^"]*")*)>|<(textarea)\b([^>]*)>(.*?)<\/textarea>|<(select)\b([^>]*)>(.*?)<\/select>/gs,
  );
  for (const [, input, ofInput, area, ofArea, typed, , ofSelect, options] of fields) {
    const { name, value, type, checked, disabled } = attributesOf(ofInput ?? ofArea ?? ofSelect);
    if (!name || disabled !== undefined) continue;
    if (input) {
      const isBox = type === "checkbox" || type === "radio";
      if (!isBox || checked !== undefined) sent[name] = value ?? (isBox ? "on" : "");
    } else if (area) sent[name] = text(typed).replace(/^\n/, "");
    else {
      const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, one]) => attributesOf(one));
      const chosen = all.find(({ selected }) => selected !== undefined) ?? all[0];
      sent[name] = chosen?.value ?? "";
    }
  }
  return sent;
}
