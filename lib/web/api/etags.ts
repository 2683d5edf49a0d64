import type { Operation } from "../../access/operation.ts";
import { digest, type Expected, versionOf } from "../../base/version.ts";

/**
 * Returns the paths of single objects. Responses to a GET there have an ETag for conditional
 * changes.
 */
export const itemPaths = (operations: Pick<Operation, "method" | "path">[]): Set<string> =>
  new Set(
    operations.filter(({ method, path }) => method === "GET" && path.endsWith("Id}"))
      .map(({ path }) => path),
  );

/**
 * Responds with one object, `translated` into the caller's language, or with 304 to a caller that
 * has it.
 * An ETag consists of the version of the stored row and a digest of the response. The response may
 * contain more than the row: the latest task of a template is not a change of the template.
 */
export function itemResponse(req: Request, value: object, translated: unknown): Response {
  const json = JSON.stringify(translated);
  const tag = [versionOf(value), digest(json, 16)].filter(Boolean).join(".");
  const asked = tagsOf(req.headers.get("if-none-match"));
  const headers = {
    ETag: `"${tag}"`,
    // Compression would make the ETag weak, and a weak ETag cannot be used for changes.
    "Cache-Control": "private, no-store, no-transform",
  };
  // A weak comparison is sufficient here.
  const isKnown = asked === "any" || asked?.some((known) => known.tag === tag);
  return isKnown
    ? new Response(null, { status: 304, headers })
    : new Response(json, { headers: { ...headers, "Content-Type": "application/json" } });
}

/** Returns the versions that `If-Match` names; undefined if it is not sent or matches anything. */
export function expectedBy(headers: Headers): Expected {
  const tags = tagsOf(headers.get("if-match"));
  if (tags === null || tags === "any") return undefined;
  return tags.filter(({ isWeak }) => !isWeak).map(({ tag }) => tag.split(".")[0]);
}

/** Parses a list of entity tags as defined in RFC 9110. Malformed tags are ignored. */
function tagsOf(header: string | null): { tag: string; isWeak: boolean }[] | "any" | null {
  if (header === null) return null;
  if (header.trim() === "*") return "any";
  return [...header.matchAll(/(W\/)?"([^"]*)"/gi)]
    .map(([, weak, tag]) => ({ tag, isWeak: weak !== undefined }));
}
