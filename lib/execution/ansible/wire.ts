import { z } from "zod";
import { TIME_MAX } from "../../base/iso_time.ts";

/** The same limits as in the callback. A row of the store holds 32 of each, in 64 KiB. */
const [NAME_MAX, SHORT_MAX, PATH_MAX, HOST_MAX] = [300, 100, 250, 500];
/** Hosts in one event. */
const HOSTS_AT_ONCE = 100;

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

export const wireEvent = z.discriminatedUnion("e", [
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
    msg: text(4_000),
    it: list(
      z.tuple([z.enum(["ok", "changed", "failed", "skipped"]), text(200), text(500)]),
      50,
    ).default([]),
    d: text(32 * 1024).optional(),
    ds: count.default(0),
    /** Null if there was no room for it. */
    f: tree.nullish(),
  }),
  z.object({ e: z.literal("facts"), h: host, v: tree }),
  z.object({ e: z.literal("include"), hosts: list(host, HOSTS_AT_ONCE) }),
  z.object({ e: z.literal("recap"), hosts: list(z.tuple([host, counts]), HOSTS_AT_ONCE) }),
  z.object({
    e: z.literal("end"),
    at: time,
    lost: count,
    m: mark,
    cm: list(text(250), 20).optional(),
  }),
]);
export type WireEvent = z.output<typeof wireEvent>;
