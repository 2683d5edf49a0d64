import assert from "node:assert/strict";
import { fieldOf, htmlOf } from "../support/html.ts";
import { newWorld, type World } from "../support/world.ts";

const pageOf = ({ web }: World, page = "") => `/project/${web.id}/settings${page}`;

Deno.test("Alice says how much of the past is kept; a form without it keeps what was said", async () => {
  await using world = await newWorld();
  const retention = async () =>
    (await world.api("alice", "GET", `/api/project/${world.web.id}`)).body.retention;
  const post = (form: Record<string, string>) =>
    world.post("alice", pageOf(world), { name: "Web shop", ...form });
  await post({ "retention.max_tasks_per_template": "50", "retention.max_age_days": "" });
  assert.deepEqual(await retention(), { max_tasks_per_template: 50, max_age_days: 0 });
  const shown = await htmlOf(await world.get("alice", pageOf(world)));
  assert.match(fieldOf(shown, "retention.max_tasks_per_template"), / value="50"/);

  await post({});
  assert.equal((await retention()).max_tasks_per_template, 50);
  const wrong = await post({ "retention.max_age_days": "40000" });
  assert.equal(wrong.status, 422);
  assert.match(
    await htmlOf(wrong),
    /Days to keep finished tasks \(Optional\): Must be at most 36,500/,
  );
});

Deno.test("a test message tells for each channel whether it was sent, without a script", async () => {
  await using world = await newWorld();
  await using hook = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    return new Response("ok");
  });
  const settings = await htmlOf(await world.get("alice", pageOf(world)));
  assert.match(settings, new RegExp(`action="${pageOf(world, "/alerts")}"`));
  const none = await world.post("alice", pageOf(world, "/alerts"));
  assert.equal(none.status, 409);
  assert.match(await htmlOf(none), /No alert channel is set up on this server/);

  const { config } = world.deps;
  const webhookUrl = `http://127.0.0.1:${(hook.addr as Deno.NetAddr).port}/`;
  config.alerts = { ...config.alerts, webhookUrl, slackUrl: "http://127.0.0.1:1/" };
  const sent = await htmlOf(await world.post("alice", pageOf(world, "/alerts")));
  assert.match(sent, /alert-success.*Webhook: sent/);
  assert.match(sent, /alert-danger.*Slack: not sent/);
  assert.match(sent, /Send test message/);
  for (const person of ["mike", "bob", "carol"] as const) {
    assert.equal((await world.get(person, pageOf(world, "/alerts"))).status, 403);
    assert.equal((await world.post(person, pageOf(world, "/alerts"))).status, 403);
  }
});

Deno.test("the settings tell by which channels alerts go out, and why not by others", async () => {
  await using world = await newWorld();
  const { config } = world.deps;
  config.alerts = { ...config.alerts, telegramToken: "1:abc", webhookUrl: "http://127.0.0.1:1/" };
  const shown = async () => await htmlOf(await world.get("alice", pageOf(world)));
  const state = (html: string, channel: string) =>
    new RegExp(`id="channel-${channel}".*?text-muted">([^<]*)<`).exec(html)?.[1];
  const html = await shown();
  assert.match(html, /Alerts are disabled for this project/);
  assert.equal(state(html, "webhook"), "is set up");
  assert.equal(state(html, "telegram"), "is set up, but this project has no chat ID");
  assert.equal(state(html, "email"), "is not set up on this server");
  await world.post("alice", pageOf(world), { name: "Web shop", alert: "true", alert_chat: "7" });
  const after = await shown();
  assert.equal(state(after, "telegram"), "is set up");
  assert.doesNotMatch(after, /Alerts are disabled/);
  assert.doesNotMatch(after, /1:abc|127\.0\.0\.1:1/, "where to is the server's secret");
});
