import { TrieRouter } from "hono/router/trie-router";

export type Method = "HEAD" | "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";
export const METHODS: Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

interface Entry<T> {
  pattern: string;
  order: number;
  byMethod: Map<Method, T>;
  /** Only for a pattern that the trie cannot hold. */
  matcher?: URLPattern;
}

export interface Match<T> {
  pattern: string | null;
  params: Record<string, string>;
  /** Null when nothing matched, or when the pattern does not answer this method. */
  item: T | null;
  allowed: Method[];
}

export interface Router<T> {
  add(method: Method, pattern: string, item: T): void;
  match(method: Method, url: URL): Match<T>;
}

const IS_PATTERN = /[*:{}+?()]/;
/** Whole segments that are literal or one parameter: all that the trie is asked to match. */
const IS_TRIE_PATTERN = /^(\/(:[A-Za-z_]\w*|[\w.~-]+))+$/;

/** Literal paths first, then patterns in the order in which they were added. */
export function newRouter<T>(): Router<T> {
  const entries = new Map<string, Entry<T>>();
  const trie = new TrieRouter<Entry<T>>();
  const others: Entry<T>[] = [];

  const newEntry = (pattern: string): Entry<T> => {
    const entry: Entry<T> = { pattern, order: entries.size, byMethod: new Map() };
    entries.set(pattern, entry);
    if (!IS_PATTERN.test(pattern)) return entry;
    if (IS_TRIE_PATTERN.test(pattern)) {
      trie.add("ALL", pattern, entry);
    } else {
      entry.matcher = new URLPattern({ pathname: pattern });
      entry.pattern = entry.matcher.pathname;
      others.push(entry);
    }
    return entry;
  };

  const findPattern = (pathname: string): [Entry<T>, Record<string, string | undefined>] | null => {
    // The first handler is the one that was added first.
    const first = trie.match("ALL", pathname)[0][0];
    for (const entry of others) {
      if (first && first[0].order < entry.order) break;
      const found = entry.matcher!.exec({ pathname });
      if (found) return [entry, found.pathname.groups];
    }
    return first ? [first[0], first[1] as Record<string, string>] : null;
  };

  return {
    add(method, pattern, item) {
      const { byMethod } = entries.get(pattern) ?? newEntry(pattern);
      if (!byMethod.has(method)) byMethod.set(method, item);
    },
    match(method, url) {
      const literal = findLiteral(entries, url.pathname);
      const [entry, groups] = literal ? [literal, {}] : findPattern(url.pathname) ?? [null, {}];
      if (entry === null) return { pattern: null, params: {}, item: null, allowed: [] };
      const item = entry.byMethod.get(method) ??
        (method === "HEAD" ? entry.byMethod.get("GET") : undefined) ?? null;
      const params = item === null ? {} : decodeParams(groups);
      return { pattern: entry.pattern, params, item, allowed: [...entry.byMethod.keys()] };
    },
  };
}

/** A path matches with and without a slash at its end. */
function findLiteral<T>(entries: Map<string, Entry<T>>, pathname: string): Entry<T> | undefined {
  const other = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname + "/";
  const entry = entries.get(pathname) ?? (pathname === "/" ? undefined : entries.get(other));
  return entry && !IS_PATTERN.test(entry.pattern) ? entry : undefined;
}

function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const name in groups) params[name] = decode(groups[name] ?? "");
  return params;
}

function decode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** The URL pattern of a file's path below the routes folder, without its extension. */
export function pathToPattern(path: string, keepGroups = false): string {
  const parts = path.split("/");
  if (parts.at(-1) === "index") parts.pop();

  let pattern = "";
  let hasRequired = false;
  for (const part of parts) {
    const rest = /^\[\.\.\.(.+)\]$/.exec(part);
    const optional = /^\[\[([^[\]]+)\]\]$/.exec(part);
    if (rest) {
      pattern += `/:${rest[1]}*`;
    } else if (optional) {
      pattern += `{/:${optional[1]}}?`;
    } else if (keepGroups || !/^\(.*\)$/.test(part)) {
      pattern += "/" + partToPattern(part, path);
      hasRequired = true;
    }
  }

  if (pattern === "") return "/";
  // A route that begins with an optional parameter also answers "/".
  return pattern.startsWith("{/") && !hasRequired ? pattern.replace("{/", "/{") : pattern;
}

function partToPattern(part: string, path: string): string {
  if (part.includes("][")) {
    throw new SyntaxError(`In the route "${path}" nothing separates two parameters.`);
  }
  const pattern = part.replace(/\[([^[\]]+)\]/g, ":$1");
  if (/[[\]]/.test(pattern)) throw new SyntaxError(`The route "${path}" has a stray bracket.`);
  return pattern;
}

/** The folders that a pattern lies in: what a middleware or layout is attached to. */
export function patternToSegments(pattern: string, withLast: boolean): string[] {
  if (pattern === "*" || pattern === "/*") return [];
  const segments = pattern.replace(/\{[^}]*\}\??/g, "").split("/");
  const last = segments.pop();
  if (withLast && last) segments.push(last);
  return segments.filter((segment) => segment !== "");
}

/** Puts a pattern below a base path. */
export function mergePath(base: string, pattern: string): string {
  const prefix = base === "/" ? "" : base.replace(/\*$/, "");
  if (pattern === "*") return prefix + "/*";
  return prefix + (prefix !== "" && pattern === "/" ? "" : pattern);
}
