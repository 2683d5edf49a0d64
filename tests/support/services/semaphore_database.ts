import { DatabaseSync } from "node:sqlite";
import { createSecretBox } from "@/lib/access/secret_box.ts";

/** Semaphore's tables as far as they matter here, with a project in them. */
export const TABLES = `
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
create table project__view (id integer primary key, project_id integer, title text, position integer,
  hidden boolean, type text, sort_column text, sort_reverse boolean);
create table project__template (id integer primary key, project_id integer, name text, playbook text,
  type text, app text, repository_id integer, inventory_id integer, environment_id integer,
  view_id integer, survey_vars text, autorun boolean, allow_override_args_in_task boolean);
create table project__template_vault (id integer primary key, project_id integer,
  template_id integer, vault_key_id integer, name text);
create table task (id integer primary key autoincrement, template_id int not null,
  status varchar(255) not null, playbook varchar(255) not null, environment longtext null,
  created datetime null, start datetime null, "end" datetime null, user_id int, project_id int null,
  message varchar(250) not null default '', version varchar(20), commit_hash varchar(40),
  commit_message varchar(100) not null default '', build_task_id int, debug boolean not null default
  false, dry_run boolean not null default false, diff boolean not null default false, arguments text,
  hosts_limit varchar(255) not null default '', inventory_id int, git_branch varchar(255),
  params text);
create table task__output (id integer primary key autoincrement, task_id int not null,
  task varchar(255) not null, time datetime not null, output longtext not null);
create table project__schedule (id integer primary key, project_id integer, template_id integer,
  cron_format text, name text, active boolean, repository_id integer);
create table project__workflow_template (id integer primary key, project_id int, name varchar(255),
  description text null);
create table project__workflow_node (id integer primary key, workflow_template_id int,
  template_id int not null default 0, inventory_id int null, environment_id int null,
  kind varchar(30) not null default 'task', convergence_mode varchar(30) not null default 'all',
  approval_timeout int null, approval_message text null);
create table project__workflow_edge (id integer primary key, workflow_template_id int,
  source_node_id int, destination_node_id int, condition varchar(30));
insert into project__workflow_template values (5, 7, 'Release', null);
insert into project__workflow_node values (8, 5, 3, 1, null, 'task', 'all', null, null),
  (9, 5, 0, null, null, 'approval', 'all', 90, 'Deploy?');
insert into project__workflow_edge values (1, 5, 8, 9, 'on_success');
insert into user values (1, 'alice', 'Alice', 'alice@example.org', 1, 0, 1, 'bcrypt');
insert into project values (7, 'Shop', 1, null, 2, '');
insert into project__user values (7, 1, 'owner');
insert into project__repository values (1, 7, 'Plays', 'https://git.example.org/a.git', 'main', 1);
insert into project__inventory values (1, 7, 'Hosts', 'static', 'localhost', 1, null);
insert into project__environment values (1, 7, 'Prod', '{}', null);
insert into project__view values (1, 7, 'Releases', 0, 1, 'all', 'name', 1);
insert into project__template values (3, 7, 'Site', 'site.yml', '', 'ansible', 1, 1, 1, 1,
  '[{"name":"release","title":"Release"},{"name":"pin","title":"PIN","type":"secret"}]', 0, 1);
insert into project__template_vault values (1, 7, 3, 2, 'prod');
insert into task (id, template_id, status, playbook, environment, created, start, "end", user_id,
  project_id, message, commit_hash, dry_run, hosts_limit, inventory_id, params) values
  (11, 3, 'error', '', '{"release":"r1","pin":"4711x"}', '2024-05-01 08:00:00.123456789 +0000 UTC',
    '2024-05-01 08:00:01+00:00', '2024-05-01T08:00:03Z', 1, 7, 'by hand', 'abcdef0123', 1, 'web,db', 1,
    null),
  (12, 3, 'success', '', '', '2024-05-01 09:00:00', null, null, 99, 7, '', null, 0, '', null,
    '{"tags":["a"],"debug":true}'),
  (13, 3, 'running', '', '', '2024-05-01 10:00:00', null, null, null, 7, '', null, 0, '', null, null);
insert into task__output (task_id, task, time, output) values
  (11, '', '2024-05-01 08:00:01.5+00:00', 'one of 11'),
  (12, '', '2024-05-01 09:00:01', 'the only one of 12'),
  (11, '', '2024-05-01 08:00:02.25+00:00', 'the password is hunter2x, the PIN 4711x, not opensesame');
insert into project__schedule values (1, 7, 3, '0 3 * * *', 'Nightly', 1, null);
`;

export const box = await createSecretBox(new Uint8Array(32).fill(7));
const sealed = async (text: string) => (await box.seal(text)).toBase64();

/** Writes the tables to a file, with secrets sealed by `box`, and changes them by `more`. */
export async function makeDatabase(path: string, more = ""): Promise<void> {
  using db = new DatabaseSync(path);
  db.exec(TABLES + more);
  const insert = db.prepare("insert into access_key values (?, ?, ?, 7, ?, ?)");
  insert.run(1, "None", "none", null, null);
  const login = JSON.stringify({ login: "root", password: "opensesame" });
  insert.run(2, "Vault", "login_password", await sealed(login), null);
  insert.run(4, "Token", "string", await sealed("tok-4711"), null);
  insert.run(3, "var.db_password", "string", await sealed("hunter2x"), 1);
}
