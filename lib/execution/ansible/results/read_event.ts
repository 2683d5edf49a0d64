import {
  emptyRecap,
  type HostRecap,
  type HostResult,
  RECAP_COUNTS,
  type ResultStatus,
  type RunEvent,
} from "../../run/events.ts";
import {
  EVENT_TEXT_MAX,
  FACTS_LENGTH_MAX,
  FULL_LENGTH_MAX,
  HOSTS_AT_ONCE,
  ITEM_RESULTS_MAX,
  PLACES_MAX,
} from "../../run/event_limits.ts";
import { OUTPUT_BYTES_MAX, type OutputRefusal } from "../../run/outputs.ts";
import { plainTree } from "./full_result.ts";
import * as z from "zod";
import { parseExact } from "../../../base/text/exact_json.ts";
import { TIME_MAX } from "../../../base/time/clock.ts";

const { name: NAME_MAX, short: SHORT_MAX, path: PATH_MAX, host: HOST_MAX } = EVENT_TEXT_MAX;

/** A text as Ansible's callback sends it, in a list if it was cut because it was too long. */
const text = (max: number) =>
  z.union([z.string().max(max), z.tuple([z.string().max(max)])]).default("");
const id = z.string().regex(/^[\w-]{1,64}$/);
const host = text(HOST_MAX);
const time = z.int().min(0).max(TIME_MAX);
/** The sum of all numbers of a run must still be a safe integer. */
const count = z.int().min(0).max(1_000_000_000);
const mark = count;

/** A list whose length is checked before its items, because a run can send millions of bad ones. */
const list = <T extends z.ZodType>(item: T, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(item));
/** Plain values of any depth: see full_result.ts. */
const tree = z.record(z.string(), z.unknown());

/** `ok`, `changed`, `unreachable`, `failed`, `skipped`, `rescued`, `ignored`, as in the recap. */
const counts = z.tuple([count, count, count, count, count, count, count]);

const wireEvent = z.discriminatedUnion("e", [
  z.object({
    e: z.literal("play"),
    u: id,
    n: text(NAME_MAX),
    free: z.boolean(),
    at: time,
    m: mark,
  }),
  z.object({
    e: z.literal("task"),
    u: id,
    n: text(NAME_MAX),
    a: text(SHORT_MAX),
    r: text(SHORT_MAX),
    p: text(PATH_MAX),
    l: count,
    hd: z.boolean(),
    at: time,
    m: mark,
  }),
  z.object({ e: z.literal("line"), u: id, h: host, m: mark }),
  z.object({
    e: z.literal("result"),
    u: id,
    h: host,
    s: z.enum(["ok", "failed", "unreachable", "skipped", "included"]),
    c: z.boolean().default(false),
    ig: z.boolean().default(false),
    re: z.boolean().default(false),
    hid: z.boolean().default(false),
    un: z.boolean().default(false),
    co: z.boolean().default(false),
    b: time,
    at: time,
    m: mark,
    i: z.tuple([count, count, count, count]).optional(),
    to: text(NAME_MAX),
    msg: text(EVENT_TEXT_MAX.message),
    it: list(
      z.tuple([
        z.enum(["ok", "changed", "failed", "skipped"]),
        text(EVENT_TEXT_MAX.itemLabel),
        text(EVENT_TEXT_MAX.itemMessage),
      ]),
      ITEM_RESULTS_MAX,
    ).default([]),
    d: text(EVENT_TEXT_MAX.diff).optional(),
    ds: count.default(0),
    /** Null if there was no room for it. */
    f: tree.nullish(),
  }),
  z.object({ e: z.literal("facts"), h: host, v: tree }),
  z.object({
    e: z.literal("output"),
    n: text(NAME_MAX),
    v: z.string().max(OUTPUT_BYTES_MAX).default(""),
    /** Reason why it is left out. */
    x: z.enum(["long", "total", "hidden"]).optional(),
  }),
  z.object({ e: z.literal("include"), hosts: list(host, HOSTS_AT_ONCE) }),
  z.object({ e: z.literal("recap"), hosts: list(z.tuple([host, counts]), HOSTS_AT_ONCE) }),
  z.object({
    e: z.literal("end"),
    at: time,
    lost: count,
    m: mark,
    cm: list(text(EVENT_TEXT_MAX.place), PLACES_MAX).optional(),
    ee: z.literal(true).optional(),
  }),
]);
type WireEvent = z.output<typeof wireEvent>;

