import assert from "node:assert/strict";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import type { JobRow } from "@/lib/jobs/rows.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { taskMessage } from "@/lib/alerts/message.ts";
import { approvalWorker } from "@/lib/queue/approvals/approval_limits.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { beforeCommit } from "@/tests/support/basics/before_commit.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World, type WorldOptions } from "@/tests/support/world/world.ts";

/** A template whose tasks must be approved by a rule. */
async function newStage(rule: Record<string, unknown>, options: WorldOptions = {}) {
  const world = await newWorld(options);
  const { api, web } = world;
  const project = `/api/project/${web.id}`;
  const form = templateForm(world, { require_confirmation: true, approval: rule });
  const template = await api("mike", "POST", `${project}/templates`, form);
  assert.equal(template.status, 201, JSON.stringify(template.body));
  const pathOf = (id: number) => `${project}/tasks/${id}`;
  return {
    world,
    form,
    template: `${project}/templates/${template.body.id}`,
    async start(person: Person = "bob"): Promise<number> {
      const { body } = await api(person, "POST", `${project}/tasks`, {
        template_id: template.body.id,
      });
      assert.equal(body.status, "waiting_confirmation", JSON.stringify(body));
      return body.id;
    },
    vote: (person: Person, id: number, verb = "confirm", note?: string) =>
      api(person, "POST", `${pathOf(id)}/${verb}`, note === undefined ? undefined : { note }),
    task: async (id: number) => (await api("bob", "GET", pathOf(id))).body,
    votes: async (id: number) => (await api("carol", "GET", `${pathOf(id)}/approvals`)).body,
    row: (id: number) => getTaskRow(world.kv, web.id, id),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const eventsOf = async ({ api, web }: World) =>
  (await api("alice", "GET", `/api/project/${web.id}/events`)).body
    .map(({ description }: { description: string }) => description) as string[];

Deno.test("n of m people approve, each of them once, and events say who and why", async () => {
  await using stage = await newStage({ needed: 2 });
  const id = await stage.start();
  assert.equal((await stage.vote("mike", id, "confirm", "Tested")).status, 204);
  assert.equal((await stage.task(id)).status, "waiting_confirmation");
  const again = await stage.vote("mike", id);
  assert.equal(again.status, 409);
  assert.match(again.body.error, /already voted/);
  assert.equal((await stage.task(id)).approval.approved, 1);
  // The list is sorted by time, although Bob has the lower id.
  stage.world.clock.advance(1_000);
  assert.equal((await stage.vote("bob", id)).status, 204);
  assert.equal((await stage.task(id)).status, "confirmed");
  const votes = await stage.votes(id);
  assert.deepEqual(
    votes.map(({ username, status, note }: Record<string, string>) => [username, status, note]),
    [["mike", "approved", "Tested"], ["bob", "approved", ""]],
  );
  const events = await eventsOf(stage.world);
  assert.ok(events.some((text) => /was approved \(1 of 2\)\. Note: Tested/.test(text)), events[0]);
  assert.ok(events.some((text) => /was approved$/.test(text)));
});

Deno.test("the starter and the last editor may be excluded, an admin too", async () => {
  await using stage = await newStage({ not_starter: true, not_editor: true });
  const id = await stage.start("erin");
  for (const verb of ["confirm", "reject"]) {
    const starter = await stage.vote("erin", id, verb);
    assert.equal(starter.status, 403);
    assert.match(starter.body.error, /started this/);
    const editor = await stage.vote("mike", id, verb);
    assert.equal(editor.status, 403);
    assert.match(editor.body.error, /last person to change/);
  }
  // The task runs with the settings of its start, so a later change excludes no one else.
  const changed = await stage.world.api("alice", "PUT", stage.template, {
    ...stage.form,
    name: "Renamed",
  });
  assert.equal(changed.status, 204, JSON.stringify(changed.body));
  assert.equal((await stage.vote("mike", id)).status, 403);
  assert.equal((await stage.vote("alice", id)).status, 204);
  assert.equal((await stage.task(id)).status, "confirmed");
});

Deno.test("roles and named people may approve, whatever else they may do", async () => {
  await using stage = await newStage({ roles: ["manager"], user_ids: [] });
  const { world } = stage;
  const id = await stage.start();
  for (const person of ["bob", "carol", "alice", "erin"] as const) {
    const { status, body } = await stage.vote(person, id);
    assert.equal(status, 403, person);
    assert.match(body.error, /not one of the people/);
  }
  assert.equal((await stage.vote("dave", id)).status, 404);
  assert.equal((await stage.vote("mike", id)).status, 204);

  const approval = { user_ids: [world.people.carol.id] };
  await world.api("mike", "PUT", stage.template, { ...stage.form, approval });
  const other = await stage.start();
  assert.equal((await stage.vote("mike", other)).status, 403);
  assert.equal((await stage.vote("carol", other)).status, 204);
  assert.equal((await stage.task(other)).status, "confirmed");

  // An administrator counts as an owner.
  await world.api("mike", "PUT", stage.template, { ...stage.form, approval: { roles: ["owner"] } });
  const owned = await stage.start();
  assert.equal((await stage.vote("mike", owned)).status, 403);
  assert.equal((await stage.vote("erin", owned)).status, 204);
});

Deno.test("people who may not confirm learn nothing about the state of a task", async () => {
  await using stage = await newStage({ not_starter: true });
  const ended = await stage.start();
  assert.equal((await stage.vote("mike", ended, "reject")).status, 204);
  for (const id of [ended, await stage.start()]) {
    for (const verb of ["confirm", "reject"]) {
      for (const [person, status] of [["carol", 403], ["bob", 403], ["dave", 404]] as const) {
        assert.equal((await stage.vote(person, id, verb)).status, status, `${person} ${verb}`);
      }
    }
  }
  assert.equal((await stage.vote("mike", ended)).status, 409);
});

Deno.test("one rejection ends a task, with its note as the reason", async () => {
  await using stage = await newStage({ needed: 3 });
  const id = await stage.start();
  await stage.vote("bob", id);
  assert.equal((await stage.vote("mike", id, "reject", "Not on Friday")).status, 204);
  const task = await stage.task(id);
  assert.equal(task.status, "stopped");
  assert.match(task.end_reason, /Mike rejected the task.*Not on Friday/);
  assert.equal((await stage.votes(id)).length, 2);
  assert.equal((await stage.vote("alice", id)).status, 409);
  const { kv, web } = stage.world;
  const gone = await stage.world.api("erin", "DELETE", `/api/project/${web.id}/tasks/${id}`);
  assert.equal(gone.status, 204);
  const left = await Array.fromAsync(kv.list({ prefix: rowKeys.taskVotes(web.id, id) }));
  assert.deepEqual(left, []);
});

Deno.test("a rule changes only for later tasks, and a body without it keeps it", async () => {
  await using stage = await newStage({ needed: 2, message: "Careful" });
  const { api } = stage.world;
  const id = await stage.start();
  const form = templateForm(stage.world, { require_confirmation: true });
  await api("mike", "PUT", stage.template, form);
  assert.equal((await api("mike", "GET", stage.template)).body.approval.needed, 2);
  await api("mike", "PUT", stage.template, { ...form, approval: null });
  assert.equal((await api("mike", "GET", stage.template)).body.approval, null);
  await stage.vote("bob", id);
  assert.equal((await stage.task(id)).status, "waiting_confirmation");
  const free = await stage.start();
  await stage.vote("bob", free);
  assert.equal((await stage.task(free)).status, "confirmed");
});

Deno.test("a person who votes from many browsers in parallel counts once", async () => {
  for (let round = 0; round < 5; round++) {
    await using stage = await newStage({ needed: 3 });
    const id = await stage.start();
    const people = ["bob", "mike", "bob", "bob", "mike", "bob"] as const;
    const answers = await Promise.all(people.map((person) => stage.vote(person, id)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 204, 409, 409, 409, 409]);
    const { status, approval } = await stage.task(id);
    assert.deepEqual([status, approval.approved], ["waiting_confirmation", 2]);
    assert.equal((await stage.vote("alice", id)).status, 204);
    assert.equal((await stage.task(id)).status, "confirmed");
  }
});

Deno.test("a member who was removed meanwhile does not vote", async () => {
  await using stage = await newStage({ needed: 2 });
  const { world } = stage;
  const id = await stage.start();
  const user = `/api/project/${world.web.id}/users/${world.people.mike.id}`;
  const removal = beforeCommit(world.kv, "set", "task_votes", async () => {
    assert.equal((await world.api("alice", "DELETE", user)).status, 204);
  });
  assert.equal((await stage.vote("mike", id)).status, 404);
  assert.ok(removal.happened());
  assert.equal((await stage.task(id)).approval.approved, 0);
  assert.equal((await stage.vote("mike", id)).status, 404);
});

Deno.test("a time limit ends a confirmation once, on whatever server", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_approvals_" });
  const kvPath = `${home}/callboard.kv`;
  for (const [on_timeout, status] of [["rejected", "stopped"], ["approved", "confirmed"]]) {
    await using stage = await newStage({ timeout_minutes: 30, on_timeout }, {
      kvPath: `${kvPath}.${on_timeout}`,
    });
    const { world } = stage;
    const id = await stage.start();
    const early = await stage.start();
    await stage.vote("bob", early);
    assert.equal(
      (await stage.row(id)).approval?.until,
      new Date(Date.parse((await stage.row(id)).created) + 30 * 60_000).toISOString(),
    );
    await doDue(world.deps, approvalWorker);
    assert.equal((await stage.row(id)).status, "waiting_confirmation");
    world.clock.advance(30 * 60_000 + 1);
    const kv = await openStore(`${kvPath}.${on_timeout}`);
    const other = { ...world.deps, kv };
    await Promise.all(
      [world.deps, other].map((deps) => doDue(deps, approvalWorker, { shared: true })),
    );
    kv.close();
    assert.equal((await stage.row(id)).status, status);
    assert.equal((await stage.row(early)).status, "confirmed");
    const told = (await eventsOf(world)).filter((text) => /time limit/.test(text));
    assert.equal(told.length, 1, told.join("\n"));
    const left = await Array.fromAsync(world.kv.list({ prefix: rowKeys.jobs() }));
    assert.deepEqual(left, []);
  }
  await Deno.remove(home, { recursive: true });
});

Deno.test("a server that dies at any moment ends a confirmation once", async () => {
  await using stage = await newStage({ timeout_minutes: 1, on_timeout: "approved" });
  const { deps, clock } = stage.world;
  let last = false;
  for (let nth = 1; !last; nth++) {
    for (const when of ["before", "after"] as const) {
      const id = await stage.start();
      clock.advance(61_000);
      const dying = dieAt(deps, nth, when);
      await doDue(dying.deps, approvalWorker).catch(() => {});
      last = !dying.died();
      await doDue(deps, approvalWorker);
      assert.equal((await stage.row(id)).status, "confirmed", `commit ${nth}, ${when}`);
    }
    assert.ok(nth < 20);
  }
});

Deno.test("a limit that cannot be applied rejects the task, or is set aside, and holds up no other", async () => {
  await using stage = await newStage({ timeout_minutes: 1, on_timeout: "approved" });
  const { kv, deps, clock } = stage.world;
  const [broken, unstored, fine] = [await stage.start(), await stage.start(), await stage.start()];
  const { get, atomic } = kv;
  kv.get = (key, options) => {
    if (key[0] === "tasks" && key[2] === broken) throw new TypeError("the row is broken");
    return get.call(kv, key, options) as never;
  };
  kv.atomic = () => {
    const op = atomic.call(kv);
    const { set } = op;
    op.set = (key, value, options) => {
      const { id, status } = value as { id?: number; status?: string };
      if (id === unstored && status === "confirmed") throw new TypeError("it is too large");
      return set.call(op, key, value, options);
    };
    return op;
  };
  for (let n = 0; n < 6; n++) {
    clock.advance(61_000);
    await doDue(deps, approvalWorker);
  }
  kv.get = get;
  kv.atomic = atomic;
  assert.equal((await stage.row(fine)).status, "confirmed");
  const { status, end_reason } = await stage.row(unstored);
  assert.deepEqual([status, end_reason?.key], ["stopped", "errors.run.internal"]);
  assert.equal((await stage.row(broken)).status, "waiting_confirmation");
  const { value } = await kv.get<JobRow>(rowKeys.job("approvals", broken));
  assert.ok(value?.set_aside);
  assert.equal(value.failure?.reason.key, "errors.jobs.unexpected");
});

Deno.test("an alert says how many approvals are missing", async () => {
  const alerts = readAlertSettings(
    (name) => name === "CALLBOARD_WEBHOOK_URL" ? "https://alerts.example.com/" : undefined,
    (name, must) => assert.fail(`${name} ${must}`),
  );
  await using stage = await newStage({ needed: 2, message: "Ask Ann", timeout_minutes: 5 }, {
    config: { alerts },
  });
  const { world } = stage;
  const row = await stage.row(await stage.start());
  const project = { id: world.web.id, name: "Web" } as Parameters<typeof taskMessage>[1];
  const { facts } = taskMessage(world.deps.config, project, row, "en");
  const said = new Map(facts.map(({ label, value }) => [label, value]));
  assert.equal(said.get("Approvals"), "2 approvals missing");
  assert.equal(said.get("Message to the approvers"), "Ask Ann");
  assert.ok(said.get("Time limit"));
});

Deno.test("the page says who must approve, and has buttons only for them", async () => {
  await using stage = await newStage({
    needed: 2,
    roles: ["manager", "task_runner"],
    not_starter: true,
    message: "Only on weekdays",
    timeout_minutes: 60,
  });
  const { world } = stage;
  const id = await stage.start();
  const path = `/project/${world.web.id}/tasks/${id}`;
  const open = async (person: Person) => await htmlOf(await world.get(person, path));
  const confirm = new RegExp(`action="${path}/confirm"`);
  const mike = await open("mike");
  assert.match(mike, confirm);
  assert.match(mike, new RegExp(`formaction="${path}/reject"`, "i"));
  assert.match(mike, /Only on weekdays/);
  assert.match(mike, /0 of 2 approvals/);
  assert.match(mike, /in 1h|in 60m|in 59m/);
  const bob = await open("bob");
  assert.doesNotMatch(bob, confirm);
  assert.match(bob, /The person who started this/);
  assert.match(bob, new RegExp(`action="${path}/stop"`));
  const carol = await open("carol");
  assert.doesNotMatch(carol, new RegExp(`action="${path}/(confirm|stop)"`));
  assert.match(carol, /not one of the people/);

  const voted = await world.post("mike", `${path}/confirm`, { note: "<b>Fine</b>", back: path });
  assert.equal(voted.status, 303);
  const after = await open("mike");
  assert.doesNotMatch(after, confirm);
  assert.match(after, /Mike approved/);
  assert.match(after, /&lt;b>Fine&lt;\/b>|&lt;b&gt;Fine/);
  assert.match(after, /1 of 2 approvals/);
  assert.equal((await world.post("bob", `${path}/confirm`, {})).status, 403);
});

Deno.test("a page names no one outside the project whom a rule names by id", async () => {
  await using stage = await newStage({ user_ids: [] });
  const { world } = stage;
  const { carol, dave } = world.people;
  const approval = { user_ids: [carol.id, dave.id] };
  await world.api("mike", "PUT", stage.template, { ...stage.form, approval });
  const id = await stage.start();
  const page = () => world.get("bob", `/project/${world.web.id}/tasks/${id}`);
  const before = await htmlOf(await page());
  assert.match(before, /Carol/);
  assert.doesNotMatch(before, /Dave/);
  assert.match(before, new RegExp(`Former member \\(#${dave.id}\\)`));
  await world.api("alice", "DELETE", `/api/project/${world.web.id}/users/${carol.id}`);
  assert.doesNotMatch(await htmlOf(await page()), /Carol/);
});

Deno.test("a template's form keeps a rule, without a script too", async () => {
  await using stage = await newStage({ needed: 2, roles: ["manager"], user_ids: [9_999] });
  const { world } = stage;
  const page = stage.template.replace("/api", "") + "/edit";
  const html = await htmlOf(await world.get("mike", page));
  assert.match(html, /name="approval\.roles\.1"[^>]*value="manager"[^>]*checked/);
  assert.match(html, /Former member \(#9999\)/);
  const values = Object.fromEntries(
    [...html.matchAll(/<input[^>]*>/g)].flatMap(([tag]) => {
      const [name, value] = ["name", "value"].map((part) =>
        new RegExp(` ${part}="([^"]*)"`).exec(tag)?.[1]
      );
      const isBox = /type="(checkbox|radio)"/.test(tag);
      return name && (!isBox || / checked/.test(tag)) ? [[name, value ?? ""]] : [];
    }),
  );
  const { body: before } = await world.api("mike", "GET", stage.template);
  const selects = {
    inventory_id: String(before.inventory_id),
    repository_id: String(before.repository_id),
    environment_id: String(world.web.environmentId),
  };
  const sent = {
    ...values,
    ...selects,
    "approval.user_ids.3": String(world.people.carol.id),
    "approval.message": "Ask",
  };
  const { "approval.roles.1": _, ...noRole }: Record<string, string> = sent;
  const refused = await world.post("mike", page, { ...noRole, "approval.needed": "3" });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /More approvals are needed than people are selected/);
  const saved = await world.post("mike", page, sent);
  assert.equal(saved.status, 303);
  const { body } = await world.api("mike", "GET", stage.template);
  assert.deepEqual(body.approval.roles, ["manager"]);
  assert.deepEqual(
    new Set(body.approval.user_ids),
    new Set([world.people.carol.id, 9_999]),
  );
  assert.deepEqual([body.approval.needed, body.approval.message], [2, "Ask"]);
});
