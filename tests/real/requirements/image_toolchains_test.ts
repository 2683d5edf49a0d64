import assert from "node:assert/strict";
import { join } from "node:path";
import type { ToolchainPlan } from "@/lib/execution/ansible/plan.ts";
import { nothingHidden } from "@/lib/execution/process/hidden_paths.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { conceal } from "@/lib/base/secret.ts";
import { newPodman } from "@/tests/support/programs/podman.ts";
import { newRunBench, proveOnBoth, type RunBench } from "@/tests/support/server/run_bench.ts";

const TOOLCHAIN: ToolchainPlan = {
  name: "Boxed",
  kind: "image",
  ansibleCore: "",
  pip: [],
  collections: [],
  python: "",
  path: "",
  image: "registry.example.com/ansible:2.19",
};
const HOSTS =
  "localhost ansible_connection=local ansible_python_interpreter={{ansible_playbook_python}}\n";

async function play(bench: RunBench, more = {}) {
  const events: RunEvent[] = [];
  const plan = bench.plan({ toolchain: TOOLCHAIN, fullResults: true, ...more });
  plan.inventory = { ...plan.inventory, content: HOSTS };
  const ran = await bench.run(plan, { onEvent: (event) => void events.push(event) });
  return { ...ran, events };
}

proveOnBoth(
  "a play in an image has its folders, results and secrets, and nothing else",
  async (on) => {
    await using bench = await newRunBench(on);
    const podman = await newPodman(join(bench.directory, "podman"));
    bench.environment.path = podman.path;
    bench.environment.isolation = { ...noIsolation, mode: "bwrap" };
    await bench.repository.commit({
      "site.yml": `- hosts: all
  gather_facts: false
  tasks:
    - command: sh -c 'echo "$TOKEN_OF_TEST" | tr a-z A-Z; ls ${bench.directory}'
      register: said
    - debug: { msg: "{{ said.stdout }}" }
`,
    }, "Play");
    const secretEnv = { TOKEN_OF_TEST: conceal("swordfish-of-image") };
    const { end, reason, log, events } = await play(bench, { secretEnv });
    assert.equal(end, "success", `${JSON.stringify(reason)}\n${log}`);
    assert.match(
      log,
      /^Pulling the image registry\.example\.com\/ansible:2\.19 of the toolchain Boxed$/m,
    );
    assert.match(log, /^Using ansible-playbook \[core .*\] of the toolchain Boxed$/m);
    const result = events.find((event) => event.type === "result");
    const { stdout } = result!.full!.value as { stdout: string };
    assert.equal(stdout, "SWORDFISH-OF-IMAGE\ndata");
    const calls = await podman.called();
    assert.ok(!JSON.stringify(calls).includes("swordfish"), "no secret is an argument");
    const runs = calls.filter(([command]) => command === "run");
    assert.ok(runs.length > 0 && runs.every((run) => run.includes("--log-driver=none")));
    const { log: again } = await play(bench);
    assert.doesNotMatch(again, /Pulling/);
  },
);

for (const leads of ["as itself", "by a link"]) {
  Deno.test(`a folder with the data folder shows an image nothing of it, ${leads}`, async () => {
    await using bench = await newRunBench();
    const podman = await newPodman(join(bench.directory, "podman"));
    bench.environment.path = podman.path;
    const { directory, environment: { dataDir } } = bench;
    await Deno.mkdir(join(dataDir, "backups"), { recursive: true });
    await Deno.mkdir(join(directory, "kv"));
    const store = join(directory, "kv", "callboard.kv");
    for (const path of [store, join(dataDir, "secret.key"), join(dataDir, "backups", "b.gz")]) {
      await Deno.writeTextFile(path, "swordfish");
    }
    bench.environment.isolation = {
      ...noIsolation,
      mode: "bwrap",
      hidden: {
        ...nothingHidden,
        files: [store],
        folders: [join(dataDir, "backups")],
      },
    };
    const folder = leads === "by a link" ? await Deno.makeTempDir() + "/link" : directory;
    if (folder !== directory) await Deno.symlink(directory, folder);
    await Deno.writeTextFile(
      join(directory, "site.yml"),
      `- hosts: all
  gather_facts: false
  tasks:
    - command: sh -c 'grep -rl sword ${folder}/data ${directory}/data ${folder}/kv; ls ${folder}/data'
      register: said
      failed_when: false
    - debug: { msg: "Found {{ said.stdout | to_json }}" }
`,
    );
    const address = { kind: "local" as const, url: `${folder}/` };
    const plan = bench.plan();
    const repository = { ...plan.repository, address: { ...plan.repository.address, ...address } };
    const { end, reason, log } = await play(bench, { repository });
    assert.equal(end, "success", `${JSON.stringify(reason)}\n${log}`);
    assert.match(log, /Found /);
    assert.doesNotMatch(log, /secret\.key|\.kv|b\.gz/);
  });
}

Deno.test("an image that is missing ends the task with podman's message", async () => {
  await using bench = await newRunBench();
  const podman = await newPodman(join(bench.directory, "podman"));
  bench.environment.path = podman.path;
  const toolchain = { ...TOOLCHAIN, image: "registry.example.com/missing" };
  const { end, reason } = await bench.run(bench.plan({ toolchain }));
  assert.equal(end, "error");
  assert.equal(reason?.key, "errors.run.toolchain_image");
  assert.match(String(reason?.params?.said), /manifest unknown/);
});

Deno.test("a machine without podman says so", async () => {
  await using bench = await newRunBench();
  await Deno.mkdir(join(bench.directory, "bin"));
  for (
    const program of ["sh", "git", "setsid", "id", "env", "grep", "sed", "cut", "sleep", "sort"]
  ) {
    const { stdout } = await new Deno.Command("which", { args: [program] }).output();
    await Deno.symlink(
      new TextDecoder().decode(stdout).trim(),
      join(bench.directory, "bin", program),
    );
  }
  bench.environment.path = join(bench.directory, "bin");
  const { reason } = await bench.run(bench.plan({ toolchain: TOOLCHAIN }));
  assert.deepEqual(reason, { key: "errors.run.toolchain_podman", params: { name: "Boxed" } });
});

Deno.test("a stopped play in an image leaves no process", async () => {
  await using bench = await newRunBench();
  const podman = await newPodman(join(bench.directory, "podman"));
  bench.environment.path = podman.path;
  const stop = new AbortController();
  const mark = `sleep 98${Math.floor(Math.random() * 1e6)}`;
  const text = `- hosts: all\n  gather_facts: false\n  tasks:\n    - command: ${mark}\n`;
  await bench.repository.commit({ "site.yml": text }, "Play");
  const plan = bench.plan({ toolchain: TOOLCHAIN });
  plan.inventory = { ...plan.inventory, content: HOSTS };
  const ran = bench.run(plan, { stop: stop.signal });
  while (!await isRunning(mark)) await new Promise((resolve) => setTimeout(resolve, 100));
  stop.abort();
  assert.equal((await ran).end, "stopped");
  assert.equal(await isRunning(mark), false);
});

async function isRunning(command: string): Promise<boolean> {
  const { success } = await new Deno.Command("pgrep", { args: ["-fx", command] }).output();
  return success;
}
