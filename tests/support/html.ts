/** The page of an answer as text, its blanks folded. */
export const htmlOf = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/\s+/g, " ");

/** The document's title. */
export const titleOf = (html: string): string => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";

/** The opening tag of the field of that name. */
export const fieldOf = (html: string, name: string): string =>
  html.match(/<(input|select|textarea)\b[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`)) ??
    "";

/** The cookies that an answer sets, by name; one that is ended is "". */
export const cookiesOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    response.headers.getSetCookie().map((cookie) => {
      const [name, value] = cookie.split(";")[0].split("=");
      return [name, decodeURIComponent(value)];
    }),
  );

/** Where the link of that text goes, whatever elements are around the text. */
export const linkOf = (html: string, text: string): string | undefined =>
  new RegExp(`href="([^"]*)"[^>]*>(?:\\s|<[^a][^>]*>)*${text}`).exec(html)?.[1].replaceAll(
    "&amp;",
    "&",
  );
