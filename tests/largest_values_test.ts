import assert from "node:assert/strict";
import { join } from "node:path";
import * as z from "zod";
import type { Operation } from "@/lib/access/operation.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { readWireEvent, wireEvent } from "@/lib/runner/wire_events.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { openOutbox } from "@/lib/store/outbox_switch.ts";
import { allOperations } from "@/routes/api/(_tables)/all.ts";
import { EVENT_TEXT_MAX, HOSTS_AT_ONCE, PLACES_MAX } from "@/lib/execution/run/event_limits.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { goodCall } from "./support/api_calls.ts";
import { installStandIn } from "./support/real_server.ts";
import { newRemoteStage, statusOf } from "./support/remote_stage.ts";
import { NOTHING_YET } from "./support/test_runner.ts";
import { newSsoStage, START } from "./support/sso_stage.ts";
import { play, result, task, toldTask } from "./support/told_task.ts";
import { newWorld, type World } from "./support/world.ts";

/** Characters of one, three and four bytes, and some that JSON escapes. */
const ALPHABETS = ["a", "中国網頁", "😀🚀", '"\\'];
/** Length of a text without a limit in its schema, and of a list. */
const ROOM = 90_000;
const ITEMS = 50;

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

const textOf = (alphabet: string, length: number): string =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length).toWellFormed();

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
  ...["signIn", "registerRunner", "registerSemaphoreRunner", "pollForRuns", "reportRun"],
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

/** Characters of texts that programs report, which cannot be compressed. */
const RANDOM: Record<string, () => number> = {
  latin: () => 0x20 + Math.floor(Math.random() * 95),
  chinese: () => 0x4e00 + Math.floor(Math.random() * 20_000),
  emoji: () => 0x1f300 + Math.floor(Math.random() * 700),
  control: () => Math.floor(Math.random() * 32),
};

/** Returns a text of this length, or one less, as the next character may be a pair. */
function randomText(kind: string, length: number): string {
  const code = RANDOM[kind];
  const points = kind === "emoji" ? Math.floor(length / 2) : length;
  return String.fromCodePoint(...Array.from({ length: points }, code));
}

/** Returns the largest events of a play. */
function* largestEvents(kind: string): Generator<RunEvent> {
  const text = (length: number) => randomText(kind, length);
  // Its limit counts escapes, which take six characters.
  const full = (length: number) => text(kind === "control" ? length / 6 : length);
  const { name, short, path, host, message, itemLabel, itemMessage, place, diff } = EVENT_TEXT_MAX;
  const hosts = Array.from({ length: HOSTS_AT_ONCE }, () => text(host));
  for (let n = 0; n < 40; n++) {
    const uuid = `${n}`.padStart(64, "0");
    yield play(text(name));
    yield {
      ...task(uuid) as Extract<RunEvent, { type: "task" }>,
      name: text(name),
      role: text(short),
      path: text(path),
      action: text(short),
    };
    const status = n % 2 ? "changed" : "failed";
    const item = () => ({
      status: "failed" as const,
      label: text(itemLabel),
      message: text(itemMessage),
    });
    yield result(uuid, hosts[n], {
      status,
      changed: n % 2 === 1,
      message: text(message),
      delegatedTo: text(name),
      itemResults: Array.from({ length: n % 10 ? 5 : 50 }, item),
      diff: n % 10 ? text(100) : text(diff),
      full: { value: { stdout: full(n % 10 ? 100 : 22_800) }, shortened: [] },
    });
    for (let part = 0; part < (n === 0 ? 10 : 1); part++) {
      const value = { [`fact_${part}`]: full(n === 0 ? 54_000 : 500) };
      yield { type: "facts", host: hosts[n], facts: { value, shortened: [] } };
    }
  }
  yield { type: "include", hosts };
  yield {
    type: "end",
    at: 0,
    lost: 0,
    checkMode: Array.from({ length: PLACES_MAX }, () => text(place)),
  };
}

