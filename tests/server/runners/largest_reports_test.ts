import assert from "node:assert/strict";
import { driftJobs } from "@/lib/drift/outbox.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { EVENT_TEXT_MAX, HOSTS_AT_ONCE, PLACES_MAX } from "@/lib/execution/run/event_limits.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { hostsJobs } from "@/lib/hosts/outbox.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import { readWireEvent, wireEvent } from "@/lib/runner/wire_events.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { openOutbox } from "@/lib/store/outbox_switch.ts";
import { runWorker } from "@/lib/workflows/runs/loop.ts";
import { ALPHABETS, textOf } from "@/tests/support/basics/alphabets.ts";
import { newRemoteStage, statusOf } from "@/tests/support/server/remote_stage.ts";
import { newSsoStage, START } from "@/tests/support/services/sso_stage.ts";
import { NOTHING_YET } from "@/tests/support/world/test_runner.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";

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
      const run = await reportedTask(world, check ? { check } : {});
      for (const event of largestEvents(kind)) {
        assert.ok(readWireEvent(wireEvent(event)), `${kind} ${event.type}`);
        await run.report(event);
      }
      await run.end("error");
      await rememberDue(world.deps);
      await storeDueDrift(world.deps);
    }
    assert.deepEqual(world.log.filter(({ level }) => level === "error"), [], kind);
    for (const { name } of [hostsJobs, driftJobs]) {
      const left = world.kv.list({ prefix: rowKeys.jobsOfKind(name) });
      assert.deepEqual(await Array.fromAsync(left, ({ key }) => key.join("/")), [], kind);
    }
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
  const value = { name: "Ref", value_source: "body", body_data_type: "json", key: "ref" };
  const extracted = await world.api("alice", "POST", `${integrations}/${id}/values`, {
    ...value,
    variable: "ref",
  });
  assert.equal(extracted.status, 201, JSON.stringify(extracted.body));
  for (const alphabet of ALPHABETS) {
    for (const length of [12_000, 20_000, 60_000, 120_000]) {
      const body = JSON.stringify({ ref: textOf(alphabet, length) });
      const answer = await world.request(new URL(url).pathname, { method: "POST", body });
      assert.ok(answer.status < 500, `${answer.status} ${await answer.text()}`);
    }
  }
  for (const byte of [0x61, 0xe4, 0xff, 0]) {
    const body = new Uint8Array(200 * 1024).fill(byte);
    const headers = { "User-Agent": "\xe4".repeat(5_000) };
    const answer = await world.request(new URL(url).pathname, { method: "POST", body, headers });
    assert.ok(answer.status < 500, `${answer.status} ${await answer.text()}`);
  }
  assert.deepEqual(world.log.filter(({ level }) => level === "error"), []);
  const calls = (await world.api("alice", "GET", `${integrations}/${id}/deliveries`)).body;
  assert.equal(calls.length, 20);
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

Deno.test("a workflow of the largest steps and questions is stored, and runs", async () => {
  for (const alphabet of ALPHABETS) {
    await using world = await newWorld();
    await openOutbox(world.kv);
    const text = (length: number) => textOf(alphabet, length);
    const approval = { message: text(400) };
    const steps = Array.from({ length: 100 }, (_, n) => ({
      kind: "approval",
      name: `${n}${text(90)}`,
      approval,
      after: [],
    }));
    const survey_vars = Array.from({ length: 100 }, (_, n) => ({
      name: `question_${n}`,
      title: text(300),
      description: text(300),
      default_value: "",
    }));
    const form = { name: text(200), description: text(10_000), start_warning: text(500) };
    const workflows = `/api/project/${world.web.id}/workflows`;
    const body = { ...form, survey_vars, steps };
    const { status, body: workflow } = await world.api("alice", "POST", workflows, body);
    assert.equal(status, 201, JSON.stringify(workflow).slice(0, 300));
    const answers = Object.fromEntries(survey_vars.map(({ name }) => [name, text(20)]));
    const sent = { message: text(1_000), environment: JSON.stringify(answers) };
    const run = await world.api("alice", "POST", `${workflows}/${workflow.id}/run`, sent);
    assert.equal(run.status, 201, JSON.stringify(run.body).slice(0, 300));
    await doDue(world.deps, runWorker);
    const vote = `${workflows}/${workflow.id}/runs/${run.body.id}/approvals/1`;
    const voted = await world.api("alice", "POST", vote, { status: "rejected", note: text(1000) });
    await doDue(world.deps, runWorker);
    assert.ok(voted.status < 300, JSON.stringify(voted.body).slice(0, 300));
    assert.deepEqual(world.log.filter(({ level }) => level === "error"), []);
  }
});
