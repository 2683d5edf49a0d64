import assert from "node:assert/strict";
import { outbox } from "@/tests/support/services/alerting.ts";
import { personParam } from "@/lib/base/person.ts";
import type { ProjectRow } from "@/lib/model/project_row.ts";
import { taskMessage } from "@/lib/alerts/message.ts";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { attemptJobs } from "@/lib/queue/outboxes/attempt_outbox.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { readSecretAnswers } from "@/lib/tasks/answer_store.ts";
import { readHostNames } from "@/lib/tasks/host_store.ts";
import { amendTask } from "@/lib/tasks/steps.ts";
import {
  type HostEnds,
  latestOf,
  pass,
  repeatingTemplate,
  rowOf,
  run,
  startOf,
  tasksOf,
} from "@/tests/support/world/attempts.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const SOME: HostEnds = { web1: "ok", web2: "failed", web3: "unreachable" };
const COMMIT = "0123456789abcdef0123456789abcdef01234567";

const due = ({ kv }: World) =>
  Array.fromAsync(kv.list({ prefix: rowKeys.jobsOfKind(attemptJobs.name) }), ({ value }) => value);

const taskApi = (world: World, id: number, rest = "", method = "GET") =>
  world.api("bob", method, `/api/project/${world.web.id}/tasks/${id}${rest}`);

/** Returns how many tasks of today ended with each status, as trends count them. */
async function counted(world: World, template: number): Promise<Record<string, number>> {
  const path = `/api/project/${world.web.id}/templates/${template}/stats`;
  const { body } = await world.api("bob", "GET", path);
  return body[0]?.count_by_status ?? {};
}

Deno.test("a failed task is repeated on its failed hosts, until all of them are fine", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const first = await startOf(world, template, { message: "Ship it", diff: true });
  await amendTask(world.kv, { id: first, project_id: world.web.id }, { commit_hash: COMMIT });
  await run(world, first, SOME);
  const at = new Date(world.clock.now().getTime() + 300_000).toISOString();
  const { body: failed } = await taskApi(world, first);
  assert.deepEqual([failed.attempt, failed.attempts, failed.next_retry], [1, 4, at]);

  await pass(world, 4);
  assert.equal((await tasksOf(world)).length, 1, "not before its time");
  await pass(world, 1);
  const second = await latestOf(world);
  assert.deepEqual(await readHostNames(world.kv, second), ["web2", "web3"]);
  assert.deepEqual(
    [second.message, second.diff, second.commit_hash, second.user_id],
    ["Ship it", true, COMMIT, world.people.bob.id],
  );
  const { body: shown } = await taskApi(world, second.id);
  assert.deepEqual([shown.attempt, shown.attempts, shown.next_retry], [2, 4, null]);
  const { body: before } = await taskApi(world, first);
  assert.deepEqual([before.next_retry, before.next_attempt_id], [null, second.id]);

  await run(world, second.id, { web2: "ok", web3: "failed" });
  await pass(world, 5);
  const third = await latestOf(world);
  assert.deepEqual(await readHostNames(world.kv, third), ["web3"]);
  await run(world, third.id, { web3: "ok" });
  await pass(world, 600);
  assert.equal((await tasksOf(world)).length, 3);
  assert.deepEqual(await due(world), []);
});

Deno.test("the last attempt that a template allows is the last one", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world, { retry_attempts: 2, retry_minutes: 0 });
  await run(world, await startOf(world, template), SOME);
  for (const n of [2, 3]) {
    await pass(world, 0);
    const task = await latestOf(world);
    assert.equal(task.attempt?.n, n);
    await run(world, task.id, { web2: "failed", web3: "failed" });
  }
  await pass(world, 600);
  assert.equal((await tasksOf(world)).length, 3);
  assert.equal((await latestOf(world)).attempt?.next_at, undefined);
});

