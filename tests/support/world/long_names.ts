import assert from "node:assert/strict";
import { join } from "node:path";
import { acceptDrift } from "@/lib/drift/accept.ts";
import { openProject } from "@/lib/access/scope.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { WaitingRow } from "@/lib/people/identities/schema.ts";
import { getTasks } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import type { ScheduleRow } from "@/lib/triggers/schedules/schema.ts";
import { PASSWORD } from "./cast.ts";
import { setAside } from "./jobs.ts";
import { repositoryForm, templateForm } from "./forms.ts";
import { writeHistory } from "./history.ts";
import { EPOCH, play, reportedTask, result, task } from "./reported_task.ts";
import type { World } from "./world.ts";

/** Names as people really give them, in the languages in which lists are measured. */
const PEOPLE = [
  "Anna-Maria Schneider-Hoffmann",
  "Christopher Kensington-Wainwright III",
  "Eve Runner",
  "External Auditor (read only)",
  "Farid al-Rahman ibn Yusuf al-Khwarizmi",
  "Inês de Oliveira Gonçalves Pereira",
  "Jo Li",
  "Katarzyna Brzęczyszczykiewicz-Wójcik",
  "Дмитрий Александрович Воскресенский",
  "山本 秀樹",
];
const TEMPLATES = [
  "Health check",
  "Back up certificates of all load balancers",
  "Roll out web configuration (EU-Central)",
  "Überprüfung der Datenbanksicherungen",
  "Обновление балансировщиков нагрузки",
  "Deploy application servers",
  "Проверка резервных копий баз данных и восстановления всех систем вычислительного центра",
  "Rotate TLS keys",
  "Patch operating systems, one zone at a time",
];
const PLAYBOOKS = [
  "site.yml",
  "playbooks/backup_certificates.yml",
  "customer-portal/deploy_servers.yml",
];
const RESOURCES = [
  "Local",
  "Customer portal (EU-Central)",
  "Berlin site",
  "Резервный центр данных",
];
const MESSAGES = ["", "Hotfix for the login page", "Because the certificate of the portal expires"];
const VERSIONS = ["2024.11.05-rc1", "1.0.7", null];
const HOSTS = [
  "db1",
  "web-07.customer-portal.eu-central-1.compute.internal.example.com",
  "lb2.example.com",
];
const STATUSES = ["success", "error", "stopped"] as const;
const AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  "callboard-deployment-pipeline/2.14.0 (+https://git.example.com/platform/pipeline)",
];

type Make = (path: string, body: unknown) => Promise<{ id: number }>;

