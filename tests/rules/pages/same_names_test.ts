import assert from "node:assert/strict";
import { paths } from "@/lib/base/paths.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { readNamePerson } from "@/lib/people/users/name_person.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import {
  newRule,
  newTarget,
  ok,
  runTask,
  send,
  startReceiver,
} from "@/tests/support/services/alerting.ts";
import { countingReads } from "@/tests/support/basics/counting_reads.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { textOf } from "@/tests/support/basics/html.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function rename(
  { api, people }: World,
  person: Person,
  name: string,
  username = person as string,
) {
  const { body } = await api("erin", "GET", `/api/users/${people[person].id}`);
  const answer = await api("erin", "PUT", `/api/users/${people[person].id}`, {
    ...body,
    name,
    username,
  });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
}

/** Returns the text of a page, with one space where it has any. */
async function pageText({ get }: World, path: string, person: Person = "alice"): Promise<string> {
  const response = await get(person, path);
  assert.equal(response.status, 200, path);
  const html = await response.text();
  const labels = [...html.matchAll(/(?:aria-label|title)="([^"]*)"/g)].map(([, text]) => text);
  return [textOf(html), ...labels].join(" ").replace(/\s+/g, " ");
}

const tellOf = async ({ kv }: World, row: Pick<TaskRow, "user_id" | "username" | "user_name">) =>
  (await readNamePerson(kv))(row);

Deno.test("a name alone is only shown for the one account that has it", async () => {
  await using world = await newWorld();
  const { people, kv } = world;
  const [bob, mike] = [people.bob.id, people.mike.id];
  const tell = (user_id: number | null, username: string | null, user_name: string | null) =>
    tellOf(world, { user_id, username, user_name });
  assert.equal(await tell(bob, "bob", "Bob"), "Bob");
  assert.equal(await tell(null, null, "Callboard"), "Callboard");
  assert.equal(await tell(null, null, null), "");

  // Capitals, spaces and letters of other alphabets do not tell people apart.
  for (const name of ["Bob", " bob ", "BOB", "Воb"]) {
    await rename(world, "mike", name);
    assert.equal(await tell(bob, "bob", "Bob"), "Bob (bob)", name);
    assert.equal(await tell(mike, "mike", name.trim()), `${name.trim()} (mike)`);
  }
  // Nor may a name look like the text of another account.
  await rename(world, "carol", "Bob (bob)");
  assert.equal(await tell(people.carol.id, "carol", "Bob (bob)"), "Bob (bob) (carol)");

  // A name that the account no longer has may be that of anyone else.
  await rename(world, "mike", "Mike", "mike2");
  assert.equal(await tell(bob, "bob", "Bob"), "Bob");
  assert.equal(await tell(mike, "mike", "Bob"), "Bob (mike2)");
  // Someone else has the old username now.
  await rename(world, "dave", "Bob", "mike");
  assert.equal(await tell(mike, "mike", "Bob"), "Bob (mike2)");
  assert.equal(await tell(people.dave.id, "mike", "Bob"), "Bob (mike)");
  assert.equal((await world.api("erin", "DELETE", `/api/users/${mike}`)).status, 204);
  assert.equal(await tell(mike, "mike2", "Bob"), "Bob (mike2)");
  assert.equal(await tell(mike, "mike", "Bob"), `Bob (#${mike})`);
  assert.equal(await tell(null, "ann", "Ann"), "Ann (ann)");
  assert.ok((await kv.get(rowKeys.usersStamp())).versionstamp);
});

Deno.test("accounts are read again only after a name has changed, here or elsewhere", async () => {
  await using world = await newWorld();
  const { kv, read } = countingReads(world.kv, ["users"]);
  const person = { user_id: world.people.bob.id, username: "bob", user_name: "Bob" };
  const rowsFor = async () => {
    const before = read.rows;
    return [(await readNamePerson(kv))(person), read.rows - before];
  };
  assert.deepEqual(await rowsFor(), ["Bob", 6]);
  assert.deepEqual(await rowsFor(), ["Bob", 0]);
  await rename(world, "mike", "Bob");
  assert.deepEqual(await rowsFor(), ["Bob (bob)", 6]);
});

