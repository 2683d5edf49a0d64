import { createHash } from "node:crypto";
import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { feedSchema, newFeedSchema } from "./schema.ts";
import { createFeed, deleteFeed, getFeed, readFeed } from "./service.ts";

const tag = "Alerts";
const path = "/project/{projectId}/alert_feed";
const access = "manage_resources";

/** Returns a feed, or 304 if the reader has it already. No cache keeps it. */
function atomResponse(body: string, asked: Headers): Response {
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

export const alertFeedOperations = [
  operation({
    id: "getAlertFeed",
    method: "GET",
    path,
    tag,
    summary: "Get the state of the Atom feed of a project",
    access,
    answer: feedSchema,
    run: ({ scope }) => getFeed(scope),
  }),
  operation({
    id: "createAlertFeed",
    method: "POST",
    path,
    tag,
    summary: "Create the Atom feed of a project, or give it another token",
    details: "The feed is at `/api/feeds/{token}`. The former token ends, and the entries stay." +
      " The entries are in the language of the caller.",
    access,
    answer: newFeedSchema,
    run: ({ scope }) => createFeed(scope),
  }),
  operation({
    id: "deleteAlertFeed",
    method: "DELETE",
    path,
    tag,
    summary: "Delete the Atom feed of a project",
    access,
    run: ({ scope }) => deleteFeed(scope),
  }),
  operation({
    id: "readAlertFeed",
    takesAnyQuery: true,
    method: "GET",
    path: "/feeds/{token}",
    tag,
    summary: "Download the Atom feed of a project",
    details:
      "The latest 100 alerts, without ordinary successes. It answers 304 if `If-None-Match`" +
      " has its ETag.",
    access: "public",
    answer: z.string(),
    contentType: "application/atom+xml",
    errors: [404],
    run: async ({ scope, params, req }) =>
      atomResponse(await readFeed(scope.deps, params.token), req.headers),
  }),
];
