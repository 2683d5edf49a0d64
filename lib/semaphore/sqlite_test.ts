import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createSecretBox } from "../access/secret_box.ts";
import { backupOf } from "./backup_file.ts";
import { sqliteSource } from "./sqlite.ts";

/** The tables of Semaphore 2.10 that matter here, with a project in them. */
const TABLES = `
create table user (id integer primary key, username text, name text, email text, admin boolean,
  external boolean, alert boolean, password text);
create table project (id integer primary key, name text, alert boolean, alert_chat text,
  max_parallel_tasks integer, type text);
create table project__user (project_id integer, user_id integer, role text);
create table access_key (id integer primary key, name text, type text, project_id integer,
  secret text, environment_id integer);
create table project__repository (id integer primary key, project_id integer, name text,
  git_url text, git_branch text, ssh_key_id integer);
create table project__inventory (id integer primary key, project_id integer, name text, type text,
  inventory text, ssh_key_id integer, become_key_id integer);
create table project__environment (id integer primary key, project_id integer, name text, json text,
  env text);
create table project__view (id integer primary key, project_id integer, title text, position integer);
create table project__template (id integer primary key, project_id integer, name text, playbook text,
  type text, app text, repository_id integer, inventory_id integer, environment_id integer,
  view_id integer, survey_vars text, autorun boolean, allow_override_args_in_task boolean);
create table project__template_vault (id integer primary key, project_id integer,
  template_id integer, vault_key_id integer, name text);
create table project__schedule (id integer primary key, project_id integer, template_id integer,
  cron_format text, name text, active boolean, repository_id integer);
insert into user values (1, 'alice', 'Alice', 'alice@example.org', 1, 0, 1, 'bcrypt');
insert into project values (7, 'Shop', 1, null, 2, '');
insert into project__user values (7, 1, 'owner');
insert into project__repository values (1, 7, 'Plays', 'https://git.example.org/a.git', 'main', 1);
insert into project__inventory values (1, 7, 'Hosts', 'static', 'localhost', 1, null);
insert into project__environment values (1, 7, 'Prod', '{}', null);
insert into project__view values (1, 7, 'Releases', 0);
insert into project__template values (3, 7, 'Site', 'site.yml', '', 'ansible', 1, 1, 1, 1,
  '[{"name":"release","title":"Release"}]', 0, 1);
insert into project__template_vault values (1, 7, 3, 2, 'prod');
insert into project__schedule values (1, 7, 3, '0 3 * * *', 'Nightly', 1, null);
`;

const box = await createSecretBox(new Uint8Array(32).fill(7));
const sealed = async (text: string) => (await box.seal(text)).toBase64();

async function makeDatabase(path: string): Promise<void> {
  using db = new DatabaseSync(path);
  db.exec(TABLES);
  const insert = db.prepare("insert into access_key values (?, ?, ?, 7, ?, ?)");
  insert.run(1, "None", "none", null, null);
  const login = JSON.stringify({ login: "root", password: "opensesame" });
  insert.run(2, "Vault", "login_password", await sealed(login), null);
  insert.run(3, "var.db_password", "string", await sealed("hunter2x"), 1);
}

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
    const { templates, schedules, keys, environments, meta } = file as unknown as Record<
      string,
      // deno-lint-ignore no-explicit-any -- a file of another server
      any
    >;
    assert.deepEqual(keys.map(({ name }: { name: string }) => name), ["None", "Vault"]);
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
    assert.equal(secrets.variables.get("Prod")!.get("var.db_password"), "hunter2x");
    assert.deepEqual(secrets.keys.get("Vault")!.login_password, {
      login: "root",
      password: "opensesame",
    });
    // What a backup is made of holds no secret, whatever came along.
    assert.doesNotMatch(JSON.stringify(file), /hunter2x|opensesame/);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("secrets that were sealed with another key are left to be typed in", async () => {
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

Deno.test("a dump is read as the database is; another file is refused with a sentence", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sql" });
  try {
    await Deno.writeTextFile(path, `BEGIN TRANSACTION;${TABLES}COMMIT;`);
    const { file } = backupOf(await (await sqliteSource(path, null)).read(7));
    assert.equal((file as unknown as { templates: unknown[] }).templates.length, 1);
    await Deno.writeTextFile(path, "hello");
    await assert.rejects(sqliteSource(path, null), /no SQLite database/);
    await assert.rejects(sqliteSource(`${path}.gone`, null), /cannot be read/);
  } finally {
    await Deno.remove(path);
  }
});