Deno.test("only failures of certain hosts are repeated", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const off = await repeatingTemplate(world, { retry_attempts: 0 });
  await run(world, await startOf(world, off), SOME);
  await run(world, await startOf(world, template), { web1: "ok" });
  await run(world, await startOf(world, template), {}, { how: "error" });
  await run(world, await startOf(world, template), SOME, { isComplete: false });
  await run(world, await startOf(world, template), SOME, { how: "interrupted" });
  await run(world, await startOf(world, template), { web1: "ok" }, { how: "error" });
  await run(world, await startOf(world, template, { dry_run: true }), SOME);
  assert.deepEqual(await due(world), []);

  // A later attempt that reaches no host has failed on all of its hosts.
  await run(world, await startOf(world, template), SOME);
  await pass(world, 5);
  await run(world, (await latestOf(world)).id, {}, { how: "error" });
  await pass(world, 5);
  assert.deepEqual(await readHostNames(world.kv, await latestOf(world)), ["web2", "web3"]);
});

Deno.test("a person who stops a task, or its next attempt, ends the attempts", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const first = await startOf(world, template);
  await run(world, first, SOME);
  assert.equal((await taskApi(world, first, "/stop", "POST")).status, 204);
  const { body } = await taskApi(world, first);
  assert.deepEqual([body.status, body.next_retry], ["error", null]);
  await pass(world, 600);
  assert.equal((await tasksOf(world)).length, 1);
  const { ended } = (await rowOf(world, first)).attempt!;
  assert.deepEqual(ended, {
    key: "retry.ended.cancelled",
    params: { name: personParam({ user_id: 2, username: "bob", user_name: "Bob" }) },
  });
  assert.equal((await taskApi(world, first, "/stop", "POST")).status, 204, "as often as one likes");

  await run(world, await startOf(world, template), SOME);
  await pass(world, 5);
  const second = await latestOf(world);
  await taskApi(world, second.id, "/stop", "POST");
  assert.equal((await rowOf(world, second.id)).status, "stopped");
  await run(world, await startOf(world, template), SOME);
  const stopAll = `/api/project/${world.web.id}/templates/${template}/stop_all_tasks`;
  const { status } = await world.api("bob", "POST", stopAll, {});
  assert.ok(status < 300);
  assert.equal((await latestOf(world)).attempt?.next_at, undefined);
  await pass(world, 600);
  assert.deepEqual(await due(world), []);
  assert.equal((await tasksOf(world)).length, 4);
});

Deno.test("guests cannot cancel an attempt, nor can outsiders", async () => {
  await using world = await newWorld();
  const first = await startOf(world, await repeatingTemplate(world));
  await run(world, first, SOME);
  const path = `/api/project/${world.web.id}/tasks/${first}/stop`;
  assert.equal((await world.api("carol", "POST", path)).status, 403);
  assert.equal((await world.api("dave", "POST", path)).status, 404);
  assert.notEqual((await rowOf(world, first)).attempt?.next_at, undefined);
});

Deno.test("a retry by hand replaces the attempt that is due", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const first = await startOf(world, template);
  await run(world, first, SOME);
  const { status, body } = await taskApi(world, first, "/retry", "POST");
  assert.deepEqual([status, body.attempt, body.attempts], [201, 1, 4]);
  await pass(world, 600);
  assert.equal((await tasksOf(world)).length, 2);
  const { ended } = (await rowOf(world, first)).attempt!;
  assert.deepEqual(ended, { key: "retry.ended.replaced", params: { id: body.id } });
});

Deno.test("attempts end if a newer task has the same hosts, or if the template repeats none", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const endOf = async (id: number) => (await rowOf(world, id)).attempt?.ended?.key;
  const first = await startOf(world, template);
  await run(world, first, SOME);
  const newer = await startOf(world, template);
  await pass(world, 5);
  assert.equal(await endOf(first), "retry.ended.superseded");
  await run(world, newer, { web1: "ok" });

  const limited = await startOf(world, template);
  await run(world, limited, SOME);
  await run(world, await startOf(world, template, { limit: "web9" }), { web9: "ok" });
  await pass(world, 5);
  const second = await latestOf(world);
  assert.equal(second.attempt?.first_id, limited, "other hosts are no reason");
  await run(world, second.id, SOME);
  const path = `/api/project/${world.web.id}/templates/${template}`;
  const { body } = await world.api("alice", "GET", path);
  const put = await world.api("alice", "PUT", path, { ...body, retry_attempts: 0 });
  assert.equal(put.status, 204);
  await pass(world, 5);
  assert.equal(await endOf(second.id), "retry.ended.off");
  assert.deepEqual(await due(world), []);
});

