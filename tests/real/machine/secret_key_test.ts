import assert from "node:assert/strict";
import { join } from "node:path";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { decodeKey } from "@/lib/access/secret_keys.ts";
import { reveal } from "@/lib/base/secret.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import type { KeyRow } from "@/lib/resources/keys/schema.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import {
  installStandIn,
  type RealServer,
  startRealServer,
} from "@/tests/support/server/real_server.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Runs `deno task secret-key` and returns what it prints. */
async function secretKey(dataDir: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "secret-key", ...args],
    env: { CALLBOARD_DATA: dataDir },
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

/** Further keys, which are copies. ROWS=100000 fills the store. */
const ROWS = Number(Deno.env.get("ROWS") ?? 3000);
const KEYS = Array.from({ length: 100 }, (_, n) => n);

/** Copies the sealed row of a key, with ids that no other key has. */
async function copyKeys(dataDir: string, project: number): Promise<void> {
  using kv = await openStore(join(dataDir, "callboard.kv"));
  const prefix = rowKeys.resources("keys", project);
  const rows = await Array.fromAsync(kv.list<KeyRow>({ prefix }));
  const { value } = rows.find(({ value }) => value.secret)!;
  for (let first = 0; first < ROWS; first += 100) {
    const op = kv.atomic();
    for (let n = first; n < Math.min(first + 100, ROWS); n++) {
      const id = 1_000_000 + n;
      op.set([...prefix, id], { ...value, id, name: `Copy ${n}` });
    }
    await op.commit();
  }
}

/** Creates a template, and returns what runs it once on a server. */
async function newTask(server: RealServer, project: number, home: string) {
  const git = await newGitRepository(join(home, "repository"));
  await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "Play");
  const make = async ({ api }: RealServer, noun: string, body: object): Promise<number> => {
    const made = await api("POST", `/api/project/${project}/${noun}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const ssh_key_id = await make(server, "keys", { name: "None", type: "none" });
  const repository = { name: "Plays", git_url: git.url, git_branch: "main", ssh_key_id };
  const inventory = { name: "Web", type: "static", inventory: "web", ssh_key_id };
  const template_id = await make(server, "templates", {
    name: "Work",
    playbook: "site.yml",
    repository_id: await make(server, "repositories", repository),
    inventory_id: await make(server, "inventory", inventory),
  });
  return async (now: RealServer) => {
    const path = `/api/project/${project}/tasks/${await make(now, "tasks", { template_id })}`;
    const task = async () => (await now.api("GET", path)).body;
    await until(async () => ["success", "error"].includes((await task()).status), 60_000);
    assert.equal((await task()).status, "success");
  };
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

Deno.test("the key is changed while tasks run, on a server that is killed twice meanwhile", async () => {
  const home = await Deno.makeTempDir();
  try {
    const dataDir = join(home, "data");
    const previous = join(dataDir, "secret.key.previous");
    const options = { dataDir, ansibleDir: await installStandIn(join(home, "bin")) };
    const first = await startRealServer(options);
    const project = (await first.api("POST", "/api/projects", { name: "Keys" })).body.id;
    for (const n of KEYS) {
      const login_password = { login: "root", password: `word ${n}` };
      const key = { name: `Key ${n}`, type: "login_password", login_password };
      assert.equal((await first.api("POST", `/api/project/${project}/keys`, key)).status, 201);
    }
    const runTask = await newTask(first, project, home);
    await first.end("SIGTERM");
    await copyKeys(dataDir, project);
    const before = await Deno.readTextFile(join(dataDir, "secret.key"));
    assert.match(await secretKey(dataDir, "rotate"), /Restart the server/);
    assert.notEqual(await Deno.readTextFile(join(dataDir, "secret.key")), before);
    assert.equal(await Deno.readTextFile(previous), before);
    assert.equal((await Deno.stat(previous)).mode! & 0o777, 0o600);
    assert.match(await secretKey(dataDir, "rotate"), /is already being changed/);

    for (let kill = 0; kill < 2; kill++) {
      const killed = await startRealServer(options);
      if (kill === 1) await runTask(killed);
      else await new Promise((resolve) => setTimeout(resolve, 500));
      assert.ok(ROWS < 50_000 || await exists(previous), "it is killed in the middle");
      await killed.end("SIGKILL");
    }
    const last = await startRealServer(options);
    try {
      await runTask(last);
      while (await exists(previous)) await new Promise((resolve) => setTimeout(resolve, 100));
      // The server prints it once the file is gone.
      await until(() => /secret_key_rotated/.test(last.output()));
      const status = await secretKey(dataDir, "status");
      assert.match(status, /Nothing in this store needs the previous key/);
    } finally {
      await last.end("SIGTERM");
    }
    const key = decodeKey(await Deno.readTextFile(join(dataDir, "secret.key")), "secret.key");
    const box = await createSecretBox(key);
    using kv = await openStore(join(dataDir, "callboard.kv"));
    const keys = kv.list<KeyRow>({ prefix: rowKeys.resources("keys", project) });
    const rows = await Array.fromAsync(keys, ({ value }) => value);
    const words = await Promise.all(
      rows.filter(({ secret }) => secret).map(async ({ secret }) =>
        JSON.parse(reveal(await box.open(secret!), "show")).password
      ),
    );
    assert.deepEqual(words, [...KEYS.map((n) => `word ${n}`), ...Array(ROWS).fill("word 0")]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