/** Fills every list of the web project, of Erin's account and of the server with long names. */
export async function fillLists(world: World): Promise<{ integration: number; reported: number }> {
  const below = (prefix: string): Make => async (path, body) => {
    const answer = await world.api("erin", "POST", prefix + path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const make = below(`/api/project/${world.web.id}`);
  await addPeople(world, make, below("/api"));
  const parts = await addResources(world, make);
  const model = await waitingTask(world, make);
  await addTemplates(world, make, parts, model);
  await addSchedules(world, make);
  const integration = await addIntegration(world, make);
  const reported = await addHosts(world);
  await addDrift(world);
  await addAccess(world, below("/api"));
  await addJobs(world);
  return { integration, reported };
}

async function addJobs(world: World) {
  for (const [n, reason] of ["disk full", "a long reason ".repeat(20)].entries()) {
    await setAside(world, { task: 9_000 + n, error: new Error(reason) });
  }
}

async function addPeople({ people, kv, clock }: World, make: Make, server: Make) {
  for (const [n, name] of PEOPLE.entries()) {
    const username = n % 2 ? `person${n}` : `firstname.lastname-${n}`;
    const email = `${username}@platform.example.com`;
    const { id } = await server("/users", { name, username, email, password: PASSWORD });
    await make("/users", { user_id: id, role: n % 2 ? "task_runner" : "guest" });
    const waiting: WaitingRow = {
      kind: "oidc",
      provider: "main",
      issuer: "https://id.example.com",
      subject: username,
      profile: { username, name, email },
      asked: clock.now().toISOString(),
      refused: n % 3 === 0,
    };
    await kv.set(rowKeys.waitingPerson(waiting.issuer, username), waiting);
  }
  await make("/users", { user_id: people.erin.id, role: "owner" });
}

async function addResources(world: World, make: Make) {
  const ids = { repository_id: 0, inventory_id: 0, environment_id: 0 };
  for (const [n, name] of RESOURCES.entries()) {
    const key = await make("/keys", { name, type: "none" });
    const { ssh_key_id, ...repository } = repositoryForm(world, {
      name,
      git_url: n % 2 ? `git@git.example.com:platform/customer-portal/playbooks-${n}.git` : "/srv/p",
      git_branch: n % 2 ? "release/2024-11-customer-portal" : "main",
    });
    ids.repository_id = (await make("/repositories", { ...repository, ssh_key_id })).id;
    const host = n % 2 ? `git-${n}.example.com` : `https://git.example.com/platform/portal-${n}`;
    await make("/host_configs", { type: n % 2 ? "host" : "url", host, ssh_key_id: key.id });
    ids.environment_id = (await make("/environment", { name, json: "{}", env: "{}" })).id;
    const inventory = n % 2
      ? { type: "file", inventory: "inventories/production/eu-central/hosts.yml" }
      : { type: "static-yaml", inventory: "all:" };
    ids.inventory_id = (await make("/inventory", { name, ssh_key_id, ...inventory })).id;
    await make("/views", { title: name, position: n });
  }
  await pinHosts(world);
  return ids;
}

async function pinHosts({ deps, web }: World) {
  const folder = join(deps.config.dataDir, "known_hosts");
  await Deno.mkdir(folder, { recursive: true });
  const lines = HOSTS.map((host) => `${host} ssh-ed25519 ${btoa("key".repeat(17))}`);
  await Deno.writeTextFile(join(folder, String(web.id)), lines.join("\n") + "\n");
}

async function waitingTask({ kv, web, deploy }: World, make: Make): Promise<TaskRow> {
  const { id } = await make("/tasks", { template_id: deploy.id, message: MESSAGES[2] });
  const [task] = await getTasks(kv, [[web.id, id]]);
  return task;
}

async function addTemplates(world: World, make: Make, parts: object, model: TaskRow) {
  for (let n = 0; n < 16; n++) {
    const template_name = TEMPLATES[n % TEMPLATES.length];
    const playbook = PLAYBOOKS[n % PLAYBOOKS.length];
    const form = { name: template_name, playbook, ...n % 2 && parts };
    const { id: template_id } = await make("/templates", templateForm(world, form));
    const status = n % 5 ? STATUSES[n % 3] : "waiting_confirmation";
    const change: Partial<TaskRow> = {
      template_name,
      status,
      message: MESSAGES[n % 3],
      start: model.created,
      end: n % 5 ? new Date(Date.parse(model.created) + n * 97_000).toISOString() : null,
      version: n % 4 ? null : VERSIONS[n % 3],
      user_name: PEOPLE[n % PEOPLE.length],
      end_reason: status === "error"
        ? { key: "errors.run.hosts_failed", params: { failed: n, unreachable: 1, hosts: 30 } }
        : null,
    };
    const changes = [change, { ...change, id: 0 }].map((one, m) => ({
      ...one,
      template_id: m ? world.deploy.id : template_id,
    }));
    if (n % 4 || n === 0) await writeHistory(world.kv, model, changes);
  }
}

async function addSchedules({ kv, web, deploy, clock }: World, make: Make) {
  const times = ["30 6 * * 1-5", "0 */2 1,15 * *", "TZ=America/Argentina/Buenos_Aires 15 3 * * 0"];
  for (const [n, cron_format] of times.entries()) {
    const name = n ? TEMPLATES[n + 1] : "";
    const { id } = await make("/schedules", { template_id: deploy.id, cron_format, name });
    if (n !== 1) continue;
    const key = rowKeys.resource("schedules", web.id, id);
    const { value } = await kv.get<ScheduleRow>(key);
    const last_error = {
      key: "errors.not_allowed_by_template",
      params: { field: "limit" },
      at: clock.now().toISOString(),
    };
    await kv.set(key, { ...value!, last_error });
  }
}

async function addIntegration(world: World, make: Make): Promise<number> {
  const { id } = await make("/integrations", {
    name: TEMPLATES[2],
    template_id: world.deploy.id,
    searchable: true,
    keep_bodies: true,
  });
  await make("/integrations", { name: "Push", template_id: world.deploy.id });
  const below = `/integrations/${id}`;
  const part = { body_data_type: "json", key: "repository.owner.organization.full_name" };
  await make(`${below}/matchers`, {
    name: TEMPLATES[1],
    match_type: "body",
    method: "equals",
    value: "refs/heads/release/2024-11-customer-portal",
    ...part,
  });
  await make(`${below}/values`, {
    name: TEMPLATES[1],
    value_source: "body",
    variable: "customer_portal_release_candidate",
    ...part,
  });
  const { url } = (await world.api(
    "erin",
    "POST",
    `/api/project/${world.web.id}${below}/aliases`,
    {},
  )).body;
  const { pathname } = new URL(url);
  for (const full_name of ["platform", "other"]) {
    const body = JSON.stringify({ repository: { owner: { organization: { full_name } } } });
    await world.request(pathname, {
      method: "POST",
      body,
      address: "2001:db8:85a3::8a2e:370:7334",
    });
  }
  return id;
}

async function addHosts(world: World): Promise<number> {
  const reported = await reportedTask(world);
  await reported.report(play("Web"), task("a"));
  const said = ["ok", "changed", "failed"] as const;
  const message = "Check the certificate: it has expired on 2026-11-01, 23:59:59 UTC";
  for (const [n, host] of HOSTS.entries()) {
    await reported.report(result("a", host, { status: said[n], message: n ? message : "" }));
  }
  // The recap of the first host has a number of each kind but "unreachable".
  for (const [n, status] of (["changed", "skipped", "rescued", "ignored"] as const).entries()) {
    await reported.report(task(`more${n}`), result(`more${n}`, HOSTS[0], { status }));
  }
  await reported.end("error");
  await rememberDue(world.deps);
  return reported.id;
}

async function addDrift(world: World): Promise<void> {
  const hosts = [...HOSTS, "web1.example.com", "web2", "web3.example.com"];
  const reported = await reportedTask(world, { check: true });
  const ways = [{ status: "ok" }, { status: "changed", changed: true, diff: "+a\n" }, {
    status: "unreachable",
  }] as const;
  await reported.report(play("Web"), task("a"));
  for (const [n, host] of hosts.entries()) await reported.report(result("a", host, ways[n % 3]));
  await reported.report({ type: "end", at: EPOCH, lost: 0, checkMode: [] });
  await reported.end();
  await storeDueDrift(world.deps);
  const scope = await openProject(
    { deps: world.deps, actor: world.people.bob.actor },
    world.web.id,
    "run_tasks",
  );
  const until = new Date(world.clock.now().getTime() + 864e5).toISOString();
  await acceptDrift(scope, world.deploy.id, { hosts: [hosts[1]], until, note: MESSAGES[2] });
}

async function addAccess(world: World, server: Make) {
  for (const name of ["", "Deployment pipeline of the customer portal"]) {
    await server("/user/tokens", { name });
  }
  for (const agent of AGENTS) {
    await world.request("/api/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": agent },
      body: JSON.stringify({ auth: "erin", password: PASSWORD }),
      address: "2001:db8:85a3::8a2e:370:7334",
    });
  }
}
