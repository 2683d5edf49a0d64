import assert from "node:assert/strict";
import type { RuleRow } from "@/lib/alerts/rules/schema.ts";
import { startJobs } from "@/lib/jobs/engine.ts";
import { queueDriftAlert, queueRunAlert, queueTaskAlert } from "@/lib/alerts/outbox.ts";
import { sendRequest } from "@/lib/alerts/send_request.ts";
import type { TargetRow } from "@/lib/alerts/targets/rows.ts";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { isPublicAddress } from "@/lib/base/network.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  alertWorkers,
  type Call,
  deliveries,
  newRule,
  newTarget,
  ok,
  outbox,
  rules,
  runTask,
  send,
  sendAlerts,
  startReceiver,
  targets,
} from "@/tests/support/services/alerting.ts";
import { startSmtpServer } from "@/tests/support/services/smtp.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("a target's secrets are stored encrypted, and no answer contains them", async () => {
  await using world = await newWorld();
  const path = targets(world);
  const settings = { url: "https://chat.example.com/hooks/hush" };
  const made = await world.api("alice", "POST", path, { name: "Ops", kind: "slack", settings });
  assert.deepEqual([made.status, made.body.settings, made.body.secrets, made.body.host], [
    201,
    { url: "" },
    ["url"],
    "chat.example.com",
  ]);
  const one = `${path}/${made.body.id}`;
  const renamed = { name: "Chat", kind: "slack", settings: { url: "" } };
  assert.equal((await world.api("alice", "PUT", one, renamed)).status, 204);
  const { body } = await world.api("alice", "GET", one);
  assert.deepEqual([body.name, body.secrets, body.host], ["Chat", ["url"], "chat.example.com"]);
  const everything = await Array.fromAsync(world.kv.list({ prefix: [] }));
  const text = JSON.stringify(
    everything,
    (_, value) => value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );
  assert.ok(!text.includes("B0/hush"));
  assert.ok(!JSON.stringify([made.body, body]).includes("hush"));
});

Deno.test("settings are checked by the kind, and named in the answer", async () => {
  await using world = await newWorld();
  const wrong: [kind: string, settings: object, field: string][] = [
    ["slack", {}, "settings.url"],
    ["slack", { url: "ftp://example.com" }, "settings.url"],
    ["slack", { url: "https://example.com", bogus: "1" }, "settings.bogus"],
    ["email", { addresses: "a@example.com, nobody" }, "settings.addresses"],
    ["email", {}, "settings.addresses"],
    ["email", { roles: "The boss" }, "settings.roles"],
    ["pagerduty", { token: "x", region: "mars" }, "settings.region"],
    ["http", { url: "https://example.com", body: '{"a": "{{bogus}}"}' }, "settings.body"],
    ["http", { url: "https://example.com", body: '{"a": {{title}}' }, "settings.body"],
    ["http", { url: "https://example.com", header: "Host" }, "settings.header"],
    ["gotify", { server: "https://g.example.com", token: "a\nb" }, "settings.token"],
    ["gotify", { server: "https://me:hush@g.example.com", token: "a" }, "settings.server"],
  ];
  for (const [kind, settings, field] of wrong) {
    const sent = { name: "Ops", kind, settings };
    const { status, body } = await world.api("alice", "POST", targets(world), sent);
    assert.deepEqual(
      [status, Object.keys(body.fields ?? {})],
      [400, [field]],
      JSON.stringify(sent),
    );
  }
});

Deno.test("with another address, the secrets of a target must be sent again", async () => {
  await using world = await newWorld();
  const settings = { server: "https://push.example.com", token: "hush" };
  const sent = { name: "Push", kind: "gotify", settings };
  const { body } = await world.api("alice", "POST", targets(world), sent);
  const one = `${targets(world)}/${body.id}`;
  const moved = { ...sent, settings: { server: "https://mine.example.com", token: "" } };
  const refused = await world.api("mike", "PUT", one, moved);
  assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [400, ["settings.token"]]);
  moved.settings.token = "other";
  assert.equal((await world.api("mike", "PUT", one, moved)).status, 204);
});

