import * as z from "zod";
import {
  listBefore,
  listFilter,
  listSearch,
  listSize,
  listSkip,
} from "../base/lists/list_query.ts";

/** Kinds of objects that a search finds, in display order. */
export const SEARCH_KINDS = [
  "templates",
  "workflows",
  "tasks",
  "hosts",
  "inventories",
  "environments",
  "keys",
  "repositories",
  "git_credentials",
  "views",
  "integrations",
  "schedules",
  "members",
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const QUERY_LENGTH_MAX = 200;
/** Maximum number of hits of each kind in one response. */
export const HITS_MAX = 100;

/** An empty text finds nothing. `before` continues with older tasks that were not searched. */
export const searchQuery = z.object({
  q: listSearch(QUERY_LENGTH_MAX),
  kind: listFilter(z.enum(SEARCH_KINDS), "errors.invalid").describe("Only hits of this kind"),
  ...listSize,
  /** Number of hits of each kind to skip, because they were returned before. */
  skip: listSkip,
  before: listBefore,
});

const hitSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  /**
   * The object's id. A host has the id of the inventory that names it, or 0 if only tasks reached
   * it.
   */
  id: z.int(),
  name: z.string(),
  /** Another text that matched, or one that distinguishes the hit from others. */
  detail: z.string(),
  /**
   * Page below the server's address. For people who may not change the object, the list that it is
   * in.
   */
  page: z.string(),
});
export type Hit = z.output<typeof hitSchema>;

const groupSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  /** Number of all matches; `hits` are the best of them. */
  count: z.int(),
  hits: z.array(hitSchema),
});

export const foundSchema = z.object({
  /** Kinds with at least one hit. */
  groups: z.array(groupSchema),
  /**
   * Only tasks from this id on were searched. Request older ones `before` it. Null if all were
   * searched.
   */
  tasks_since: z.int().nullable(),
  /** False for a project with more hosts than are searched. */
  all_hosts: z.boolean(),
}).meta({ name: "FoundObjects" });
/** Search result in API responses. */
export type Found = z.output<typeof foundSchema>;