type WireText = string | [string];
type Plain = (text: WireText) => string;

/** Returns a function that masks texts. A text that was cut ends with a sign of that. */
export const plainTexts = (mask: (text: string, cut: boolean) => string): Plain => (text) => {
  if (typeof text === "string") return mask(text, false);
  return `${mask(text[0], true)}…`;
};

/** An output that a play has reported. It is hidden if its Ansible task has `no_log`. */
export interface ReportedOutput {
  type: "reported_output";
  name: string;
  value: string;
  refusal?: OutputRefusal | "hidden";
}

/** An event as the callback has reported it. Its lines are added when the output has been read. */
export interface ReportedEvent {
  event: RunEvent | ReportedOutput;
  /** Number of markers in the output before it; null if it does not depend on the output. */
  mark: number | null;
  /** The host that the lines of a result name. The end of a long name may be cut. */
  host?: string;
}

/** Reads an event with its texts masked. Returns null if `line` is not an event. */
export function readEvent(line: string, plain: Plain): ReportedEvent | null {
  const sent = parseEvent(line);
  return sent && {
    event: plainEvent(sent, plain),
    mark: "m" in sent ? sent.m : null,
    ...sent.e === "result" && { host: [sent.h].flat()[0] },
  };
}

function parseEvent(line: string): WireEvent | null {
  try {
    return wireEvent.safeParse(parseExact(line)).data ?? null;
  } catch {
    return null;
  }
}

function plainEvent(event: WireEvent, plain: Plain): RunEvent | ReportedOutput {
  switch (event.e) {
    case "play":
      return { type: "play", name: plain(event.n), free: event.free, at: event.at, lines: null };
    case "task":
      return {
        type: "task",
        uuid: event.u,
        name: plain(event.n),
        action: plain(event.a),
        role: plain(event.r),
        path: plain(event.p),
        line: event.l,
        handler: event.hd,
        at: event.at,
        lines: null,
      };
    case "line":
      return { type: "line", uuid: event.u, host: plain(event.h), lines: null };
    case "result":
      return plainResult(event, plain);
    case "facts": {
      const facts = plainTree(event.v, plain, FACTS_LENGTH_MAX);
      return { type: "facts", host: plain(event.h), facts };
    }
    case "output":
      return {
        type: "reported_output",
        name: plain(event.n),
        value: plain(event.v),
        refusal: event.x,
      };
    case "include":
      return { type: "include", hosts: event.hosts.map(plain) };
    case "recap": {
      const hosts = event.hosts.map(([host, counts]) => [plain(host), recapOf(counts)] as const);
      return { type: "recap", hosts: new Map(hosts) };
    }
    case "end":
      return {
        type: "end",
        at: event.at,
        lost: event.lost,
        ...event.cm && { checkMode: event.cm.map(plain) },
        ...event.ee && { endedEarly: true },
      };
  }
}

type WireResult = Extract<WireEvent, { e: "result" }>;

const plainResult = (event: WireResult, plain: Plain): HostResult => ({
  type: "result",
  uuid: event.u,
  host: plain(event.h),
  status: statusOf(event),
  changed: event.c,
  began: Math.min(event.b, event.at),
  ended: event.at,
  items: event.i ?? null,
  hidden: event.hid,
  unchecked: event.un,
  carriedOut: event.co,
  delegatedTo: plain(event.to),
  message: plain(event.msg),
  itemResults: event.it.map(([status, label, message]) => ({
    status,
    label: plain(label),
    message: plain(message),
  })),
  diff: event.d === undefined ? null : plain(event.d),
  diffSize: event.ds,
  lines: null,
  full: event.f && plainTree(event.f, plain, FULL_LENGTH_MAX),
});

function statusOf({ s, c, ig, re }: WireResult): ResultStatus {
  if (ig) return "ignored";
  if (re) return "rescued";
  return s === "ok" && c ? "changed" : s;
}

function recapOf(counts: number[]): HostRecap {
  const recap = emptyRecap();
  RECAP_COUNTS.forEach((name, n) => recap[name] = counts[n]);
  return recap;
}