Deno.test("only an admin can allow private addresses, and only for one address", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const sent = { name: "Ops", kind: "http", settings: { url: receiver.url } };
  const asked = await world.api("alice", "POST", targets(world), { ...sent, allow_private: true });
  assert.equal(asked.status, 403);
  const { body: { id } } = await world.api("alice", "POST", targets(world), sent);
  const one = `${targets(world)}/${id}`;
  const refused = await world.api("alice", "POST", `${one}/test`);
  assert.deepEqual([refused.status, refused.body.ok, refused.body.code], [200, false, null]);
  assert.match(refused.body.reason, /private network/);
  assert.equal(receiver.calls.length, 0);

  const keeps = { ...sent, allow_private: true, settings: {} };
  assert.equal((await world.api("erin", "PUT", one, keeps)).status, 204);
  assert.equal((await world.api("alice", "POST", `${one}/test`)).body.ok, true);
  assert.equal((await world.api("alice", "PUT", one, keeps)).status, 204);
  assert.equal((await world.api("alice", "GET", one)).body.allow_private, true);
  const moved = { ...keeps, settings: { url: `${receiver.url}2` } };
  assert.equal((await world.api("alice", "PUT", one, moved)).status, 204);
  assert.equal((await world.api("alice", "GET", one)).body.allow_private, false);
  assert.equal((await world.api("alice", "POST", `${one}/test`)).body.ok, false);
});

Deno.test("every address of a name is checked, and the connection goes to a checked one", async () => {
  await using receiver = startReceiver();
  const port = new URL(receiver.url).port;
  const request = {
    url: `http://hooks.example.com:${port}/`,
    method: "POST" as const,
    headers: {},
    body: "{}",
  };
  let asked = 0;
  const resolvesTo = (...addresses: string[]) => () => {
    asked++;
    return Promise.resolve(addresses.map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4,
    })));
  };
  const mayReach = isPublicAddress;
  for (
    const addresses of [
      ["127.0.0.1"],
      ["93.184.216.34", "10.0.0.1"],
      ["::1"],
      ["::ffff:192.168.1.1"],
      ["fe80::1"],
      ["169.254.169.254"],
      ["64:ff9b::a00:1"],
    ]
  ) {
    const reach = { mayReach, resolve: resolvesTo(...addresses) };
    const result = await sendRequest(request, { secrets: [], reach });
    assert.deepEqual(result, {
      ok: false,
      reason: { key: "errors.alerts.private_address" },
      retry: false,
    }, addresses.join());
  }
  for (const host of ["127.0.0.1", "[::1]", "0x7f.1", "2130706433", "[::ffff:7f00:1]"]) {
    const other = { ...request, url: `http://${host}:${port}/` };
    const result = await sendRequest(other, { secrets: [], reach: { mayReach } });
    assert.equal(result.ok, false, host);
  }
  assert.equal(receiver.calls.length, 0);
  // A name that resolves to another address the second time is asked once per connection.
  asked = 0;
  const reached = await sendRequest(request, {
    secrets: [],
    reach: {
      mayReach: (address) => address === "127.0.0.1",
      resolve: () => asked === 0 ? resolvesTo("127.0.0.1")() : resolvesTo("10.0.0.1")(),
    },
  });
  assert.deepEqual([reached.ok, asked, receiver.calls.length], [true, 1, 1]);
  for (const address of ["93.184.216.34", "2606:4700::1111", "64:ff9b::808:808"]) {
    assert.ok(isPublicAddress(address), address);
  }
});

Deno.test("a redirect is not followed, and a long answer not read", async () => {
  await using inner = startReceiver();
  await using receiver = startReceiver(() => Response.redirect(inner.url, 307));
  await using talker = startReceiver(() => new Response("x".repeat(10_000_000), { status: 400 }));
  await using world = await newWorld();
  const id = await newTarget(world, receiver.url);
  const { body } = await world.api("alice", "POST", `${targets(world)}/${id}/test`);
  assert.deepEqual([body.ok, body.code, inner.calls.length], [false, 307, 0]);
  const other = await newTarget(world, talker.url);
  const answer = await world.api("alice", "POST", `${targets(world)}/${other}/test`);
  assert.equal(answer.body.code, 400);
  assert.ok(answer.body.reason.length <= 310);
});

