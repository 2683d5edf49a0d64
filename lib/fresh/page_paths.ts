/**
 * Adds the parts of each page's URL, which its file's path below the routes folder tells. Sorts
 * literal names before parameters, and parameters before the rest of a path.
 */
export function inOrder<Page extends { id: string }>(
  pages: Page[],
): (Page & { parts: string[] })[] {
  const ranked = pages.map((page) => {
    const parts = partsOf(page.id);
    return { rank: parts.map(rankOf).join(""), page: { ...page, parts } };
  });
  return ranked.sort((a, b) => a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0)
    .map(({ page }) => page);
}

const rankOf = (part: string) => isRest(part) ? 2 : part.startsWith("[") ? 1 : 0;

/** Returns the parts of a page's URL from its file's path below the routes folder. */
function partsOf(id: string): string[] {
  // Groups separate layouts and middlewares, but are not part of the URL.
  const parts = id.split("/").filter((part) => !/^\(.*\)$/.test(part));
  if (parts.at(-1) === "index") parts.pop();
  const strange = parts.find((part, n) =>
    /[[\]]/.test(part) && !/^\[\w+\]$/.test(part) &&
    !(n === parts.length - 1 && /^\[\.{3}\w+\]$/.test(part))
  );
  if (strange) {
    throw new SyntaxError(`The stand-in for Fresh cannot match "${strange}" of "${id}".`);
  }
  return parts;
}

/** Returns the parts of the URLs that a pattern such as "/things/:id" stands for. */
export function partsOfPattern(pattern: string): string[] {
  if (!/^(\/(:\w+|[\w.-]+)?)*$/.test(pattern)) {
    throw new SyntaxError(`The stand-in for Fresh cannot match "${pattern}".`);
  }
  return pattern.split("/").filter(Boolean).map((part) => part.replace(/^:(.*)/, "[$1]"));
}

/** Whether a path matches the parts of a URL. The last part may stand for any number of parts. */
export function fits(parts: string[], path: string[]): boolean {
  const last = parts.length - 1;
  if (parts.length !== path.length && (last < 0 || !isRest(parts[last]) || path.length < last)) {
    return false;
  }
  // Compares from the end, because URLs of equal length mostly begin alike.
  for (let n = last; n >= 0; n--) {
    const isOpen = parts[n][0] === "[" && (path[n] !== "" || isRest(parts[n]));
    if (!isOpen && parts[n] !== path[n]) return false;
  }
  return true;
}

export function readParams(parts: string[], path: string[]): Record<string, string> {
  const params: Record<string, string> = {};
  parts.forEach((part, n) => {
    if (isRest(part)) params[part.slice(4, -1)] = decode(path.slice(n).join("/"));
    else if (part.startsWith("[")) params[part.slice(1, -1)] = decode(path[n]);
  });
  return params;
}

const isRest = (part: string) => part.startsWith("[...");
const decode = (text: string) => text.includes("%") ? decodeURI(text) : text;