Deno.test("a template that no longer accepts the values ends the attempts with the reason", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const first = await startOf(world, template);
  await run(world, first, SOME);
  const path = `/api/project/${world.web.id}`;
  const { body } = await world.api("alice", "GET", `${path}/templates/${template}`);
  const survey_vars = [{ name: "region", title: "Region", type: "", required: true }];
  await world.api("alice", "PUT", `${path}/templates/${template}`, { ...body, survey_vars });
  await pass(world, 5);
  assert.equal((await rowOf(world, first)).attempt?.ended?.key, "errors.retry.template_changed");
  const { body: events } = await world.api("alice", "GET", `${path}/events`);
  const told: string[] = events.map(({ description }: { description: string }) => description);
  assert.ok(told.some((text) => text.includes("Region is required")), told.join("\n"));
});

Deno.test("secret answers stay sealed for the next attempt, and no longer", async () => {
  await using world = await newWorld();
  const question = { name: "token", title: "Token", type: "secret", required: true };
  const template = await repeatingTemplate(world, { survey_vars: [question] });
  const secret = JSON.stringify({ token: "never-to-be-shown" });
  const kept = async (id: number) => (await readSecretAnswers(world.kv, id)).length > 0;
  const first = await startOf(world, template, { secret });
  await run(world, first, SOME);
  assert.ok(await kept(first));
  const sealed = new TextDecoder().decode(await readSecretAnswers(world.kv, first));
  assert.ok(!sealed.includes("never-to-be-shown"));

  await pass(world, 5);
  const second = await latestOf(world);
  assert.deepEqual([await kept(first), await kept(second.id)], [false, true]);
  const { secretVars } = await makePlan(world.deps, second);
  assert.deepEqual(Object.keys(secretVars), ["token"]);
  await run(world, second.id, { web2: "failed", web3: "ok" });
  assert.ok(await kept(second.id));
  await taskApi(world, second.id, "/stop", "POST");
  assert.equal(await kept(second.id), false, "cancelled");

  const third = await startOf(world, template, { secret });
  await run(world, third, SOME);
  const path = `/api/project/${world.web.id}/tasks/${third}`;
  assert.equal((await world.api("erin", "DELETE", path)).status, 204);
  assert.equal(await kept(third), false, "deleted");
  await pass(world, 5);
  assert.deepEqual(await due(world), []);

  const last = await startOf(world, template, { secret });
  await run(world, last, { web1: "ok" });
  assert.equal(await kept(last), false, "succeeded");
});

Deno.test("attempts get no rights that their starter did not have", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world, { allow_override_args_in_task: true });
  const path = `/api/project/${world.web.id}/templates/${template}`;
  const first = await startOf(world, template, { arguments: '["--forks","3"]' });
  await run(world, first, SOME);
  await pass(world, 5);
  const second = await latestOf(world);
  assert.deepEqual([second.arguments, second.arguments_checked], ['["--forks","3"]', true]);
  await run(world, second.id, SOME);
  const { body } = await world.api("alice", "GET", path);
  await world.api("alice", "PUT", path, { ...body, allow_override_args_in_task: false });
  await pass(world, 5);
  assert.equal((await latestOf(world)).id, second.id);
  assert.equal(
    (await rowOf(world, second.id)).attempt?.ended?.key,
    "errors.retry.template_changed",
  );
});

Deno.test("each attempt asks for the confirmation that its template requires", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world, { require_confirmation: true });
  const first = await startOf(world, template);
  assert.equal((await taskApi(world, first, "/confirm", "POST")).status, 204);
  await run(world, first, SOME);
  await pass(world, 5);
  const second = await latestOf(world);
  assert.equal(second.status, "waiting_confirmation");
  assert.equal((await taskApi(world, second.id, "/reject", "POST")).status, 204);
  await pass(world, 600);
  assert.equal((await tasksOf(world)).length, 2);
});