Deno.test("an answer that repeats parts of a secret is shown without them", async () => {
  const echo = ({ path, headers }: Call) =>
    new Response(
      `Cannot POST ${path}, ${headers.get("x-key")!.slice(7)} ${"x".repeat(250)} ${path}`,
      {
        status: 404,
      },
    );
  await using receiver = startReceiver(echo);
  await using world = await newWorld();
  const settings = { url: receiver.url, header: "X-Key", header_value: "Bearer hush" };
  const id = await newTarget(world, receiver.url, { settings });
  const { body } = await world.api("alice", "POST", `${targets(world)}/${id}/test`);
  assert.match(body.reason, /^404 Cannot POST …, … x+ …$/);
});

Deno.test("an alert whose messages cannot be stored does not block the others", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const id = await newRule(world, await newTarget(world, receiver.url));
  const key = rowKeys.alertRule(world.web.id, id);
  const { value: rule } = await world.kv.get<RuleRow>(key);
  const quiet = { from: "00:00", to: "23:59", timezone: "Mars/Base" };
  await world.kv.set(key, { ...rule!, quiet });
  await runTask(world, "error");
  await send(world);
  assert.equal(world.log.at(-1)!.event, "job_failed");
  const [{ at }] = await outbox(world);
  assert.ok(at > world.clock.now().getTime());
  await world.kv.set(key, rule!);
  world.clock.advance(11 * 60_000);
  await send(world);
  assert.equal(receiver.calls.length, 1);
  await world.kv.set(key, { ...rule!, quiet });
  await runTask(world, "success");
  for (let minute = 0; minute < 90; minute++) {
    await send(world);
    world.clock.advance(60_000);
  }
  const { body } = await world.api("erin", "GET", "/api/jobs/set_aside");
  assert.deepEqual(body.map(({ kind }: { kind: string }) => kind), ["alerts"]);
});

Deno.test("an alert reaches however many mail addresses its rules name", async () => {
  await using world = await newWorld();
  const ids: number[] = [];
  for (let n = 0; n < 20; n++) {
    const addresses = Array.from({ length: 20 }, (_, i) => `person${i}@team${n}.example.org`);
    const settings = { addresses: addresses.join("\n") };
    ids.push(await newTarget(world, "", { kind: "email", settings }));
    await newRule(world, ids[n]);
  }
  await runTask(world, "error");
  await send(world);
  for (const id of ids) assert.equal((await deliveries(world, id)).length, 20);
  assert.deepEqual(world.log.filter(({ event }) => event === "alert_not_expanded"), []);
});

Deno.test("a template that fails 50 times sends one alert, and one digest if chosen", async () => {
  await using receiver = startReceiver();
  await using patient = startReceiver();
  await using world = await newWorld();
  await newRule(world, await newTarget(world, receiver.url));
  await newRule(world, await newTarget(world, patient.url), { digest: true });
  for (let n = 0; n < 50; n++) await runTask(world, "error");
  await send(world);
  assert.deepEqual(receiver.titles(), ["Deploy shop failed"]);
  assert.deepEqual(patient.titles(), ["Deploy shop failed"]);
  world.clock.advance(24 * 60 * 60_000);
  await send(world);
  assert.equal(receiver.calls.length, 1);
  assert.deepEqual(patient.titles(), ["Deploy shop failed", "49 alerts were held back"]);
  assert.deepEqual(Object.keys(patient.calls[1].body.facts), ["Deploy shop failed (49 times)"]);
  await runTask(world, "success");
  await runTask(world, "success");
  await send(world);
  assert.deepEqual(receiver.titles(), ["Deploy shop failed", "Deploy shop works again"]);
  assert.equal(patient.calls.length, 3);
  assert.deepEqual(await outbox(world), []);
});

Deno.test("recovered is decided once, however many tasks end at the same time", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  await newRule(world, await newTarget(world, receiver.url));
  const task = await runTask(world, "error");
  await send(world);
  const ends = Array.from(
    { length: 8 },
    () =>
      transact(world.kv, (op) => queueTaskAlert(op, world.deps, { ...task, status: "success" })),
  );
  await Promise.all(ends);
  await Promise.all([sendAlerts(world.deps, true), sendAlerts(world.deps, true)]);
  assert.deepEqual(receiver.titles().slice(1), ["Deploy shop works again"]);
});

