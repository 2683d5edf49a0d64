import assert from "node:assert/strict";
import { leftovers, newRunBench, replace } from "@/tests/support/server/run_bench.ts";
import { recoverLeftovers } from "@/lib/execution/recover.ts";

Deno.test({
  name: "files of a play that cannot be removed change neither its end nor the next start",
  ignore: !await canMakeImmutable(),
  async fn() {
    await using bench = await newRunBench();
    await replace(bench, "playbook", "touch kept && chattr +i kept");
    const ran = await bench.run(bench.plan());
    const kept = `${bench.environment.dataDir}/tasks/1/checkout/kept`;
    try {
      assert.equal(ran.end, "success", ran.log);
      assert.match(ran.log, /Some files of this run could not be removed: .*kept/);
      const told: unknown[] = [];
      await recoverLeftovers(bench.environment.dataDir, (error) => told.push(error));
      assert.match(String(told), /kept/);
      assert.deepEqual(leftovers(bench), ["1"]);
    } finally {
      await setImmutable(kept, "-i");
    }
    await recoverLeftovers(bench.environment.dataDir, assert.ifError);
    assert.deepEqual(leftovers(bench), []);
  },
});

function setImmutable(path: string, change: "+i" | "-i") {
  return new Deno.Command("chattr", { args: [change, path], stderr: "null" }).output();
}

/** Whether root may create files that root cannot remove, as on most file systems. */
async function canMakeImmutable(): Promise<boolean> {
  const path = await Deno.makeTempFile();
  const { success } = await setImmutable(path, "+i");
  await setImmutable(path, "-i");
  await Deno.remove(path);
  return success;
}

Deno.test("a data folder with a long path works as well", async () => {
  await using bench = await newRunBench();
  bench.environment.dataDir = `${bench.directory}/${"long/".repeat(20)}data`;
  await replace(bench, "playbook", 'echo "sockets: $ANSIBLE_SSH_CONTROL_PATH_DIR"');
  const ran = await bench.run(bench.plan());
  const [, sockets] = ran.log.match(/^sockets: (.*)$/m)!;
  assert.ok(sockets!.length < 80);
  await assert.rejects(Deno.stat(sockets!), Deno.errors.NotFound);
});

Deno.test("processes and files that a killed server and its supervisors leave are ended and removed", async () => {
  await using bench = await newRunBench();
  const tasks = `${bench.environment.dataDir}/tasks`;
  await Deno.mkdir(`${tasks}/99`, { recursive: true });
  await Deno.writeTextFile(`${tasks}/99/vault_0`, "secret");
  const orphan = new Deno.Command("setsid", {
    args: ["sh", "-c", `trap '' TERM; echo ready; while :; do sleep 0.1; done`],
    stdout: "piped",
  }).spawn();
  // Waits until it has a group of its own and ignores TERM.
  await orphan.stdout.getReader().read();
  const start = await startOf(orphan.pid);
  const boot = (await Deno.readTextFile("/proc/sys/kernel/random/boot_id")).trim();
  const system = `${boot}-${await startOf(1)}`;
  // The second id belongs to another process now. The third one belonged to another container.
  const pids = `${orphan.pid} ${start} ${system}\n${Deno.pid} 1 ${system}\n` +
    `${Deno.pid} ${await startOf(Deno.pid)} ${boot}-1\n`;
  await Deno.writeTextFile(`${tasks}/99/pids`, pids);
  assert.equal(await recoverLeftovers(bench.environment.dataDir, assert.ifError), 1);
  assert.equal((await orphan.status).signal, "SIGKILL");
  assert.deepEqual(leftovers(bench), []);
});

/** Returns when a process was started, in ticks since the boot. */
async function startOf(pid: number): Promise<string> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[19]!;
}