Deno.test("attempts of a scheduled task belong to the schedule, and need the same runner", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world, { runner_tag: "dmz" });
  const first = await startOf(world, template);
  const scheduled = {
    schedule_id: 7,
    started_by: { kind: "schedule", name: "Nightly" },
    user_id: null,
    username: null,
    user_name: null,
  } as const;
  await amendTask(world.kv, { id: first, project_id: world.web.id }, scheduled);
  await run(world, first, SOME);
  await pass(world, 5);
  const second = await latestOf(world);
  const { schedule_id, started_by, user_id, runner_labels } = second;
  assert.deepEqual({ schedule_id, started_by, user_id, runner_labels }, {
    schedule_id: 7,
    started_by: scheduled.started_by,
    user_id: null,
    runner_labels: ["dmz"],
  });
});

Deno.test("lists of pages show attempts once, and count them once", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world, { name: "Flaky" });
  const first = await startOf(world, template);
  await run(world, first, SOME);
  await pass(world, 5);
  const { id } = await latestOf(world);
  await run(world, id, SOME);
  await startOf(world, template, { limit: "web9" });
  const base = `/project/${world.web.id}`;
  for (const page of ["history", "history?status=error", `templates/${template}`]) {
    const html = await (await world.get("bob", `${base}/${page}`)).text();
    assert.match(html, new RegExp(`id="task-${id}"`), page);
    assert.match(html, /2 of 4/, page);
    assert.doesNotMatch(html, new RegExp(`id="task-${first}"`), page);
    assert.match(html, page.includes("error") ? /1–1 of 1\b/ : /1–2 of 2\b/, page);
  }
  const { body } = await world.api("bob", "GET", `/api${base}/tasks`);
  assert.equal(body.length, 3, "clients of the API get all tasks");
  assert.equal((await world.api("erin", "DELETE", `/api${base}/tasks/${first}`)).status, 204);
  const html = await (await world.get("bob", `${base}/history`)).text();
  assert.match(html, /1–2 of 2\b/);
});

Deno.test("trends count attempts once, by the last one", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  await run(world, await startOf(world, template), SOME);
  assert.deepEqual(await counted(world, template), {});
  await pass(world, 5);
  await run(world, (await latestOf(world)).id, { web2: "ok", web3: "ok" });
  assert.deepEqual(await counted(world, template), { success: 1 });
  const cancelled = await startOf(world, template);
  await run(world, cancelled, SOME);
  await taskApi(world, cancelled, "/stop", "POST");
  assert.deepEqual(await counted(world, template), { success: 1, error: 1 });
});

Deno.test("attempts send one alert: when one recovers, or when the last one fails", async () => {
  const slackUrl = "https://chat.example.com/hook";
  const alerts = { ...readAlertSettings(() => undefined, () => assert.fail()), slackUrl };
  await using world = await newWorld({ config: { alerts } });
  const sent = async () =>
    (await outbox(world)).map(({ task_id, status }) => [task_id, status]).toSorted();
  const template = await repeatingTemplate(world, { retry_attempts: 1 });
  await run(world, await startOf(world, template), SOME);
  assert.deepEqual(await sent(), []);
  await pass(world, 5);
  const recovered = await latestOf(world);
  await run(world, recovered.id, { web2: "ok", web3: "ok" });
  assert.deepEqual(await sent(), [[recovered.id, "success"]]);
  const { value: project } = await world.kv.get<ProjectRow>(rowKeys.project(world.web.id));
  const row = await rowOf(world, recovered.id);
  const { title, facts } = taskMessage(world.deps.config, project!, row, "en");
  assert.equal(title, "Nightly succeeded on attempt 2");
  assert.ok(facts.some(({ label, value }) => label === "Attempt" && value === "2 of 2"));

  await run(world, await startOf(world, template), SOME);
  await pass(world, 5);
  const last = await latestOf(world);
  await run(world, last.id, { web2: "failed", web3: "ok" });
  assert.deepEqual(await sent(), [[recovered.id, "success"], [last.id, "error"]]);

  // A person who cancels the next attempt knows of the failure. Nobody else does otherwise.
  const cancelled = await startOf(world, template);
  await run(world, cancelled, SOME);
  await taskApi(world, cancelled, "/stop", "POST");
  const superseded = await startOf(world, template);
  await run(world, superseded, SOME);
  await startOf(world, template);
  await pass(world, 5);
  assert.deepEqual((await sent()).slice(2), [[superseded, "error"]]);
});
