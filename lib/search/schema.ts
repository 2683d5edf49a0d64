import { z } from "zod";
import { listFilter, listNumber } from "../base/list_query.ts";

/** What of a project is found, in the order that it is shown in. */
export const SEARCH_KINDS = [
  "templates",
  "tasks",
  "hosts",
  "inventories",
  "environments",
  "keys",
  "repositories",
  "views",
  "integrations",
  "schedules",
  "members",
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const QUERY_LENGTH_MAX = 200;
/** Of each kind, at once. */
export const HITS_MAX = 100;

/** An empty text finds nothing. `before` goes on with the tasks that were not looked at. */
export const searchQuery = z.object({
  q: z.string().trim().max(QUERY_LENGTH_MAX, "errors.too_long").optional().default(""),
  kind: listFilter(z.enum(SEARCH_KINDS), "errors.invalid"),
  limit: listNumber(),
  /** Hits of each kind to leave out: those that were answered before. */
  skip: listNumber(0),
  before: listNumber(),
});

const hitSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  /** The object's id; a host has that of the inventory that names it, and 0 where only runs do. */
  id: z.int(),
  name: z.string(),
  /** Where else the text was found, or what tells it from others. */
  detail: z.string(),
  /** Its page, below the server's address; or the list that it is in, for who may not change it. */
  page: z.string(),
});
export type Hit = z.output<typeof hitSchema>;

const groupSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  /** All that fit; `hits` are the best of them. */
  count: z.int(),
  hits: z.array(hitSchema),
});

export const foundSchema = z.object({
  /** Kinds of which something was found. */
  groups: z.array(groupSchema),
  /** Only tasks from this one on were looked at: ask `before` it for older ones. Null for all. */
  tasks_since: z.int().nullable(),
  /** False in a project with more hosts than are searched. */
  all_hosts: z.boolean(),
});
/** What the API answers. */
export type Found = z.output<typeof foundSchema>;