Deno.test("rules choose events, templates and hosts; a muted template is silent", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const target = await newTarget(world, receiver.url);
  const other = await world.api("alice", "POST", rules(world), {
    name: "Other",
    target_id: target,
    events: ["failed"],
    template_ids: [999],
  });
  assert.deepEqual([other.status, Object.keys(other.body.fields)], [400, ["template_ids"]]);
  await newRule(world, target, { events: ["failed"], hosts: ["db*"] });
  await runTask(world, "error");
  await send(world);
  assert.deepEqual(receiver.titles(), []);
  const id = await newRule(world, target, {
    events: ["succeeded", "failed"],
    template_ids: [world.deploy.id],
    repeat: "each",
  });
  await runTask(world, "error");
  await runTask(world, "success");
  await send(world);
  assert.deepEqual(receiver.titles().toSorted(), ["Deploy shop failed", "Deploy shop succeeded"]);
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const { body: template } = await world.api("alice", "GET", path);
  await world.api("alice", "PUT", path, { ...template, muted: true });
  await runTask(world, "error");
  await send(world);
  assert.equal(receiver.calls.length, 2);
  assert.equal((await world.api("alice", "DELETE", `${targets(world)}/${target}`)).status, 409);
  assert.equal((await world.api("alice", "DELETE", `${rules(world)}/${id}`)).status, 204);
});

Deno.test("a template can suppress alerts about failures, and then about recoveries", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const events = ["failed", "recovered", "succeeded"];
  await newRule(world, await newTarget(world, receiver.url), { events, repeat: "each" });
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const { body: template } = await world.api("alice", "GET", path);
  await world.api("alice", "PUT", path, { ...template, suppress_error_alerts: true });
  await runTask(world, "error");
  await runTask(world, "success");
  await send(world);
  assert.deepEqual(receiver.titles(), ["Deploy shop succeeded"]);
  assert.deepEqual(receiver.calls.map(({ body }) => body.event), ["succeeded"]);
  await world.api("alice", "PUT", path, template);
  await runTask(world, "error");
  await send(world);
  assert.deepEqual(receiver.titles(), ["Deploy shop succeeded", "Deploy shop failed"]);
});

Deno.test("a target of several rules gets each alert once", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const target = await newTarget(world, receiver.url);
  await newRule(world, target);
  await newRule(world, target, { events: ["failed", "succeeded"] });
  await runTask(world, "error");
  await runTask(world, "success");
  await send(world);
  assert.deepEqual(receiver.calls.map(({ body }) => body.event).toSorted(), [
    "failed",
    "recovered",
  ]);
});

Deno.test("quiet hours end with one digest", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const hour = (ahead: number) =>
    new Date(world.clock.now().getTime() + ahead * 3_600_000).toISOString().slice(11, 16);
  const quiet = { from: hour(-1), to: hour(1), timezone: "UTC" };
  await newRule(world, await newTarget(world, receiver.url), { quiet });
  await runTask(world, "error");
  await runTask(world, "success");
  await send(world);
  assert.equal(receiver.calls.length, 0);
  world.clock.advance(3_600_000);
  await send(world);
  assert.deepEqual(receiver.titles(), ["2 alerts were held back"]);
  assert.deepEqual(Object.keys(receiver.calls[0].body.facts).toSorted(), [
    "Deploy shop failed",
    "Deploy shop works again",
  ]);
});

Deno.test("one that answers 500 for ten minutes receives each alert once afterwards", async () => {
  await using world = await newWorld();
  const start = world.clock.now().getTime();
  const isDown = () => world.clock.now().getTime() - start < 10 * 60_000;
  const received: string[] = [];
  await using receiver = startReceiver(({ body }) => {
    if (isDown()) return new Response("down", { status: 500 });
    received.push(body.task.id);
    return ok();
  });
  const id = await newTarget(world, receiver.url);
  await newRule(world, id, { repeat: "each" });
  const tasks: number[] = [];
  for (let minute = 0; minute < 90; minute++) {
    if (minute < 10) tasks.push((await runTask(world, "error")).id);
    await send(world);
    world.clock.advance(60_000);
  }
  assert.deepEqual(received.map(Number).toSorted((a, b) => a - b), tasks);
  const log = await deliveries(world, id);
  assert.equal(log.length, 10);
  assert.ok(
    log.every((one: { status: string; code: number }) => one.status === "sent" && one.code === 200),
  );
  assert.ok(log.some(({ attempts }: { attempts: number }) => attempts > 1));
  assert.deepEqual(await outbox(world), []);
});

