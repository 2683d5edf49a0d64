import * as z from "zod";
import type { InitiatorKind } from "../access/actor.ts";
import type { Sentence, SentenceParams } from "../base/errors.ts";
import { listSize } from "../base/list_query.ts";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";

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
  description: sentenceOrTextSchema,
  created: z.iso.datetime(),
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

/** An event's id begins with its time. Other texts count as not sent. */
const cursor = z.string().regex(/^\d{4}-\d\d-\d\d/).optional().catch(undefined);

/** `limit`, or `count` as some clients call it. `before` is the id of an event, or a time. */
const pageQuery = (fallback: number) =>
  z.object({ ...listSize, before: cursor }).transform(({ limit, count, before }) => ({
    limit: Math.min(limit ?? count ?? fallback, EVENTS_MAX),
    before,
  }));

export const eventQuery = pageQuery(EVENTS_MAX);
export const lastEventQuery = pageQuery(LAST_EVENTS);

/** Kinds of objects that an event can be about: the API's `object_type`. */
export const EVENT_OBJECTS = [
  "task",
  "template",
  "inventory",
  "environment",
  "key",
  "repository",
  "integration",
  "schedule",
  "workflow",
  "view",
  "host",
  "runner",
  "member",
  "project",
  "user",
  "group_rules",
] as const;
export type EventObject = (typeof EVENT_OBJECTS)[number];

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
}

/** The sentence for an event. For a task it also says what started it. */
export function eventDescription(row: EventRow): Sentence {
  const event = { key: `events.${row.object_type}.${row.action}`, params: row.params };
  if (row.object_type !== "task" || !row.starter) return event;
  const { kind, name } = row.starter;
  return { key: `events.started_by.${kind}`, params: { event, name } };
}
