import { z } from "zod";

/** What Ansible's callback reports, as it comes: a text in a list was cut where it is too long. */
const text = (max: number) =>
  z.union([z.string().max(max), z.tuple([z.string().max(max)])]).default("");
const id = z.string().regex(/^[\w-]{1,64}$/);
const host = z.string().max(1_000);
const time = z.int().min(0);
const mark = z.int().min(0);
const count = z.int().min(0);

/** `ok`, `changed`, `unreachable`, `failed`, `skipped`, `rescued`, `ignored`, as in the recap. */
const counts = z.array(count).length(7);

export const wireEvent = z.discriminatedUnion("e", [
  z.object({
    e: z.literal("play"),
    u: id,
    n: text(300),
    free: z.boolean(),
    at: time,
    m: mark,
  }),
  z.object({
    e: z.literal("task"),
    u: id,
    n: text(300),
    a: text(300),
    r: text(300),
    p: text(300),
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
    b: time,
    at: time,
    m: mark,
    i: z.tuple([count, count, count, count]).optional(),
    to: text(300),
    msg: text(4_000),
    it: z.array(
      z.tuple([z.enum(["ok", "changed", "failed", "skipped"]), text(200), text(500)]),
    ).max(50).default([]),
    d: text(32 * 1024).optional(),
    ds: count.default(0),
  }),
  z.object({ e: z.literal("include"), hosts: z.array(host) }),
  z.object({ e: z.literal("recap"), hosts: z.record(host, counts) }),
  z.object({ e: z.literal("end"), at: time, lost: count, m: mark }),
]);
export type WireEvent = z.output<typeof wireEvent>;
