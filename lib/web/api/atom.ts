import { createHash } from "node:crypto";

/** Returns a feed, or 304 if the reader has it already. No cache keeps it. */
export function atomResponse(body: string, asked: Headers): Response {
  const tag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers = {
    "Content-Type": "application/atom+xml; charset=utf-8",
    "Cache-Control": "private, no-store",
    ETag: tag,
  };
  const known = (asked.get("If-None-Match") ?? "").split(",").map((text) => text.trim());
  const isKnown = known.some((text) => text === "*" || text.replace(/^W\//, "") === tag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