Deno.test("the largest reports of a play are stored, with their hosts", async () => {
  for (const kind of Object.keys(RANDOM)) {
    await using world = await newWorld();
    for (const check of [false, true, false]) {
      const run = await toldTask(world, check ? { check } : {});
      for (const event of largestEvents(kind)) {
        assert.ok(readWireEvent(wireEvent(event)), `${kind} ${event.type}`);
        await run.tell(event);
      }
      await run.end("error");
      await rememberDue(world.deps);
      await storeDueDrift(world.deps);
    }
    assert.deepEqual(world.log.filter(({ level }) => level === "error"), [], kind);
    const jobs = world.kv.list({ prefix: ["jobs"] });
    assert.deepEqual(await Array.fromAsync(jobs, ({ key }) => key.join("/")), [], kind);
  }
});

Deno.test("the largest report of a runner ends its task", async () => {
  for (const kind of Object.keys(RANDOM)) {
    const { queue, template, runner, world } = await newRemoteStage();
    await using _ = queue;
    const text = (length: number) => randomText(kind, length);
    const id = await queue.start(template);
    const run = await runner.claim();
    const item = () => ({
      kind: "role" as const,
      name: text(200),
      version: text(100),
      resolved: text(100),
    });
    const commit = { hash: "a".repeat(40), message: text(1000) };
    const deep = { key: "errors.run.unforeseen", params: { detail: text(1000) } };
    const state = {
      ...NOTHING_YET,
      checkout: commit,
      inventories: commit,
      requirements: {
        key: "a".repeat(32),
        items: Array.from({ length: 100 }, item),
        more: 0,
      },
      started: true,
      outcome: {
        end: "error" as const,
        reason: { key: "errors.run.unforeseen", params: { detail: text(5000), causes: [deep] } },
        lines: 5,
        events: 0,
      },
    };
    await runner.report(run, { lines: Array.from({ length: 5 }, () => text(20_000)), state });
    assert.equal(await statusOf(queue, id), "error");
    assert.deepEqual(world.log.filter(({ level }) => level === "error"), [], kind);
  }
});

Deno.test("the largest call of a webhook is stored, whatever bytes its body has", async () => {
  await using world = await newWorld();
  const integrations = `/api/project/${world.web.id}/integrations`;
  const form = { name: "Push", template_id: world.deploy.id, keep_bodies: true };
  const { id } = (await world.api("alice", "POST", integrations, form)).body;
  const { url } = (await world.api("alice", "POST", `${integrations}/${id}/aliases`, {})).body;
  for (const byte of [0x61, 0xe4, 0xff, 0]) {
    const body = new Uint8Array(200 * 1024).fill(byte);
    const headers = { "User-Agent": "\xe4".repeat(5_000) };
    const answer = await world.request(new URL(url).pathname, { method: "POST", body, headers });
    assert.ok(answer.status < 500, `${answer.status} ${await answer.text()}`);
  }
  assert.deepEqual(world.log.filter(({ level }) => level === "error"), []);
  const calls = (await world.api("alice", "GET", `${integrations}/${id}/deliveries`)).body;
  assert.equal(calls.length, 4);
});

Deno.test("the longest names of a provider and of a directory are stored", async () => {
  for (const alphabet of ALPHABETS) {
    const text = (length: number) => textOf(alphabet, length);
    await using stage = await newSsoStage({ new_accounts: "create" });
    const { provider, browser, world } = stage;
    provider.manners.subject = text(500);
    const email = "zoe@corp.example.com";
    const names = { name: text(5_000), preferred_username: text(5_000) };
    const groups = Array.from({ length: 200 }, () => text(500));
    provider.manners.claims = { ...names, email, email_verified: true, groups, sid: text(500) };
    await (await browser.follow(START)).response.body?.cancel();
    assert.notEqual((await findUserByLogin(world.kv, email))?.value, undefined, alphabet);
    const found = {
      issuer: "ldap:main",
      subject: text(500),
      profile: { username: `x${text(98)}`, name: text(200), email: "max@corp.example.com" },
      claims: { groups },
    };
    world.deps.directory = {
      newAccounts: "create",
      prove: () => Promise.resolve(found),
      check: () => Promise.resolve(),
    };
    const signIn = { auth: "somebody", password: "secret" };
    const { status } = await world.api(null, "POST", "/api/auth/login", signIn);
    const crashes = world.log.filter(({ event }) => event === "request_failed");
    assert.deepEqual([status, crashes], [204, []], alphabet);
  }
});