Deno.test("pages distinguish people of one name", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { api, web, people, kv } = world;
  await rename(world, "mike", "Alex Kim");
  await rename(world, "bob", "Alex Kim");
  const project = `/project/${web.id}`;
  const post = async (person: Person, path: string, body: unknown = {}) => {
    const answer = await api(person, "POST", `/api${project}${path}`, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };

  const rule = { needed: 2, user_ids: [people.mike.id, people.bob.id] };
  const form = templateForm(world, { name: "Asked", require_confirmation: true, approval: rule });
  const template = (await post("mike", "/templates", form)).id;
  const task = (await post("bob", "/tasks", { template_id: template })).id;
  await post("mike", `/tasks/${task}/confirm`);
  const other = (await post("mike", "/tasks", { template_id: template })).id;
  await post("bob", `/tasks/${other}/reject`);
  const workflow = await stage.workflow([{ kind: "approval", name: "Go", approval: rule }]);
  const run = await stage.start(workflow, {}, "bob");
  await post("mike", `/workflows/${workflow}/runs/${run}/approvals/1`, { status: "approved" });
  const again = await stage.start(workflow, {}, "mike");

  const bob = "Alex Kim (bob)";
  const mike = "Alex Kim (mike)";
  const places: [path: string, ...texts: string[]][] = [
    [`${project}/history`, bob, mike],
    [`${project}/templates?open=${template}`, bob, mike],
    [`${project}/templates/${template}`, bob, mike],
    [paths.task(web.id, template, task), bob, mike],
    [paths.task(web.id, template, other), mike, `${bob} rejected the task`],
    [`${project}/templates/${template}/edit`, bob, mike],
    [paths.compare(web.id, template, other, task), bob, mike],
    [`${project}/workflows/${workflow}`, bob, mike],
    [`${project}/workflows/${workflow}/runs/${run}`, bob, mike],
    [`${paths.compareRuns(web.id, workflow, again)}&b=${run}`, bob, mike],
    [`${project}/workflows/${workflow}/steps/1`, bob, mike],
    [`${project}/team`, `Role of ${bob}`, `Role of ${mike}`],
    [`${project}/team/${people.bob.id}/delete`, bob],
    [`${project}/activity`, "bob", "mike"],
  ];
  const missing: unknown[] = [];
  for (const [path, ...texts] of places) {
    try {
      const text = await pageText(world, path);
      for (const one of texts) if (!text.includes(one)) missing.push([path, one]);
    } catch (error) {
      missing.push([path, String(error).slice(0, 100)]);
    }
  }
  for (const [path, text] of [["/users", bob], [`/users/${people.bob.id}/delete`, bob]]) {
    if (!(await pageText(world, path, "erin")).includes(text)) missing.push([path, text]);
  }
  assert.deepEqual(missing, []);

  // The API answers the recorded names, which clients compare.
  const row = await getTaskRow(kv, web.id, task);
  const { body } = await api("alice", "GET", `/api${project}/tasks/${task}`);
  assert.deepEqual([body.user_name, body.username], ["Alex Kim", row.username]);

  // Nothing stays of it once the name is of one person.
  await rename(world, "mike", "Mike");
  const text = await pageText(world, paths.task(web.id, template, task));
  assert.ok(text.includes("Alex Kim") && !text.includes(bob), text);
});

Deno.test("messages say who of several people of one name started a task", async () => {
  await using world = await newWorld();
  await rename(world, "mike", "Bob");
  const receiver = startReceiver(ok);
  await using _ = receiver;
  await newRule(world, await newTarget(world, receiver.url), {});
  await runTask(world, "error");
  await send(world);
  assert.match(JSON.stringify(receiver.calls), /Bob \(bob\)/);
});
