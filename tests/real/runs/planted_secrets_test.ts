import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ISOLATION_MODES, type IsolationCase } from "@/tests/support/programs/isolation_modes.ts";
import {
  accessOf,
  type Planted,
  type PlantedSecrets,
  plantSecrets,
  type Row,
  ROWS,
  SEARCH,
} from "@/tests/support/programs/planted_secrets.ts";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { spawnRunner } from "@/tests/support/server/real_runner.ts";

const DOCUMENT = fileURLToPath(new URL("../../../docs/isolation.md", import.meta.url));
const MODES = ["none", "user", "bwrap"] as const;
/** Number of files, at least. */
const FILES_MIN = 40;

/** Returns the cells of the table by row and isolation. */
async function readTable(): Promise<Map<string, Record<string, string>>> {
  const lines = (await Deno.readTextFile(DOCUMENT)).split("\n");
  const head = lines.findIndex((line) =>
    /^\| what +\| `none` +\| `user` +\| `bwrap` +\|$/.test(line)
  );
  assert.ok(head >= 0, "docs/isolation.md has the table");
  const rows = lines.slice(head + 2, lines.indexOf("", head))
    .map((line) => line.slice(1, -1).split("|").map((cell) => cell.trim()));
  return new Map(
    rows.map(([name, ...cells]) => [
      name!,
      Object.fromEntries(MODES.map((mode, n) => [mode, cells[n]!])),
    ]),
  );
}

/** Starts a task of another project that goes on, and adds what it has to the planted. */
async function startOther(project: RealProject, { id, planted }: PlantedSecrets) {
  const { home, make, makeTemplate, startTask } = project;
  const key = join(home, "key");
  const { success } = await new Deno.Command("ssh-keygen", {
    args: ["-q", "-t", "ed25519", "-N", "", "-f", key],
  }).output();
  assert.ok(success);
  const marker = `planted-${id}-other-task`;
  const play = `- hosts: localhost
  gather_facts: false
  tasks:
    - raw: sleep 777
`;
  const { repository_id } = await addPlays(project, play, "Other");
  const ssh_key_id = await make("keys", {
    name: "Agent",
    type: "ssh",
    ssh: { login: "", passphrase: "", private_key: await Deno.readTextFile(key) },
  });
  const inventory_id = await make("inventory", {
    name: "With a key",
    type: "static",
    inventory: "localhost ansible_connection=local\n",
    ssh_key_id,
  });
  const environment_id = await make("environment", {
    name: "Other",
    json: "{}",
    env: JSON.stringify({ PLANTED_OTHER: marker }),
  });
  const template = await makeTemplate({
    name: "Other",
    repository_id,
    inventory_id,
    environment_id,
  });
  const task = await startTask(template);
  const folder = join(project.dataDir, "tasks", String(task));
  await project.until(task, ["running"]);
  planted.push({ row: "tasks", path: "process:other", marker });
  const sockets = await socketsIn(folder);
  assert.ok(sockets.length > 0, await project.log(task));
  for (const path of sockets) planted.push({ row: "tasks", path });
  return task;
}

async function socketsIn(folder: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("find", {
    args: [folder, "-type", "s", "!", "-name", "reports"],
  })
    .output();
  return new TextDecoder().decode(stdout).split("\n").filter(Boolean);
}

/** Runs the play that searches, and returns its output. */
async function search(
  project: RealProject,
  { id, since, planted }: PlantedSecrets,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { repository_id } = await addPlays(project, SEARCH, "Search");
  const port = Number(new URL(project.server.url).port);
  planted.push({ row: "network", path: `tcp:${port}` });
  const paths = planted.map(({ path }) => path).filter((path) => path.startsWith("/"));
  const environment_id = await project.make("environment", {
    name: "Search",
    json: JSON.stringify({ paths, id, since, port }),
  });
  const template = await project.makeTemplate({
    name: "Search",
    repository_id,
    environment_id,
    ...fields,
  });
  const { task, log } = await project.run(template);
  assert.equal(task.status, "success", log);
  assert.match(log, /searched everything/);
  return log;
}