Deno.test("one that hangs delays no one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using hanging = startReceiver(() => promise.then(ok));
  await using receiver = startReceiver();
  await using world = await newWorld();
  await newRule(world, await newTarget(world, hanging.url), { repeat: "each" });
  await newRule(world, await newTarget(world, receiver.url), { repeat: "each" });
  for (let n = 0; n < 12; n++) await runTask(world, "error");
  const loop = startJobs(world.deps, alertWorkers, { shared: false });
  const began = performance.now();
  await until(() => receiver.calls.length === 12);
  assert.ok(performance.now() - began < 8_000);
  assert.equal(hanging.calls.length, 2);
  resolve();
  await until(() => hanging.calls.length === 12);
  await loop.stop();
});

Deno.test("a target pauses after 20 messages that could not be sent, until it is resumed", async () => {
  let isRight = false;
  await using receiver = startReceiver(() => isRight ? ok() : new Response("no", { status: 404 }));
  await using world = await newWorld();
  const id = await newTarget(world, receiver.url);
  await newRule(world, id, { repeat: "each" });
  for (let n = 0; n < 22; n++) {
    await runTask(world, "error");
    await send(world);
    world.clock.advance(1000);
  }
  assert.equal(receiver.calls.length, 20);
  const one = `${targets(world)}/${id}`;
  const { body } = await world.api("alice", "GET", one);
  assert.deepEqual([body.failures, body.paused_reason], [20, "404 no"]);
  assert.ok(body.paused);
  const log = await deliveries(world, id);
  assert.deepEqual(log.slice(0, 3).map(({ status }: { status: string }) => status), [
    "skipped",
    "skipped",
    "abandoned",
  ]);
  const events = (await world.api("alice", "GET", `/api/project/${world.web.id}/events`)).body;
  assert.match(JSON.stringify(events), /Alert target \\"Ops\\" was paused after too many failures/);
  isRight = true;
  assert.equal((await world.api("alice", "POST", `${one}/resume`)).status, 204);
  await runTask(world, "error");
  await send(world);
  assert.equal((await deliveries(world, id))[0].status, "sent");
});

Deno.test("the log of a target has its latest 100 messages", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const id = await newTarget(world, receiver.url);
  await newRule(world, id, { repeat: "each" });
  const task = await runTask(world, "error");
  for (let n = 0; n < 104; n++) {
    await transact(world.kv, (op) => queueTaskAlert(op, world.deps, task));
    world.clock.advance(1000);
    await send(world);
  }
  assert.equal((await deliveries(world, id)).length, 100);
});

Deno.test("the log of a paused target does not grow, either", async () => {
  await using world = await newWorld();
  const id = await newTarget(world, "https://ops.example.com/");
  await newRule(world, id, { repeat: "each" });
  const key = rowKeys.alertTarget(world.web.id, id);
  const { value: target } = await world.kv.get<TargetRow>(key);
  await world.kv.set(key, { ...target!, paused: { at: "2026-03-01T00:00:00.000Z", reason: "" } });
  const task = await runTask(world, "error");
  for (let n = 0; n < 104; n++) {
    await transact(world.kv, (op) => queueTaskAlert(op, world.deps, task));
    world.clock.advance(1000);
    await send(world);
  }
  const prefix = rowKeys.alertDeliveries(world.web.id, id);
  const { length } = await Array.fromAsync(world.kv.list({ prefix }));
  assert.ok(length <= 101, String(length));
});

