import type { Operation } from "../../access/operation.ts";
import { digest, type Expected, versionOf } from "../../base/version.ts";

/** The paths of single things: what is read there has an ETag, which a change may ask for. */
export const itemPaths = (operations: Pick<Operation, "method" | "path">[]): Set<string> =>
  new Set(
    operations.filter(({ method, path }) => method === "GET" && path.endsWith("Id}"))
      .map(({ path }) => path),
  );

/**
 * The answer of one thing, `told` in the caller's language, or 304 to who has it. An ETag is the
 * version of what is stored, and a digest of what is answered, which may tell of more: a template's
 * newest task is no change of it.
 */
export function itemResponse(req: Request, value: object, told: unknown): Response {
  const json = JSON.stringify(told);
  const tag = [versionOf(value), digest(json, 16)].filter(Boolean).join(".");
  const asked = tagsOf(req.headers.get("if-none-match"));
  const headers = {
    ETag: `"${tag}"`,
    // Who compresses it makes its ETag a weak one, which no change may ask for.
    "Cache-Control": "private, no-store, no-transform",
  };
  // Weak ones do here: they say the same of a thing.
  const isKnown = asked === "any" || asked?.some((known) => known.tag === tag);
  return isKnown
    ? new Response(null, { status: 304, headers })
    : new Response(json, { headers: { ...headers, "Content-Type": "application/json" } });
}

/** The versions that `If-Match` names; undefined where it is not sent, or anything will do. */
export function expectedBy(headers: Headers): Expected {
  const tags = tagsOf(headers.get("if-match"));
  if (tags === null || tags === "any") return undefined;
  return tags.filter(({ isWeak }) => !isWeak).map(({ tag }) => tag.split(".")[0]);
}

/** A list of entity tags as RFC 9110 has it; what has not the form of one is none. */
function tagsOf(header: string | null): { tag: string; isWeak: boolean }[] | "any" | null {
  if (header === null) return null;
  if (header.trim() === "*") return "any";
  return [...header.matchAll(/(W\/)?"([^"]*)"/gi)]
    .map(([, weak, tag]) => ({ tag, isWeak: weak !== undefined }));
}