/** Fails with each thing whose access is not that of the table. */
async function requireTable(log: string, planted: Planted[], mode: (typeof MODES)[number]) {
  const table = await readTable();
  const wrong = planted.flatMap((one) => {
    const cell = table.get(ROWS[one.row])?.[mode];
    // The modes of planted files keep other accounts away.
    const expected = cell === "by its mode" ? "closed" : cell;
    const access = accessOf(log, one);
    return access === expected ? [] : [`${one.row}: ${one.path} is ${access}, not ${cell}`];
  });
  assert.deepEqual(wrong, []);
}

Deno.test("the table of docs/isolation.md has a row for each kind of thing, and no other", async () => {
  const table = await readTable();
  assert.deepEqual([...table.keys()], Object.values(ROWS));
  for (const [row, cells] of table) {
    const known = Object.values(cells).every((cell) =>
      ["closed", "read", "open", "by its mode"].includes(cell)
    );
    assert.ok(known, row);
  }
});

async function requireAsTable({ mode, options }: IsolationCase) {
  await using secrets = await plantSecrets();
  const { planted } = secrets;
  const own = { ...options, env: { ...options.env, ...secrets.env } };
  await using project = await addRealProject(own);
  await using other = await addRealProject(own);
  await using idle = await addRealProject(own);
  await secrets.addTo(project.dataDir, project.id, idle.id);
  const task = await startOther(other, secrets);
  const files = planted.filter(({ path, row }) => path.startsWith("/") && row !== "program");
  assert.ok(files.length >= FILES_MIN, `${files.length} files`);
  const rows = new Set<Row>([...planted.map(({ row }) => row), "network"]);
  assert.equal(rows.size, Object.keys(ROWS).length - (Deno.uid() === 0 ? 0 : 1));
  const log = await search(project, secrets);
  await requireTable(log, planted, mode);
  if (mode === "bwrap") {
    const audit = planted.find(({ row }) => row === "audit")!;
    assert.match(await Deno.readTextFile(audit.path), new RegExp(audit.marker!));
  }
  await other.stopTask(task, true);
  await other.ended(task);
}

for (const isolation of ISOLATION_MODES) {
  Deno.test({
    name: `a play reaches what docs/isolation.md says, and nothing else, with: ${isolation.name}`,
    ignore: isolation.ignore,
    fn: () => requireAsTable(isolation),
  });
}

Deno.test("a play on a runner reaches nothing that settings of the runner name, with bwrap", async () => {
  await using secrets = await plantSecrets();
  await using project = await addRealProject();
  const { home, id, server } = project;
  const { body } = await server.api("POST", `/api/project/${id}/runners`, {
    name: "planted",
    tags: ["planted"],
  });
  const { CALLBOARD_RUNNER_TOKEN_FILE: token, ...env } = secrets.env;
  await Deno.writeTextFile(token!, body.registration_token);
  const dataDir = join(home, "runner");
  const runner = spawnRunner({
    dataDir,
    env: {
      ...env,
      CALLBOARD_RUNNER_TOKEN_FILE: token!,
      CALLBOARD_TASK_ISOLATION: "bwrap",
      CALLBOARD_RUNNER_URL: server.url,
      CALLBOARD_RUNNER_VAULT_URL: "https://vault.example.invalid",
    },
  }, "start");
  try {
    await runner.says("waits for tasks");
    await secrets.addTo(dataDir, id, id + 1);
    secrets.planted.push({ row: "data", path: join(dataDir, "runner.json") });
    const planted = secrets.planted.filter(({ row }) => row !== "store");
    const log = await search(project, { ...secrets, planted }, { runner_tag: "planted" });
    await requireTable(log, planted, "bwrap");
  } finally {
    runner.kill("SIGTERM");
    assert.equal(await runner.code, 0, runner.output());
  }
});
