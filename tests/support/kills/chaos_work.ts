import assert from "node:assert/strict";
import { join } from "node:path";
import type { ChaosServers } from "./chaos_servers.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import {
  accessOf,
  type Planted,
  type PlantedSecrets,
  SEARCH,
} from "@/tests/support/programs/planted_secrets.ts";

/** Number of lines that a printing play has. */
const ITEMS = 60;
/** One task of this many searches for secrets, which takes much CPU. */
const SEARCH_EVERY = 12;
const OPEN_MAX = 5;
const TRY_LIMIT_MS = 120_000;
const ENDED = ["success", "error", "stopped"];

const PRINT = `- hosts: localhost
  gather_facts: false
  tasks:
    - debug: { msg: "item number {{ item }} {{ 'x' * 200 }}" }
      loop: "{{ range(1, ${ITEMS + 1}) | list }}"
    - raw: sleep {{ 5 | random }}
    - debug: { msg: "all printed" }
`;

/** A task that was started, and the longest output of it that was seen. */
interface Started {
  id: number;
  kind: "print" | "search" | "vault";
  seen: string;
}

/** People and clients of the servers, and what they have seen. */
interface ChaosWork {
  group: ChaosServers;
  planted: Planted[];
  project: string;
  started: Started[];
  /** Answers with 500, which no failure of a machine or a peer explains. */
  broken: string[];
  keepStarting(isOver: () => boolean): Promise<void>;
  keepWatching(isOver: () => boolean): Promise<void>;
  keepReading(isOver: () => boolean): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Surroundings {
  secrets: PlantedSecrets;
  /** Address of a server that is rude. */
  peer: string;
  home: string;
}

/** Creates a project with three templates: one prints, one searches, one asks a rude peer. */
export async function createWork(
  group: ChaosServers,
  { secrets, peer, home }: Surroundings,
): Promise<ChaosWork> {
  const broken: string[] = [];
  const call = async (method: string, path: string, body?: unknown, key?: string) => {
    const answer = await group.call(method, path, body, key);
    if (answer?.status === 500) broken.push(`${method} ${path}: ${answer.text}`);
    return answer;
  };
  const create = async (path: string, body: unknown): Promise<number> => {
    const answer = await call("POST", path, body);
    assert.equal(answer?.status, 201, `${path}: ${answer?.text}`);
    return JSON.parse(answer!.text).id;
  };
  const id = await create("/api/projects", { name: "Chaos" });
  const project = `/api/project/${id}`;
  const make = (kind: string, body: unknown) => create(`${project}/${kind}`, body);
  const ssh_key_id = await make("keys", { name: "None", type: "none" });
  const inventory_id = await make("inventory", {
    name: "This machine",
    type: "static",
    inventory:
      "localhost ansible_connection=local ansible_python_interpreter={{ansible_playbook_python}}\n",
    ssh_key_id,
  });
  const environment = (name: string, json: unknown, more: object = {}) =>
    make("environment", { name, json: JSON.stringify(json), ...more });
  const repository = async (name: string, files: Record<string, string>) => {
    const git = await newGitRepository(join(home, name));
    await git.commit(files, name);
    return await make("repositories", { name, git_url: git.url, git_branch: "main", ssh_key_id });
  };
  const printing = await repository("print", { "site.yml": PRINT });
  const template = (name: string, repository_id: number, environment_id: number) =>
    make("templates", {
      ...{ name, repository_id, environment_id, inventory_id },
      ...{ playbook: "site.yml", allow_parallel_tasks: true },
    });
  const other = await create("/api/projects", { name: "Other" });
  await Promise.all(group.servers.map(({ dataDir }) => secrets.addTo(dataDir, id, other)));
  const planted = secrets.planted.filter((one) => group.servers.length === 1 || !belongsToOne(one));
  const { since } = secrets;
  const paths = planted.map(({ path }) => path).filter((path) => path.startsWith("/"));
  const port = Number(new URL(group.servers[0]!.url).port);
  const params = { paths, id: secrets.id, since, port };
  const storage_id = await make("secret_storages", {
    name: "Rude",
    type: "vault",
    params: { url: peer },
    secret: "token",
    allow_private: true,
  });
  const source = { storage_id, path: "/database/creds/app", field: "password" };
  const secret = { operation: "create", type: "var", name: "db", source };
  const templates = {
    print: await template("Print", printing, await environment("Print", {})),
    search: await template(
      "Search",
      await repository("search", SEARCH),
      await environment("Search", params),
    ),
    vault: await template(
      "Vault",
      printing,
      await environment("Vault", {}, { secrets: [secret] }),
    ),
  };
  const target = { name: "Ops", kind: "http", allow_private: true, settings: { url: peer } };
  const target_id = await make("alert_targets", target);
  const events = ["failed", "succeeded"];
  await make("alert_rules", { name: "All", target_id, events, repeat: "each" });
  const started: Started[] = [];
  const isOpen = async ({ id }: Started) => {
    const answer = await call("GET", `${project}/tasks/${id}`);
    return answer?.status !== 200 || !ENDED.includes(JSON.parse(answer.text).status);
  };

  /** Starts a task once, however often the call must be sent. */
  async function start(kind: Started["kind"]): Promise<void> {
    const key = crypto.randomUUID();
    const deadline = performance.now() + TRY_LIMIT_MS;
    for (;;) {
      const answer = await call("POST", `${project}/tasks`, { template_id: templates[kind] }, key);
      if (answer?.status === 201) {
        started.push({ id: JSON.parse(answer.text).id, kind, seen: "" });
        return;
      }
      const isAway = !answer || answer.status >= 500 || answer.status === 409;
      assert.ok(isAway, `${answer?.status} ${answer?.text}`);
      assert.ok(performance.now() < deadline, `no task was started: ${answer?.text}`);
      await pause(500);
    }
  }

  return {
    ...{ group, planted, project, started, broken },
    async keepStarting(isOver) {
      let open: Started[] = [];
      while (!isOver()) {
        const n = started.length;
        if (open.length < OPEN_MAX) {
          await start(n % SEARCH_EVERY === 2 ? "search" : n % 4 === 3 ? "vault" : "print");
          open.push(started.at(-1)!);
        } else await pause(1_000);
        const states = await Promise.all(open.map(isOpen));
        open = open.filter((_, n) => states[n]);
      }
    },
    async keepWatching(isOver) {
      while (!isOver()) {
        for (const task of started.slice(-OPEN_MAX)) {
          const answer = await call("GET", `${project}/tasks/${task.id}/raw_output`);
          if (answer?.status !== 200) continue;
          const whole = answer.text.slice(0, answer.text.lastIndexOf("\n") + 1);
          if (whole.length > task.seen.length) task.seen = whole;
        }
        await pause(1_000);
      }
    },
    /** Readers that go away in the middle, and pages. */
    async keepReading(isOver) {
      while (!isOver()) {
        const paths = ["tasks", "events", "templates", `tasks/${started.at(-1)?.id ?? 1}/events`];
        const path = paths[Math.floor(Math.random() * paths.length)]!;
        const { url } = group.servers[Math.floor(Math.random() * group.servers.length)]!;
        await resetIn(url, `${project}/${path}`, Math.random() * 2_000);
        const page = await call("GET", `/project/${id}/history`);
        assert.ok(!page || page.status < 500 || page.status === 503, `${page?.status}`);
        await pause(500);
      }
    },
  };
}

/** Sends a request in parts, reads little of the answer, and resets the connection. */
async function resetIn(url: string, path: string, ms: number): Promise<void> {
  const { hostname, port } = new URL(url);
  try {
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const text = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
    await connection.write(new TextEncoder().encode(text.slice(0, 9)));
    await pause(ms / 2);
    await connection.write(new TextEncoder().encode(text.slice(9)));
    await pause(ms / 2);
  } catch {
    // It is away.
  }
}

/**
 * Whether no setting names a planted thing if servers share a store, or only that of the other
 * server on this machine does.
 */
const belongsToOne = ({ row, path }: Planted): boolean =>
  ["audit", "backups", "data", "store"].includes(row) || path.endsWith("DENO_KV_ACCESS_TOKEN");

/** Requires that each task has one end with a reason, all lines that were seen, and no secret. */
export async function requireTruth(
  { group, planted, project, started, broken }: ChaosWork,
  settleMs: number,
  report: (line: string) => void,
): Promise<void> {
  const get = async (path: string) => {
    const answer = await group.call("GET", `${project}/${path}`);
    return answer?.status === 200 ? answer : null;
  };
  const deadline = performance.now() + settleMs;
  const counts: Record<string, number> = {};
  for (const { id, kind, seen } of started) {
    let task;
    for (;;) {
      const answer = await get(`tasks/${id}`);
      task = answer && JSON.parse(answer.text);
      if (ENDED.includes(task?.status)) break;
      assert.ok(performance.now() < deadline, `task ${id} is still open: ${JSON.stringify(task)}`);
      await pause(500);
    }
    const end = `${kind} ${task.status}${task.end_reason ? `: ${task.end_reason}` : ""}`;
    counts[end] = (counts[end] ?? 0) + 1;
    assert.ok(task.status === "success" || task.end_reason !== "", JSON.stringify(task));
    const log = (await get(`tasks/${id}/raw_output`))!.text;
    assert.ok(log.startsWith(seen), `task ${id} has lost lines:\n${seen}\nis now\n${log}`);
    const items = [...log.matchAll(/"msg": "item number (\d+) /g)].map(([, n]) => Number(n));
    assert.deepEqual(items, items.map((_, n) => n + 1), `task ${id}`);
    if (task.status === "success" && kind === "print") assert.equal(items.length, ITEMS);
    if (kind === "search") requireClosed(log, planted);
  }
  assert.deepEqual(await endsOf(project, group), started.map(({ id }) => id).sort((a, b) => a - b));
  assert.deepEqual(broken, []);
  for (const [end, count] of Object.entries(counts).sort()) report(`${count} x ${end}`);
}

/** Things that docs/isolation.md says are open or readable with bubblewrap. */
const REACHED = ["own", "trusted", "program", "machine", "network"];

function requireClosed(log: string, planted: Planted[]): void {
  const closed = planted.filter(({ row }) => !REACHED.includes(row));
  assert.ok(closed.length >= 30, `${closed.length} things`);
  const reached = closed.filter((one) => accessOf(log, one) !== "closed");
  assert.deepEqual(reached, []);
}

/** Returns the ids of tasks whose end is an event, once for each event. */
async function endsOf(project: string, group: ChaosServers): Promise<number[]> {
  const ids: number[] = [];
  let path: string | null = `${project}/events?limit=200`;
  while (path !== null) {
    const answer = await group.call("GET", path);
    assert.ok(answer, path);
    assert.equal(answer.status, 200, answer.text);
    for (const { object_type, object_id, action } of JSON.parse(answer.text)) {
      if (object_type === "task" && /^(finished|stopped)/.test(action)) ids.push(object_id);
    }
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
    path = next ? new URL(next).pathname + new URL(next).search : null;
  }
  return ids.sort((a, b) => a - b);
}
