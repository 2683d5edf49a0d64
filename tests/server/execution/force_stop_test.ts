import assert from "node:assert/strict";
import {
  leftovers,
  newRunBench,
  proveOnBoth,
  replace,
  type RunBench,
} from "@/tests/support/server/run_bench.ts";
import { startRudePeer } from "@/tests/support/services/rude_peer.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newVault, ROOT_TOKEN } from "@/tests/support/services/vault.ts";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { conceal } from "@/lib/base/secret.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { parseAddress } from "@/lib/execution/git/address.ts";
import { runTask } from "@/lib/execution/runner.ts";
import { createLeaseStore } from "@/lib/execution/sources/lease_store.ts";
import { referredSecret } from "@/lib/execution/sources/reference.ts";

/** Less than the limits of the stages, which are 10 seconds and more. */
const SOON_MS = 6_000;

const storageAt = (url: string, ca = "") => ({
  id: 1,
  name: "Vault",
  kind: "vault",
  secret: conceal(ROOT_TOKEN),
  allowPrivate: true,
  waitMs: 60_000,
  params: { url, mount: "secret", ca_certificate: ca },
});

/** Starts a run, force-stops it once it has come to a stage, and waits for its end. */
async function stopIn(
  bench: RunBench,
  plan: Partial<AnsiblePlan>,
  hasCome: (line: string) => boolean | Promise<boolean>,
) {
  await Deno.mkdir(`${bench.environment.dataDir}/tasks`, { recursive: true });
  const force = new AbortController();
  let last = "";
  const running = bench.run(bench.plan(plan), {
    forceStop: force.signal,
    onLine: (line) => void (last = line),
  });
  await until(() => hasCome(last), 30_000);
  const begun = performance.now();
  force.abort();
  const ran = await running;
  const ms = performance.now() - begun;
  assert.equal(ran.end, "stopped", JSON.stringify(ran));
  assert.ok(ms < SOON_MS, `${ms} ms`);
  assert.deepEqual(leftovers(bench), []);
  return ran;
}

proveOnBoth("a force stop ends a run that waits for a secret storage", async (on) => {
  for (const manner of ["silent", "dripsBody", "hints"] as const) {
    await using bench = await newRunBench(on);
    await using peer = startRudePeer(manner);
    const x = referredSecret({ storage: storageAt(peer.url), path: "app", names: [] });
    await stopIn(bench, { secretVars: { x } }, () => peer.counts.opened > 0);
    await until(() => peer.open() === 0, 5_000);
  }
});

proveOnBoth("a force stop ends a run that waits for git", async (on) => {
  for (const manner of ["silent", "dripsHead"] as const) {
    await using bench = await newRunBench(on);
    await using peer = startRudePeer(manner);
    const { repository } = bench.plan();
    const address = parseAddress(conceal(`${peer.url}site.git`), "none");
    await stopIn(bench, { repository: { ...repository, address } }, () => peer.counts.opened > 0);
  }
});

proveOnBoth("a force stop ends a run that waits for requirements", async (on) => {
  await using bench = await newRunBench(on);
  await using peer = startRudePeer("silent");
  const roles = `roles:\n  - { name: greeter, src: "${peer.url}greeter.git", scm: git }\n`;
  await bench.repository.commit({ "requirements.yml": roles }, "Require");
  await stopIn(bench, {}, () => peer.counts.opened > 0);
});

proveOnBoth("a force stop ends a run that builds a toolchain", async (on) => {
  await using bench = await newRunBench(on);
  await using peer = startRudePeer("silent");
  bench.environment.packages.wheels = conceal(`${peer.url}simple`);
  const toolchain = {
    ...{ name: "Slow", kind: "built" as const, ansibleCore: "2.16", pip: [], collections: [] },
    ...{ python: "", path: "" },
  };
  await stopIn(bench, { toolchain }, () => peer.counts.opened > 0);
});

proveOnBoth("a force stop ends a run that waits for the lock of a repository", async (on) => {
  await using bench = await newRunBench(on);
  const folder = `${bench.environment.dataDir}/repositories/1/1`;
  await Deno.mkdir(folder, { recursive: true });
  using held = await Deno.open(`${folder}/lock`, { create: true, write: true });
  await held.lock(true);
  await stopIn(bench, {}, (line) => /Updating repository/.test(line));
  await held.unlock();
});

Deno.test("a force stop ends a run whose leases cannot be ended, and they are ended later", async () => {
  await using vault = await newVault();
  await using bench = await newRunBench();
  const box = await createSecretBox(new Uint8Array(32));
  const leases = createLeaseStore(bench.environment.dataDir, box);
  bench.environment.leases = leases;
  await replace(bench, "playbook", "sleep 2");
  const storage = storageAt(vault.url, vault.ca);
  const x = referredSecret({ storage, path: "/database/creds/app", names: ["password"] });
  const port = Number(new URL(vault.url).port);
  let peer: ReturnType<typeof startRudePeer> | undefined;
  await stopIn(bench, { secretVars: { x } }, async () => {
    if (vault.leases.size === 0) return false;
    if (!peer) {
      await vault.down();
      peer = startRudePeer("silent", { port });
    }
    return peer.counts.opened > 0;
  });
  assert.equal((await leases.leftOver()).size, 1);
  await peer![Symbol.asyncDispose]();
  vault.up();
  await until(() => vault.leases.size === 0, 30_000);
});

Deno.test("a force stop ends a run even if nothing in it reacts", async () => {
  await using bench = await newRunBench();
  const [force, never] = [new AbortController(), new AbortController().signal];
  const line = Promise.withResolvers<void>();
  const running = runTask(bench.environment, bench.plan(), {
    stop: never,
    forceStop: force.signal,
    // Stands for a store or a disk that does not answer.
    writeLine: () => line.promise,
    onEvent() {},
    onCheckout() {},
    onStarted() {},
  }, 300);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const begun = performance.now();
  force.abort();
  assert.deepEqual(await running, { end: "stopped", reason: null });
  assert.ok(performance.now() - begun < 2_000);
  line.resolve();
  await until(() => leftovers(bench).length === 0, 10_000);
});
