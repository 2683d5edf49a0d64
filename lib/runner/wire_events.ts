import * as z from "zod";
import { TIME_MAX } from "../base/time/clock.ts";
import {
  EVENT_TEXT_MAX,
  FACTS_LENGTH_MAX,
  FULL_LENGTH_MAX,
  HOSTS_AT_ONCE,
  ITEM_RESULTS_MAX,
  PLACES_MAX,
} from "../execution/run/event_limits.ts";
import { RECAP_COUNTS, RESULT_STATUSES, type RunEvent } from "../execution/run/events.ts";
import type { FullResult } from "../execution/run/full_result.ts";
import { OUTPUT_BYTES_MAX, OUTPUT_NAME } from "../execution/run/outputs.ts";

/** Masking makes no text longer, but a text that was cut ends with a sign of that. */
const text = (max: number) => z.string().max(max + 1);
const uuid = z.string().regex(/^[\w-]{1,64}$/);
const host = text(EVENT_TEXT_MAX.host);
const name = text(EVENT_TEXT_MAX.name);
const time = z.int().min(0).max(TIME_MAX);
/** The sum of all numbers of a run must still be a safe integer. */
const count = z.int().min(0).max(1_000_000_000);
const lines = z.object({ from: count, to: count }).nullable();

/** A list whose length is checked before its items. */
const list = <T extends z.ZodType>(item: T, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(item));

/** Deeper than anything that a run reports. Reading deeper values might exhaust the stack. */
const DEPTH_MAX = 48;

/** Checked as a whole, because it has any members. It comes from JSON. */
const full = (lengthMax: number) =>
  z.custom<FullResult>((value) =>
    isSmall(value, lengthMax) && fullShape.safeParse(value).success &&
    JSON.stringify(value).length <= lengthMax
  );
const fullShape = z.strictObject({
  value: z.record(z.string(), z.unknown()),
  shortened: z.array(z.strictObject({
    path: z.array(z.union([z.string(), z.int()])),
    length: z.int(),
  })),
});

const recap = z.object(
  Object.fromEntries(RECAP_COUNTS.map((name) => [name, count])) as Record<
    typeof RECAP_COUNTS[number],
    typeof count
  >,
);

const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("play"), name, free: z.boolean(), at: time, lines }),
  z.object({
    type: z.literal("task"),
    uuid,
    name,
    action: text(EVENT_TEXT_MAX.short),
    role: text(EVENT_TEXT_MAX.short),
    path: text(EVENT_TEXT_MAX.path),
    line: count,
    handler: z.boolean(),
    at: time,
    lines,
  }),
  z.object({ type: z.literal("line"), uuid, host, lines }),
  z.object({
    type: z.literal("result"),
    uuid,
    host,
    status: z.enum(RESULT_STATUSES),
    changed: z.boolean(),
    began: time,
    ended: time,
    items: z.tuple([count, count, count, count]).nullable(),
    hidden: z.boolean(),
    unchecked: z.boolean(),
    carriedOut: z.boolean(),
    delegatedTo: name,
    message: text(EVENT_TEXT_MAX.message),
    itemResults: list(
      z.object({
        status: z.enum(["ok", "changed", "failed", "skipped"]),
        label: text(EVENT_TEXT_MAX.itemLabel),
        message: text(EVENT_TEXT_MAX.itemMessage),
      }),
      ITEM_RESULTS_MAX,
    ),
    diff: text(EVENT_TEXT_MAX.diff).nullable(),
    diffSize: count,
    lines,
    full: full(FULL_LENGTH_MAX).nullable().optional(),
  }),
  z.object({ type: z.literal("facts"), host, facts: full(FACTS_LENGTH_MAX).nullable() }),
  z.object({
    type: z.literal("output"),
    name: z.string().regex(OUTPUT_NAME),
    value: text(OUTPUT_BYTES_MAX),
  }),
  z.object({ type: z.literal("include"), hosts: list(host, HOSTS_AT_ONCE) }),
  z.object({
    type: z.literal("recap"),
    hosts: list(z.tuple([host, recap]), HOSTS_AT_ONCE).transform((entries) => new Map(entries)),
  }),
  z.object({ type: z.literal("lost"), count }),
  z.object({
    type: z.literal("end"),
    at: time,
    lost: count,
    checkMode: list(text(EVENT_TEXT_MAX.place), PLACES_MAX).optional(),
    endedEarly: z.literal(true).optional(),
  }),
]);

/** Returns an event as plain JSON values. */
export const wireEvent = (event: RunEvent): unknown =>
  event.type === "recap" ? { ...event, hosts: [...event.hosts] } : event;

/** Reads a value of `wireEvent` that came as JSON. Returns null if it is not one. */
export const readWireEvent = (value: unknown): RunEvent | null =>
  eventSchema.safeParse(value).data ?? null;

/** Returns an event whose times are later by `ms`, for the clock of another machine. */
export function shiftEvent(event: RunEvent, ms: number): RunEvent {
  const later = (time: number) => Math.min(Math.max(0, Math.round(time + ms)), TIME_MAX);
  switch (event.type) {
    case "play":
    case "task":
    case "end":
      return { ...event, at: later(event.at) };
    case "result":
      return { ...event, began: later(event.began), ended: later(event.ended) };
    default:
      return event;
  }
}

/**
 * Reads a value level by level, so that the depth of a hostile one does not matter, and stops where
 * it has more parts than its JSON may have characters.
 */
function isSmall(value: unknown, partsMax: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEPTH_MAX; depth++) {
    if (level.length > partsMax) return false;
    const objects = level.filter((part) => typeof part === "object" && part !== null);
    if (objects.length === 0) return true;
    level = objects.flatMap((part) => Object.values(part as object));
  }
  return false;
}
