import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { feedSchema, newFeedSchema } from "./schema.ts";

const tag = "Alerts";
const path = "/project/{projectId}/alert_feed";
const access = "manage_resources";

export const feedOperations = {
  get: operation({
    id: "getAlertFeed",
    method: "GET",
    path,
    tag,
    summary: "Get the state of the Atom feed of a project",
    access,
    answer: feedSchema,
  }),
  create: operation({
    id: "createAlertFeed",
    method: "POST",
    path,
    tag,
    summary: "Create the Atom feed of a project, or give it another token",
    details: "The feed is at `/api/feeds/{token}`. The former token ends, and the entries stay." +
      " The entries are in the language of the caller.",
    access,
    answer: newFeedSchema,
  }),
  delete: operation({
    id: "deleteAlertFeed",
    method: "DELETE",
    path,
    tag,
    summary: "Delete the Atom feed of a project",
    access,
  }),
  read: operation({
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
  }),
};
