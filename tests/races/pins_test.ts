import assert from "node:assert/strict";
import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Store } from "@/lib/store/store.ts";
import { isFinished } from "@/lib/model/status.ts";
import { newQueue, type Queue } from "@/tests/support/server/queue.ts";
import { STAND_IN } from "@/tests/support/server/run_bench.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Changes a row right before its `n`-th read from now on. Returns whether it did. */
function changeBeforeRead(kv: Store, key: Deno.KvKey, n: number, change: () => Promise<void>) {
  const get = kv.get;
  let reads = 0;
  kv.get = async (wanted, options) => {
    if (wanted.join() === key.join() && ++reads === n) {
      kv.get = get;
      await change();
    }
    return await get.call(kv, wanted, options) as never;
  };
  return {
    wasRead: () => reads >= n,
    [Symbol.dispose]: () => void (kv.get = get),
  };
}

interface Changing {
  kind: "repositories" | "environment" | "toolchains";
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** Returns the template's members. `id` is that of the changing object. */
  template(id: number): Promise<Record<string, unknown>>;
  /** Printed by a run that contains something that no one has previewed. */
  unseen: RegExp;
}

/** Previews a task, confirms it, and changes its input at each moment when the input is read. */
async function changeAtEachRead(queue: Queue, changing: Changing) {
  const { world: { api, kv, web } } = queue;
  const { kind, before, after, unseen } = changing;
  const path = `/api/project/${web.id}`;
  const { body: { id } } = await api("alice", "POST", `${path}/${kind}`, before);
  const template = await queue.makeTemplate({
    preview_first: true,
    ...await changing.template(id),
  });
  const put = async (fields: object) => {
    const body = { id, project_id: web.id, ...fields };
    assert.equal((await api("alice", "PUT", `${path}/${kind}/${id}`, body)).status, 204);
  };
  const ends = new Set<string>();
  for (let n = 1;; n++) {
    await put(before);
    const task = await queue.start(template);
    await until(async () => (await queue.row(task)).status === "waiting_confirmation");
    const rows = kind === "environment" ? "environments" : kind;
    const key = rowKeys.resource(rows, web.id, id);
    using changed = changeBeforeRead(kv, key, n, () => put(after));
    const { status } = await api("bob", "POST", `${path}/tasks/${task}/confirm`);
    if (status === 204) {
      await until(async () => isFinished((await queue.row(task)).status));
    } else {
      assert.equal(status, 409);
      await api("bob", "POST", `${path}/tasks/${task}/reject`);
    }
    const log = String((await api("bob", "GET", `${path}/tasks/${task}/raw_output`)).body);
    assert.doesNotMatch(log, unseen, `changed before read ${n}`);
    const { end_reason } = await queue.row(task);
    ends.add(status === 409 ? "refused" : end_reason?.key ?? "carried out");
    if (!changed.wasRead()) return ends;
  }
}

/** Creates a folder that repositories use in place. */
async function newFolder(home: string, name: string): Promise<string> {
  const path = join(home, name);
  await Deno.mkdir(path);
  await Deno.writeTextFile(join(path, "site.yml"), "- hosts: all\n  tasks: []\n");
  await Deno.writeTextFile(join(path, "hosts.ini"), `${name}-host\n`);
  return path;
}

Deno.test("a run carries out what was previewed, whenever its input is changed", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_pins_" });
  await using queue = await newQueue();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(home, { recursive: true }));
  queue.dispatch();
  const { web, api } = queue.world;
  const [seen, unseen] = [await newFolder(home, "seen"), await newFolder(home, "unseen")];
  const folder = (git_url: string, name: string) => ({
    name,
    git_url,
    git_branch: "",
    ssh_key_id: web.keyId,
  });

  const ofPlaybook = await changeAtEachRead(queue, {
    kind: "repositories",
    before: folder(seen, "Plays"),
    after: folder(unseen, "Plays"),
    template: (repository_id) => Promise.resolve({ name: "Of a folder", repository_id }),
    unseen: /Using the folder .*unseen/,
  });
  const repositoryEnds = [
    "refused",
    "errors.run.repository_changed_since_preview",
    "carried out",
  ];
  assert.deepEqual([...ofPlaybook], repositoryEnds);

  const ofInventory = await changeAtEachRead(queue, {
    kind: "repositories",
    before: folder(seen, "Hosts"),
    after: folder(unseen, "Hosts"),
    async template(repository_id) {
      const inventory = { name: "Of a file", type: "file", inventory: "hosts.ini", repository_id };
      const path = `/api/project/${web.id}/inventory`;
      const { body } = await api("alice", "POST", path, { ...inventory, ssh_key_id: web.keyId });
      return { name: "Of a file", inventory_id: body.id };
    },
    unseen: /Using the folder .*unseen/,
  });
  assert.deepEqual([...ofInventory], repositoryEnds);

  const echo = (text: string) => ({
    name: "Echo",
    json: JSON.stringify({ callboard_stand_in_echo: text }),
  });
  const ofEnvironment = await changeAtEachRead(queue, {
    kind: "environment",
    before: echo("as it was seen"),
    after: echo("never looked at"),
    template: (environment_id) => Promise.resolve({ name: "Echo", environment_id }),
    unseen: /never looked at/,
  });
  assert.deepEqual([...ofEnvironment], [
    "refused",
    "errors.run.changed_since_preview",
    "carried out",
  ]);

  const toolchain = async (name: string) => {
    const path = join(home, name);
    await Deno.mkdir(path);
    for (const command of ["ansible-playbook", "ansible-galaxy"]) {
      await Deno.symlink(STAND_IN, join(path, command));
    }
    return { name, kind: "path", path };
  };
  const ofToolchain = await changeAtEachRead(queue, {
    kind: "toolchains",
    before: await toolchain("known"),
    after: await toolchain("unknown"),
    template: (toolchain_id) => Promise.resolve({ name: "Old Ansible", toolchain_id }),
    unseen: /of the toolchain unknown/,
  });
  assert.deepEqual([...ofToolchain], [
    "refused",
    "errors.run.toolchain_changed_since_preview",
    "carried out",
  ]);
});
