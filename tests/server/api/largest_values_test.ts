import assert from "node:assert/strict";
import { join } from "node:path";
import * as z from "zod";
import type { Operation } from "@/lib/access/operation.ts";
import { openOutbox } from "@/lib/store/outbox_switch.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { ALPHABETS, textOf } from "@/tests/support/basics/alphabets.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Length of a text without a limit in its schema, and of a list. */
const ROOM = 60_000;
const ITEMS = 20;

interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** Returns the largest value that a schema takes in this room; undefined if it takes no text. */
function largest(schema: Schema, alphabet: string, room: number, good?: unknown): unknown {
  if (schema.enum || schema.format) return undefined;
  const one = schema.anyOf?.find(({ type }) => type !== "null");
  if (one) return largest(one, alphabet, room, good);
  if (schema.type === "string") {
    const text = textOf(alphabet, Math.min(schema.maxLength ?? Infinity, room));
    return typeof good === "string" && good.startsWith("{") ? JSON.stringify({ a: text }) : text;
  }
  if (schema.type === "array") {
    const length = Math.min(schema.maxItems ?? ITEMS, room);
    const item = largest(schema.items ?? {}, alphabet, Math.floor(room / length));
    // Items of a list may have to differ.
    const unlike = (n: number) =>
      typeof item === "string" ? `${n}${item.slice(String(n).length)}`.toWellFormed() : item;
    return item === undefined ? undefined : Array.from({ length }, (_, n) => unlike(n));
  }
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const value = largest(member, alphabet, Math.floor(room / 10));
    return value === undefined ? [] : [[name, value]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

const IS_TOO_LONG = /too (long|large|many)|limit/i;

/**
 * Sends the largest values, and less of those that are refused for their length. Fields that take
 * no such text at all are taken out of `fields`. Returns the last status.
 */
async function sendLargest(
  world: World,
  { id, method }: Operation,
  { path, body: good }: { path: string; body?: unknown },
  fields: Map<string, Schema>,
  alphabet: string,
): Promise<number> {
  const rooms = new Map([...fields.keys()].map((name) => [name, ROOM]));
  for (;;) {
    const body: Record<string, unknown> = { ...good as object };
    for (const [name, room] of rooms) {
      body[name] = largest(fields.get(name)!, alphabet, room, body[name]) ?? body[name];
    }
    world.clock.advance(3_600_000); // longer than the period of any limiter
    world.log.length = 0;
    const { status, body: said } = await world.api("erin", method, path, body);
    const errors = world.log.filter(({ level }) => level === "error");
    assert.deepEqual([status >= 500, errors], [false, []], `${id} ${alphabet}`);
    if (status === 413) {
      for (const [name, room] of rooms) rooms.set(name, room / 2);
      continue;
    }
    const refused = Object.entries<string>(said?.fields ?? {});
    if (status < 400 || refused.length === 0) return status;
    const before = [...rooms.values()];
    for (const [field, why] of refused) {
      const [name] = field.split(".");
      const room = rooms.get(name) ?? 0;
      if (IS_TOO_LONG.test(why) && room > ROOM / 20) rooms.set(name, room / 2);
      else if (rooms.delete(name)) fields.delete(name);
    }
    if (before.join() === [...rooms.values()].join()) return status;
  }
}

/** Operations that need more than a body of a person: see the other tests. */
const OTHERS = [
  ...["signIn", "registerRunner", "pollForRuns", "reportRun"],
  ...["answerCheck", "callWebhook", "restoreProject"],
];

Deno.test("the largest values of each operation are stored, or refused in a sentence", async () => {
  let accepted = 0;
  const refused: string[] = [];
  for (const operation of allOperations) {
    if (!operation.body || OTHERS.includes(operation.id)) continue;
    await using world = await newWorld();
    await openOutbox(world.kv);
    const { config, environment } = world.deps;
    const ansibleDir = await installStandIn(join(config.dataDir, "ansible"));
    environment.ansible.playbook = join(ansibleDir, "ansible-playbook");
    const shape = z.toJSONSchema(operation.body, { io: "input", unrepresentable: "any" }) as Schema;
    const fields = new Map(Object.entries(shape.properties ?? {}));
    for (const alphabet of ALPHABETS) {
      const good = await goodCall(operation, world, "erin");
      const status = await sendLargest(world, operation, good, fields, alphabet);
      if (status < 400) accepted++;
      else refused.push(`${operation.id} ${status}`);
    }
  }
  assert.ok(accepted > 250, `${accepted} accepted, and not ${refused.join(", ")}`);
});