Deno.test("rules of the server are for all projects, and a project without rules is as before", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const settings = { url: receiver.url };
  const target = { name: "Pager", kind: "http", allow_private: true, settings };
  const made = await world.api("erin", "POST", "/api/alert_targets", target);
  assert.equal(made.body.project_id, null);
  const rule = {
    name: "Server",
    target_id: made.body.id,
    events: ["failed", "drifted", "account_locked"],
  };
  assert.equal((await world.api("erin", "POST", "/api/alert_rules", rule)).status, 201);
  await runTask(world, "error");
  await transact(world.kv, (op) =>
    queueDriftAlert(op, world.deps, {
      event: "drifted",
      project_id: world.web.id,
      template_id: world.deploy.id,
      task_id: 7,
      hosts: ["web1", "web2"],
      count: 17,
      left: 0,
      differing: [{ play_task: "Write the motd", hosts: 17 }, { play_task: "Install", hosts: 1 }],
      unchecked: [{
        ...{ subject: "web1", step: "Check the disk", more: 16, line: 12 },
        message: { key: "drift.reasons.no_check_mode", params: { action: "command" } },
        place: { file: "site.yml", line: 7, column: null },
      }],
    }));
  await transact(world.kv, (op) =>
    queueRunAlert(op, world.deps, {
      project_id: world.web.id,
      workflow_id: 4,
      workflow_name: "Release",
      run_id: 9,
      ...{ user_id: null, username: null, user_name: "Bob" },
      failed: true,
      reason: { key: "workflows.source.failed", params: { name: "Measure" } },
      failed_task: { id: 39, template_id: 5, line: 12 },
    }));
  for (let n = 0; n < 7; n++) {
    await world.api(null, "POST", "/api/auth/login", { auth: "bob", password: `wrong ${n}` });
  }
  await send(world);
  assert.deepEqual(receiver.titles().toSorted(), [
    "Deploy shop failed",
    "Deploy shop: 17 hosts no longer match",
    "Release (run #9) failed",
    "Too many failed sign-ins for bob",
  ]);
  const drift = receiver.calls.find(({ body }) => body.event === "drifted")!;
  assert.equal(drift.body.facts.Hosts, "web1, web2, …");
  assert.equal(
    drift.body.facts["Changes that hosts need"],
    "Write the motd: 17 hosts\nInstall: 1 host",
  );
  const why = "command has no check mode. Add check_mode: false if it only reads.";
  assert.equal(
    drift.body.facts["Not checked"],
    `web1: Check the disk: site.yml:7: ${why} (+16)`,
  );
  assert.deepEqual(drift.body.drift.differing[0], { play_task: "Write the motd", hosts: 17 });
  const [unchecked] = drift.body.drift.unchecked;
  assert.deepEqual([unchecked.step, unchecked.message, unchecked.place.line], [
    "Check the disk",
    why,
    7,
  ]);
  const run = receiver.calls.find(({ body }) => body.workflow_run)!.body;
  assert.deepEqual([run.facts.Reason, run.facts.Task], ["Measure failed", "#39"]);
  assert.deepEqual(run.workflow_run.failed_task, { id: 39, template_id: 5, line: 12 });
});

Deno.test("managers see the targets of their project alone, and others see none", async () => {
  await using world = await newWorld();
  for (const person of ["bob", "carol"] as const) {
    assert.equal((await world.api(person, "GET", targets(world))).status, 403);
  }
  assert.equal((await world.api("dave", "GET", targets(world))).status, 404);
  assert.equal((await world.api("alice", "GET", "/api/alert_targets")).status, 403);
  const id = await newTarget(world, "https://example.com");
  assert.equal((await world.api("erin", "GET", `/api/alert_targets/${id}`)).status, 404);
});

Deno.test("mails go to addresses, and to members with a role who want alerts, each once", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  const alerts = readAlertSettings(
    (name) => ({ CALLBOARD_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })[name],
    (name) => assert.fail(name),
  );
  await using world = await newWorld({ config: { alerts } });
  for (const person of ["alice", "mike"] as const) {
    const entry = await world.kv.get<object>(rowKeys.user(world.people[person].id));
    await world.kv.set(entry.key, { ...entry.value, alert: person === "alice" });
  }
  const settings = {
    addresses: "ops@example.org, alice@example.com\nnight@example.org",
    roles: "owner, manager",
  };
  const id = await newTarget(world, "", { kind: "email", language: "de", settings });
  await newRule(world, id);
  await runTask(world, "error");
  await send(world);
  assert.deepEqual(smtp.mails.map(({ to }) => to[0]).toSorted(), [
    "alice@example.com",
    "night@example.org",
    "ops@example.org",
  ]);
  assert.match(smtp.mails[0].raw, /fehlgeschlagen/);
  const log = await deliveries(world, id);
  assert.deepEqual(log.map(({ to, status }: Record<string, string>) => `${to} ${status}`).sort(), [
    "alice@example.com sent",
    "night@example.org sent",
    "ops@example.org sent",
  ]);
});

