import assert from "node:assert/strict";
import { box, makeDatabase, TABLES } from "@/tests/support/services/semaphore_database.ts";
import { createSecretBox } from "../../access/secret_box.ts";
import { backupOf } from "./backup_file.ts";
import { sqliteSource } from "./sqlite.ts";
import { taskItem, timeOf } from "./task_item.ts";

Deno.test("a database is read with its references by name and its secrets opened", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  try {
    await makeDatabase(path);
    const source = await sqliteSource(path, box);
    assert.deepEqual(await source.projects().then((all) => all.map(({ name }) => name)), ["Shop"]);
    const read = await source.read(7);
    assert.deepEqual(read.members.map(({ username, role }) => [username, role]), [
      ["alice", "owner"],
    ]);
    const { file, secrets } = backupOf(read);
    const { templates, workflows, schedules, keys, environments, views, meta } =
      file as unknown as Record<
        string,
        // deno-lint-ignore no-explicit-any -- a file of another server
        any
      >;
    assert.deepEqual(keys.map(({ name }: { name: string }) => name), ["None", "Vault", "Token"]);
    assert.deepEqual(environments[0].secrets, [{ type: "var", name: "db_password" }]);
    assert.equal(meta.alert, true);
    const [site] = templates;
    assert.deepEqual(
      [site.repository, site.inventory, site.environment, site.view, site.vaults[0].vault_key],
      ["Plays", "Hosts", "Prod", "Releases", "Vault"],
    );
    assert.deepEqual([site.autorun, site.allow_override_args_in_task], [false, true]);
    assert.equal(site.survey_vars[0].title, "Release");
    assert.deepEqual([schedules[0].template, schedules[0].active], ["Site", true]);
    const [{ name, nodes: [task, approval], edges }] = workflows;
    assert.deepEqual([name, task.template, task.inventory], ["Release", "Site", "Hosts"]);
    assert.deepEqual([approval.template, approval.approval_message], [null, "Deploy?"]);
    assert.deepEqual([edges[0].source_node_id, edges[0].destination_node_id], [task.id, 9]);
    const [{ hidden, type, sort_column, sort_reverse }] = views;
    assert.deepEqual([hidden, type, sort_column, sort_reverse], [true, "all", "name", true]);
    assert.equal(secrets.keys.get("Token")!.string, "tok-4711");
    assert.equal(secrets.variables.get("Prod")!.get("var.db_password"), "hunter2x");
    assert.deepEqual(secrets.keys.get("Vault")!.login_password, {
      login: "root",
      password: "opensesame",
    });
    // The backup file holds no secret, even if the source could open it.
    assert.doesNotMatch(JSON.stringify(file), /hunter2x|opensesame|tok-4711/);
  } finally {
    await Deno.remove(path);
  }
});

/** Additions of later versions: parameters in a table of their own, values and revisions. */
const SINCE_2_20 = `
create table project__task_params (id integer primary key, project_id int, environment text,
  arguments text, inventory_id int, git_branch varchar(255), params text, version varchar(20),
  message varchar(250));
insert into project__task_params values (4, 7, null, null, 1, null, '{"limit":["web"]}', null, 'Hi');
alter table project__schedule add column task_params_id int;
update project__schedule set task_params_id = 4;
alter table project__workflow_node add column task_params_id int;
alter table project__workflow_node add column revision_id int;
alter table project__workflow_edge add column revision_id int;
alter table project__workflow_edge add column input_mappings text;
update project__workflow_node set revision_id = 1;
update project__workflow_edge set revision_id = 1;
insert into project__workflow_node values (20, 5, 3, null, null, 'task', 'all', null, null, null, 2),
  (21, 5, 3, null, null, 'task', 'all', null, null, 4, 2);
insert into project__workflow_edge values (2, 5, 20, 21, 'on_success', 2,
  '[{"var":"release","key":"version"}]');
`;

Deno.test("a database of a later version is read with its parameters, values and latest revision", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  try {
    await makeDatabase(path, SINCE_2_20);
    const { file } = backupOf(await (await sqliteSource(path, box)).read(7));
    // deno-lint-ignore no-explicit-any -- a file of another server
    const { workflows: [{ nodes, edges }], schedules: [nightly] } = file as any;
    assert.deepEqual([nightly.inventory, nightly.task_params.message], ["Hosts", "Hi"]);
    assert.deepEqual(nightly.task_params.params, { limit: ["web"] });
    assert.deepEqual(nodes.map(({ id }: { id: number }) => id), [20, 21]);
    assert.deepEqual([nodes[1].inventory, nodes[1].task_params.params], ["Hosts", {
      limit: ["web"],
    }]);
    assert.equal(edges.length, 1);
    assert.deepEqual(edges[0].input_mappings, [{ var: "release", key: "version" }]);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("secrets sealed with another key must be typed in again", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  try {
    await makeDatabase(path);
    const other = await createSecretBox(new Uint8Array(32).fill(8));
    const { secrets } = backupOf(await (await sqliteSource(path, other)).read(7));
    assert.equal(secrets.keys.get("Vault")!.login_password, undefined);
    assert.equal(secrets.variables.get("Prod")!.size, 0);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a dump is read like a database, and other files get a sentence", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sql" });
  try {
    await Deno.writeTextFile(path, `BEGIN TRANSACTION;${TABLES}COMMIT;`);
    const { file } = backupOf(await (await sqliteSource(path, null)).read(7));
    assert.equal((file as unknown as { templates: unknown[] }).templates.length, 1);
    await Deno.writeTextFile(path, "hello");
    await assert.rejects(sqliteSource(path, null), /is neither an SQLite database/);
    await assert.rejects(sqliteSource(`${path}.gone`, null), /cannot be read/);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("tasks are read with their output, in order, from its range of rows", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  try {
    await makeDatabase(path);
    const source = await sqliteSource(path, box);
    const idsOf = async (count: number) =>
      (await source.tasks(7, 3, count)).tasks.map(({ id }) => id);
    assert.deepEqual(await idsOf(Infinity), [13, 12, 11]);
    assert.deepEqual([await idsOf(2), await idsOf(0)], [[13, 12], []]);
    const { tasks: [, , oldest] } = await source.tasks(7, 3, 3);
    assert.equal(oldest.created, "2024-05-01T08:00:00.123Z");
    const read = taskItem.parse(await source.task(7, 11));
    assert.deepEqual([read.dry_run, read.hosts_limit, read.user_id], [true, ["web", "db"], 1]);
    assert.deepEqual(taskItem.parse(await source.task(7, 12)).params?.tags, ["a"]);
    assert.equal(await source.task(7, 99), null);
    const output = await Array.fromAsync(source.output(7, 11), ({ output }) => output);
    assert.equal(output[0], "one of 11");
    assert.equal(output.length, 2);
    assert.equal((await Array.fromAsync(source.output(7, 12))).length, 1);
    assert.equal((await Array.fromAsync(source.output(7, 13))).length, 0);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("times are read in the formats of the API and of database drivers", () => {
  const told = "2024-05-01T08:00:00.120Z";
  for (
    const text of [
      "2024-05-01T08:00:00.12Z",
      "2024-05-01T10:00:00.12+02:00",
      "2024-05-01 08:00:00.120999999+00:00",
      "2024-05-01 08:00:00.120000001 +0000 UTC",
      "2024-05-01 08:00:00.12",
    ]
  ) assert.equal(timeOf(text)?.toISOString(), told, text);
  for (const none of [null, "", "0001-01-01T00:00:00Z", "yesterday", "2024-13-01 00:00:00"]) {
    assert.equal(timeOf(none), null);
  }
});
