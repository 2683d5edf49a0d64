import * as z from "zod";
import { namedObjectSchema } from "../base/named_object.ts";
import type { Changes } from "./differences.ts";
import type { InitiatorKind } from "../model/task_row.ts";
import type { Sentence, SentenceParams } from "../base/errors.ts";
import { listFilter, listSize, queryNumber } from "../base/lists/list_query.ts";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
/** A reference has the name that its object had at the time of the event. */
const valueSchema = z.union([
  scalar,
  namedObjectSchema,
  z.array(z.union([scalar, namedObjectSchema])),
]).nullable();

export const eventSchema = z.object({
  id: z.string(),
  user_id: z.int().nullable(),
  username: z.string().nullable(),
  project_id: z.int().nullable(),
  project_name: z.string().nullable(),
  integration_id: z.int().nullable(),
  object_id: z.int().nullable(),
  object_type: z.string().nullable(),
  object_name: z.string(),
  /** Stable name of what happened, such as `updated`. */
  action: z.string(),
  description: sentenceOrTextSchema,
  created: z.iso.datetime(),
  /**
   * Old and new values by field, or "changed" for secrets. Null for people who cannot manage
   * resources, and for events that change no field.
   */
  changes: z.record(z.string(), z.union([z.literal("changed"), z.array(valueSchema)])).nullable(),
  /** Number of changed fields that `changes` had no room for. */
  changes_left: z.int(),
  /** Null for people who cannot manage users, except for what they did themselves. */
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
});
/** An event as the API returns it. */
export type EventView = z.output<typeof eventSchema>;

/** One page of events, latest first. */
export interface EventPage {
  events: EventView[];
  hasNext: boolean;
}

/**
 * Maximum number of events in one answer. The header X-Has-Next says whether there are older ones.
 */
export const EVENTS_MAX = 1000;
const LAST_EVENTS = 200;
/** Maximum number of events of one export. */
const EXPORT_MAX = 100_000;

/** An event's id begins with its time. */
const cursor = listFilter(z.string().regex(/^\d{4}-\d\d-\d\d/), "errors.time");

/** Kinds of objects that an event can be about: the API's `object_type`. */
export const EVENT_OBJECTS = [
  "task",
  "template",
  "inventory",
  "environment",
  "key",
  "secret_storage",
  "repository",
  "integration",
  "schedule",
  "workflow",
  "view",
  "host",
  "runner",
  "alert",
  "member",
  "invite",
  "project",
  "user",
  "group_rules",
  "identity_keys",
  "maintenance",
  "job",
  "toolchain",
  "git_credential",
  "role",
] as const;
export type EventObject = (typeof EVENT_OBJECTS)[number];

const id = queryNumber();
const time = listFilter(z.iso.datetime({ offset: true }), "errors.time")
  .transform((text) => text && new Date(text).toISOString());
const filters = {
  user_id: id.describe("Only events that this person caused"),
  object_type: listFilter(z.enum(EVENT_OBJECTS), "errors.unknown_type"),
  object_id: id.describe("Only events about this object. Requires `object_type`"),
  from: time.describe("The first time, such as `2026-03-01T00:00:00Z`"),
  to: time.describe("The last time"),
  before: cursor.describe("Id of an event, or a time. Only older events are returned"),
};

/** Returns the filter of a query. Throws 400 for an object without its type. */
const filterOf = (
  { user_id, object_type, object_id, ...range }: z.output<z.ZodObject<typeof filters>>,
  ctx: z.RefinementCtx,
) => {
  if (object_id !== undefined && object_type === undefined) {
    ctx.addIssue({ code: "custom", path: ["object_type"], message: "errors.required" });
  }
  return { kind: object_type, objectId: object_id, userId: user_id, ...range };
};

/** `limit`, or `count` as some clients call it. */
const pageQuery = (fallback: number) =>
  z.object({ ...listSize, ...filters }).transform(({ limit, count, ...asked }, ctx) => ({
    limit: Math.min(limit ?? count ?? fallback, EVENTS_MAX),
    ...filterOf(asked, ctx),
  }));

export const eventQuery = pageQuery(EVENTS_MAX);
export const lastEventQuery = pageQuery(LAST_EVENTS);
/** Events beyond the limit follow in another export, with the id of the last one as `before`. */
export const exportQuery = z.object({ ...filters, ...listSize })
  .transform(({ limit, count, ...asked }, ctx) => ({
    limit: Math.min(limit ?? count ?? EXPORT_MAX, EXPORT_MAX),
    ...filterOf(asked, ctx),
  }));

/**
 * A stored event. It holds a key and data instead of a sentence, so that each reader gets it in
 * their language.
 */
export interface EventRow {
  created: string;
  user_id: number | null;
  username: string | null;
  object_type: EventObject;
  object_id: number;
  object_name: string;
  /** Last part of the locale key `events.<object_type>.<action>`. */
  action: string;
  params: SentenceParams;
  /** The automatic starter: a schedule, an integration, or the end of the previous task. */
  starter?: { kind: InitiatorKind; name: string };
  /** Fields that changed; missing for other events. */
  changes?: Changes;
  /** Number of changed fields that `changes` had no room for. */
  changes_left?: number;
  /** The address that the request came from; missing for what the server does by itself. */
  address?: string;
  user_agent?: string;
}

/** The sentence for an event. For a task it also says what started it. */
export function eventDescription(row: EventRow): Sentence {
  const event = { key: `events.${row.object_type}.${row.action}`, params: row.params };
  if (row.object_type !== "task" || !row.starter) return event;
  const { kind, name } = row.starter;
  return { key: `events.started_by.${kind}`, params: { event, name } };
}

/** Actions that begin the entry of a task. */
const STARTS = ["queued", "waiting_confirmation"];

export const beginsTask = ({ object_type, action }: Pick<EventRow, "object_type" | "action">) =>
  object_type === "task" && STARTS.includes(action);
