import assert from "node:assert/strict";
import { join } from "node:path";
import type { ToolchainPlan } from "@/lib/execution/ansible/plan.ts";
import { shell } from "@/lib/execution/process/shell.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { reachesPypi } from "@/tests/support/programs/pypi.ts";
import { newRealProject } from "@/tests/support/programs/real_project.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import { withSharedPip } from "@/tests/support/programs/shared_pip.ts";
import { silentMirror } from "@/tests/support/services/silent_mirror.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newRunBench, type RunBench } from "@/tests/support/server/run_bench.ts";

const VERSIONS = ["2.14", "2.16", "2.19"];
/** The only one that all of them support. */
const PYTHON = "3.11";

const isPossible = await reachesPypi() &&
  (await shell('"python$1" -c "import ensurepip, pip, venv"', PYTHON)).success;

const toolchainOf = (ansibleCore: string): ToolchainPlan => ({
  name: `Core ${ansibleCore}`,
  kind: "built",
  ansibleCore,
  pip: [],
  collections: [],
  python: PYTHON,
  path: "",
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

Deno.test({
  name: "three releases run side by side, from a folder of wheels and without a network",
  ignore: !isPossible,
  async fn() {
    await using bench = await newRunBench();
    const { environment } = bench;
    const wheels = join(bench.directory, "wheels");
    for (const [n, core] of VERSIONS.entries()) {
      // The dependencies of the oldest suit all.
      const options = n === 0 ? ["-q"] : ["-q", "--no-deps"];
      const args = ["-m", "pip", "download", ...options, "-d", wheels, `ansible-core~=${core}.0`];
      const { success } = await new Deno.Command(`python${PYTHON}`, { args }).output();
      assert.ok(success);
    }
    environment.packages.wheels = wheels;
    environment.path = await withSharedPip(join(bench.directory, "python"), environment.path);
    // The builds below are isolated, so that none of them can be the first to share its pip.
    const first = ["-c", 'python$1 -m venv "$2"', "sh", PYTHON, join(bench.directory, "first")];
    const env = { PATH: environment.path };
    assert.ok((await new Deno.Command("sh", { args: first, env }).output()).success);
    environment.timeLimits.galaxyMs = 300_000;
    // Nothing answers there.
    environment.variables = {
      https_proxy: "http://127.0.0.1:9",
      http_proxy: "http://127.0.0.1:9",
    };
    await bench.repository.commit({ "site.yml": PLAY }, "Play");
    // Built with bwrap, and used with both.
    for (const mode of ["bwrap", "none"] as const) {
      environment.isolation = { ...noIsolation, mode };
      const runs = await Promise.all(VERSIONS.map((core) => play(bench, toolchainOf(core))));
      for (const [n, { end, log, results, events }] of runs.entries()) {
        assert.equal(end, "success", log);
        assert.equal(/^Building/m.test(log), mode === "bwrap");
        assert.match(log, new RegExp(`core ${VERSIONS[n]}\\.\\d+`));
        const [command] = results;
        const { stdout } = command.full!.value as { stdout: string };
        assert.ok(stdout.startsWith(`${VERSIONS[n]}.`), stdout);
        assert.equal(results.length, 2);
        const last = events.at(-1);
        assert.ok(last?.type === "end" && last.lost === 0, JSON.stringify(last));
      }
    }
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
