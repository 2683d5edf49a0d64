import assert from "node:assert/strict";
import { join } from "node:path";
import type { ToolchainPlan } from "@/lib/execution/ansible/plan.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { newRealProject } from "../support/real_project.ts";
import { installStandIn } from "../support/real_server.ts";
import { silentMirror } from "../support/silent_mirror.ts";
import { until } from "../support/until.ts";
import { newRunBench, type RunBench } from "../support/run_bench.ts";

const reaches = await fetch("https://pypi.org/simple/ansible-core/", { method: "HEAD" })
  .then(({ ok }) => ok, () => false);

const VERSIONS = ["2.14", "2.16", "2.19"];

const toolchainOf = (ansibleCore: string, changes: Partial<ToolchainPlan> = {}): ToolchainPlan => ({
  name: `Core ${ansibleCore}`,
  kind: "built",
  ansibleCore,
  pip: [],
  collections: [],
  python: "",
  path: "",
  ...changes,
});

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - command: echo {{ ansible_version.full }}
      register: said
    - debug: { msg: "{{ said.stdout }}" }
`;
const HOSTS =
  "localhost ansible_connection=local ansible_python_interpreter={{ansible_playbook_python}}\n";

/** Runs the play with a toolchain, and returns its results and output. */
async function play(bench: RunBench, toolchain: ToolchainPlan) {
  const events: RunEvent[] = [];
  const plan = bench.plan({ toolchain, fullResults: true });
  plan.inventory = { ...plan.inventory, content: HOSTS };
  const ran = await bench.run(plan, { onEvent: (event) => void events.push(event) });
  return { ...ran, results: events.filter((event) => event.type === "result"), events };
}

for (const mode of ["none", "bwrap"] as const) {
  Deno.test({
    name: `three releases run at once, each with full results, with isolation ${mode}`,
    ignore: !reaches,
    async fn() {
      await using bench = await newRunBench();
      bench.environment.isolation = { ...noIsolation, mode };
      bench.environment.timeLimits.galaxyMs = 300_000;
      await bench.repository.commit({ "site.yml": PLAY }, "Play");
      const runs = await Promise.all(VERSIONS.map((core) => play(bench, toolchainOf(core))));
      for (const [n, { end, log, results, events }] of runs.entries()) {
        assert.equal(end, "success", log);
        const version = new RegExp(`core ${VERSIONS[n]}\\.\\d+`);
        assert.match(log, version);
        const [command] = results;
        const { stdout } = command.full!.value as { stdout: string };
        assert.ok(stdout.startsWith(`${VERSIONS[n]}.`), stdout);
        assert.equal(results.length, 2);
        const last = events.at(-1);
        assert.ok(last?.type === "end" && last.lost === 0, JSON.stringify(last));
      }
    },
  });
}

Deno.test({
  name: "a folder of wheels replaces the network, with real packages",
  ignore: !reaches,
  async fn() {
    await using bench = await newRunBench();
    const wheels = join(bench.directory, "wheels");
    const args = ["-m", "pip", "download", "-q", "-d", wheels, "ansible-core~=2.16.0"];
    const { success } = await new Deno.Command("python3", { args }).output();
    assert.ok(success);
    bench.environment.packages.wheels = wheels;
    bench.environment.timeLimits.galaxyMs = 300_000;
    // Nothing answers there.
    bench.environment.variables = {
      https_proxy: "http://127.0.0.1:9",
      http_proxy: "http://127.0.0.1:9",
    };
    await bench.repository.commit({ "site.yml": PLAY }, "Play");
    const { end, log } = await play(bench, toolchainOf("2.16"));
    assert.equal(end, "success", log);
  },
});

Deno.test("a server ends in order during a build, and knows it after kill -9", async () => {
  await using mirror = silentMirror();
  await using project = await newRealProject({
    ansible: (home) => installStandIn(join(home, "ansible")),
    env: { CALLBOARD_WHEELS: mirror.url },
  });
  const id = await project.make("toolchains", { name: "Slow", ansible_core: "2.16" });
  const path = `/api/project/${project.id}/toolchains/${id}/build`;
  const build = async () => (await project.server.api("GET", path)).body;
  for (const how of ["SIGTERM", "SIGKILL"] as const) {
    await project.server.api("POST", path);
    await until(async () => /Building/.test((await build()).log));
    const begunAt = performance.now();
    await project.restart(how);
    // Neither pip nor the mirror answers, and a drain would wait for a minute.
    assert.ok(performance.now() - begunAt < 30_000);
    await until(async () => (await build()).state === "failed", 30_000);
    assert.match((await build()).reason, /server stopped/);
    const left = await Array.fromAsync(Deno.readDir(join(project.dataDir, "toolchains")));
    assert.deepEqual(left.filter(({ isDirectory }) => isDirectory), []);
  }
  assert.doesNotMatch(project.printed(), /closed|BadResource/i);
});
