import assert from "node:assert/strict";
import {
  leftovers,
  newRunBench,
  proveOnBoth,
  type Ran,
  replace,
  type RunBench,
} from "@/tests/support/server/run_bench.ts";
import { conflict } from "@/lib/base/errors.ts";
import { conceal } from "@/lib/base/secret.ts";

async function stopAt(bench: RunBench, line: RegExp, how: "stop" | "forceStop" = "stop") {
  const abort = new AbortController();
  const startedAt = performance.now();
  const ran = await bench.run(bench.plan(), {
    [how]: abort.signal,
    onLine: (text) => line.test(text) && abort.abort(),
  });
  return { ...ran, tookMs: performance.now() - startedAt };
}

function assertStopped(ran: Ran) {
  assert.equal(ran.end, "stopped", ran.log);
  assert.equal(ran.reason, null);
}

proveOnBoth("a run ends as its playbook does, and leaves nothing", async (on) => {
  await using bench = await newRunBench(on);
  const good = await bench.run(bench.plan());
  assert.equal(good.end, "success", good.log);
  assert.equal(good.started, true);
  const bad = await bench.run(bench.plan({ env: { CALLBOARD_STAND_IN_EXIT: "2" } }));
  assert.equal(bad.end, "error");
  assert.deepEqual(bad.reason, {
    key: "errors.run.only_failed",
    params: { failed: 1, unreachable: 0, hosts: 1 },
  });
  const odd = await bench.run(bench.plan({ extraVars: { callboard_stand_in_exit: 4 } }));
  assert.equal(odd.reason?.key, "errors.run.playbook_failed");
  assert.deepEqual(leftovers(bench), []);
});

proveOnBoth("a stop ends the playbook as stopped, even when it exits with 0", async (on) => {
  await using bench = await newRunBench(on);
  await replace(bench, "playbook", "trap 'exit 0' TERM; echo running; while :; do sleep 0.1; done");
  assertStopped(await stopAt(bench, /^running/));
  assertStopped(await stopAt(bench, /^running/, "forceStop"));
  assert.deepEqual(leftovers(bench), []);
});

proveOnBoth("a stop ends a run in git and in galaxy, too, and no playbook begins", async (on) => {
  await using bench = await newRunBench(on);
  await replace(bench, "playbook", "echo must not run");
  const git = await stopAt(bench, /^Updating repository/);
  assertStopped(git);
  await bench.repository.commit({ "requirements.yml": "[alice.one]" }, "Requirements");
  await replace(bench, "galaxy", "echo installing; sleep 100");
  const galaxy = await stopAt(bench, /^installing/);
  assertStopped(galaxy);
  for (const ran of [git, galaxy]) {
    assert.equal(ran.started, false);
    assert.doesNotMatch(ran.log, /must not run/);
    assert.ok(ran.tookMs < 50_000);
  }
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("a run that was stopped before it began does nothing", async () => {
  await using bench = await newRunBench();
  const ran = await bench.run(bench.plan(), { stop: AbortSignal.abort() });
  assertStopped(ran);
  assert.equal(ran.log, "");
});

Deno.test("a run that is abandoned ends as an error with that reason", async () => {
  await using bench = await newRunBench();
  await replace(bench, "playbook", "echo running; sleep 100");
  const abort = new AbortController();
  const ran = await bench.run(bench.plan(), {
    stop: abort.signal,
    onLine: (line) => line === "running" && abort.abort(conflict("errors.run.lease_lost")),
  });
  assert.equal(ran.end, "error");
  assert.equal(ran.reason?.key, "errors.run.lease_lost");
});

proveOnBoth("a run may not take longer than the server allows", async (on) => {
  await using bench = await newRunBench(on);
  bench.environment.timeLimits.taskMs = 1_000;
  await replace(bench, "playbook", "sleep 100");
  const ran = await bench.run(bench.plan());
  assert.equal(ran.end, "error");
  assert.deepEqual(ran.reason, { key: "errors.run.time_limit", params: { seconds: 1 } });
});

Deno.test("without Ansible, a run says so", async () => {
  await using bench = await newRunBench();
  bench.environment.ansible.playbook = "ansible-playbook-that-is-nowhere";
  const ran = await bench.run(bench.plan());
  assert.equal(ran.reason?.key, "errors.run.ansible_missing");
});

Deno.test("a playbook that Ansible cannot read is distinguished from one that failed", async () => {
  await using bench = await newRunBench();
  const keyOf = async (code: number) => {
    await replace(bench, "playbook", `exit ${code}`);
    return (await bench.run(bench.plan())).reason?.key;
  };
  assert.equal(await keyOf(4), "errors.run.playbook_unreadable");
  assert.equal(await keyOf(1), "errors.run.playbook_failed");
});

proveOnBoth(
  "a run that ends before its first play says what Ansible says last, masked",
  async (on) => {
    await using bench = await newRunBench(on);
    const reasonOf = async (script: string) => {
      await replace(bench, "playbook", script);
      const { reason } = await bench.run(
        bench.plan({ secretEnv: { TOKEN: conceal("s3cret-token") } }),
      );
      return reason && [reason.key, reason.params?.message ?? reason.params?.signal];
    };
    const error =
      "printf '\\033[0;31m[ERROR]: no role s3cret-token in %s/roles\\033[0m\\n' \"$PWD\"";
    assert.deepEqual(await reasonOf(`${error} >&2; exit 1`), [
      "errors.run.ansible_error",
      "no role *** in roles",
    ]);
    assert.deepEqual(await reasonOf(`${error}; kill -9 $$`), ["errors.run.out_of_memory", 9]);
    assert.deepEqual(await reasonOf("kill -11 $$"), ["errors.run.killed", 11]);
  },
);