Deno.test("a message states the first failure, and links to its line and its host", async () => {
  await using receiver = startReceiver();
  const url = new URL("https://callboard.example.com");
  await using world = await newWorld({ config: { url } });
  await newRule(world, await newTarget(world, receiver.url));
  const params = { host: "web3", task: "Restart nginx", message: "no such unit", count: 4 };
  const end_reason = { key: "errors.run.first_failure", params };
  const { id } = await runTask(world, "error", { end_reason, failure_line: 41 });
  await send(world);
  const [{ body }] = receiver.calls;
  const project = `https://callboard.example.com/project/${world.web.id}`;
  assert.equal(body.facts.Reason, "web3: Restart nginx: no such unit (4 more hosts)");
  assert.equal(body.url, `${project}/templates/${world.deploy.id}?t=${id}&line=41`);
  assert.deepEqual(body.host, { name: "web3", url: `${project}/hosts/web3` });
  assert.equal(body.facts.Host, "web3");
});

Deno.test("the log of a target has its tests, which are not counted as failures", async () => {
  await using receiver = startReceiver(() => new Response("no", { status: 404 }));
  await using world = await newWorld();
  const id = await newTarget(world, receiver.url);
  const one = `${targets(world)}/${id}`;
  assert.equal((await world.api("alice", "POST", `${one}/test`)).body.ok, false);
  const [{ event, status, attempts, code, reason }, ...others] = await deliveries(world, id);
  assert.deepEqual([event, status, attempts, code, reason], [
    "test",
    "abandoned",
    1,
    404,
    "404 no",
  ]);
  assert.deepEqual([others, (await world.api("alice", "GET", one)).body.failures], [[], 0]);
});

Deno.test("a digest goes to the target that its rule has when it is sent", async () => {
  await using first = startReceiver();
  await using second = startReceiver();
  await using channel = startReceiver();
  const alerts = readAlertSettings(
    (name) => name === "CALLBOARD_WEBHOOK_URL" ? channel.url : undefined,
    (name) => assert.fail(name),
  );
  await using world = await newWorld({ config: { alerts } });
  const hour = (ahead: number) =>
    new Date(world.clock.now().getTime() + ahead * 3_600_000).toISOString().slice(11, 16);
  const quiet = { from: hour(-1), to: hour(1), timezone: "UTC" };
  const ids = [await newRule(world, await newTarget(world, first.url), { quiet })];
  ids.push(await newRule(world, await newTarget(world, first.url), { quiet }));
  const other = await newTarget(world, second.url);
  await runTask(world, "error");
  await send(world);
  for (const [n, target_id] of [other, -4].entries()) {
    const path = `${rules(world)}/${ids[n]}`;
    const { body } = await world.api("alice", "GET", path);
    assert.equal((await world.api("alice", "PUT", path, { ...body, target_id })).status, 204);
  }
  world.clock.advance(3_600_000);
  await send(world);
  assert.deepEqual([first.calls.length, channel.calls.length], [0, 1]);
  assert.deepEqual(second.titles(), ["1 alert was held back"]);
});

Deno.test("a rule of the server can be for some projects", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const target = {
    name: "All",
    kind: "http",
    allow_private: true,
    settings: { url: receiver.url },
  };
  const { body: { id: target_id } } = await world.api("erin", "POST", "/api/alert_targets", target);
  const { body: { id: other } } = await world.api("erin", "POST", "/api/projects", { name: "B" });
  const rule = { name: "Some", target_id, events: ["failed"], repeat: "each" };
  const make = (project_ids: number[]) =>
    world.api("erin", "POST", "/api/alert_rules", { ...rule, project_ids });
  const unknown = await make([9999]);
  assert.deepEqual([unknown.status, Object.keys(unknown.body.fields)], [400, ["project_ids"]]);
  assert.equal((await make([other])).status, 201);
  await runTask(world, "error");
  await send(world);
  assert.deepEqual(receiver.titles(), []);
  assert.equal((await make([other, world.web.id])).status, 201);
  await runTask(world, "error");
  await send(world);
  assert.deepEqual(receiver.titles(), ["Deploy shop failed"]);
  const own = await newTarget(world, receiver.url);
  const refused = await world.api("alice", "POST", rules(world), {
    ...rule,
    target_id: own,
    project_ids: [world.web.id],
  });
  assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [400, ["project_ids"]]);
});
