import assert from "node:assert/strict";
import { fieldOf, htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pageOf = ({ web }: World, page = "") => `/project/${web.id}/settings${page}`;

Deno.test("Alice sets how much of the past is kept, and a form without it changes nothing", async () => {
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

Deno.test("the settings say nothing about channels, which are targets of alerts", async () => {
  await using world = await newWorld();
  const { config } = world.deps;
  config.alerts = { ...config.alerts, telegramToken: "1:abc", webhookUrl: "http://127.0.0.1:1/" };
  const html = await htmlOf(await world.get("alice", pageOf(world)));
  assert.doesNotMatch(html, /name="alert/, "these are on the page of alerts");
  assert.doesNotMatch(html, /is not set up on this server|Send test message|id="channel-/);
  assert.doesNotMatch(html, /1:abc|127\.0\.0\.1:1/, "where to is the server's secret");
  assert.equal((await world.post("alice", pageOf(world, "/alerts"))).status, 404);
});
