import assert from "node:assert/strict";
import {
  newRunBench,
  proveOnBoth,
  replace,
  type RunBench,
} from "@/tests/support/server/run_bench.ts";
import {
  newVault,
  ROLE_ID,
  ROOT_TOKEN,
  SECRET_ID,
  type VaultStandIn,
} from "@/tests/support/services/vault.ts";
import { conceal } from "@/lib/base/secret.ts";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { createLeaseStore } from "@/lib/execution/sources/lease_store.ts";
import { revokeLeftOver } from "@/lib/execution/sources/leases.ts";
import type { PlanStorage } from "@/lib/execution/sources/plan_storage.ts";
import { referredSecret } from "@/lib/execution/sources/reference.ts";

const storageOf = (vault: VaultStandIn, changes: Partial<PlanStorage> = {}): PlanStorage => ({
  id: 1,
  name: "Team Vault",
  kind: "vault",
  secret: conceal(ROOT_TOKEN),
  allowPrivate: true,
  waitMs: 0,
  ...changes,
  params: { url: vault.url, mount: "secret", ca_certificate: vault.ca, ...changes.params },
});
const APP_ROLE = {
  params: { auth_method: "approle", role_id: ROLE_ID },
  secret: conceal(SECRET_ID),
};

/** Runs a plan with variables from paths of a storage: `path` or `path#name`. */
function runWith(bench: RunBench, storage: PlanStorage, ...places: string[]) {
  const secretVars = Object.fromEntries(places.map((place, n) => {
    const [path, ...names] = place.split("#");
    return [`x${n}`, referredSecret({ storage, path, names })];
  }));
  return bench.run(bench.plan({ secretVars, env: { CALLBOARD_STAND_IN_DUMP: "1" } }));
}

const box = await createSecretBox(new Uint8Array(32));

proveOnBoth("Vault is read once per path, and a lease is revoked at the end", async (on) => {
  await using vault = await newVault();
  vault.secrets.set("team/app", { password: "kv-swordfish", port: 22 });
  await using bench = await newRunBench(on);
  bench.environment.leases = createLeaseStore(bench.environment.dataDir, box);
  const places = ["team/app#password", "team/app#port", "/database/creds/app#password"];
  const ran = await runWith(bench, storageOf(vault), ...places);
  assert.equal(ran.end, "success", JSON.stringify(ran));
  assert.doesNotMatch(JSON.stringify(ran), /swordfish/);
  assert.deepEqual(vault.requests.toSorted(), [
    "GET /v1/database/creds/app",
    "GET /v1/secret/data/team/app",
    "PUT /v1/sys/leases/revoke",
  ]);
  assert.equal(vault.leases.size, 0);
  assert.equal((await bench.environment.leases.leftOver()).size, 0);
  vault.requests.length = 0;
  const other = await runWith(bench, storageOf(vault, APP_ROLE), "/aws/creds/deploy#secret_key");
  assert.equal(other.end, "success", JSON.stringify(other));
  assert.deepEqual(vault.requests, [
    "POST /v1/auth/approle/login",
    "GET /v1/aws/creds/deploy",
    "PUT /v1/auth/token/revoke-self",
  ]);
  assert.deepEqual([...vault.tokens], [ROOT_TOKEN], "the run's own token is gone");
  assert.equal(vault.leases.size, 0, "with its leases");
});

Deno.test("a namespace and the identity of the task reach Vault", async () => {
  await using vault = await newVault();
  vault.namespaces = new Set(["team/a"]);
  vault.secrets.set("app", { value: "of-the-task-swordfish" });
  vault.acceptsJwt = (jwt, role) => jwt === "a.jwt" && role === "deploy";
  await using bench = await newRunBench();
  const params = { namespace: "team/a", auth_method: "jwt", role: "deploy" };
  const storage = storageOf(vault, { params, secret: null, identity: conceal("a.jwt") });
  assert.equal((await runWith(bench, storage, "app")).end, "success");
  const denied = await runWith(bench, { ...storage, identity: conceal("another.jwt") }, "app");
  assert.equal(denied.reason?.key, "errors.sources.sign_in");
  assert.match(String(denied.reason?.params?.why), /400 .*error validating token/);
  assert.doesNotMatch(JSON.stringify(denied), /another\.jwt/);
  const none = await runWith(bench, { ...storage, identity: undefined }, "app");
  assert.equal(none.reason?.key, "errors.sources.no_identity");
});

Deno.test("refusals of Vault are explained with the storage and the path", async () => {
  await using vault = await newVault();
  await using bench = await newRunBench();
  const refusals: [string, PlanStorage, string][] = [
    ["denied", storageOf(vault), "private/app"],
    ["denied", storageOf(vault, { secret: conceal("hvs.wrong-swordfish") }), "app"],
    ["missing", storageOf(vault), "nothing"],
    ["sign_in", storageOf(vault, { ...APP_ROLE, secret: conceal("wrong-swordfish") }), "app"],
    ["sign_in", storageOf(vault, { secret: conceal("hvs.swordfish\n") }), "app"],
    ["sign_in", storageOf(vault, { params: { namespace: "team/\u{1F600}" } }), "app"],
    ["no_credential", storageOf(vault, { secret: null }), "app"],
    ["unreachable", storageOf(vault, { params: { ca_certificate: "" } }), "app"],
  ];
  for (const [reason, storage, path] of refusals) {
    const ran = await runWith(bench, storage, path);
    assert.equal(ran.reason?.key, `errors.sources.${reason}`, JSON.stringify(ran));
    assert.equal(ran.reason?.params?.storage, "Team Vault");
    assert.doesNotMatch(JSON.stringify(ran), /swordfish/);
    assert.equal(ran.started, false);
  }
});

Deno.test("private addresses, redirects and long answers are refused", async () => {
  await using vault = await newVault();
  await using bench = await newRunBench();
  const storage = storageOf(vault, { allowPrivate: false });
  const privately = await runWith(bench, storage, "app");
  assert.equal(privately.reason?.key, "errors.sources.private_address");
  assert.deepEqual(vault.requests, []);
  bench.environment.sources = { ...bench.environment.sources, networks: null };
  assert.equal((await runWith(bench, storage, "app")).reason?.key, "errors.sources.missing");
  const answers = [
    () => new Response(null, { status: 307, headers: { location: "https://example.com" } }),
    () => new Response("x".repeat(300_000)),
  ];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => answers.shift()!(),
  );
  const plain = storageOf(vault, { params: { url: `http://127.0.0.1:${server.addr.port}` } });
  assert.equal((await runWith(bench, plain, "app")).reason?.key, "errors.sources.redirect");
  assert.equal((await runWith(bench, plain, "app")).reason?.key, "errors.sources.too_large");
});

Deno.test("a run waits for a Vault that is down, or fails, as its storage says", async () => {
  await using vault = await newVault();
  vault.secrets.set("app", { value: "swordfish" });
  await using bench = await newRunBench();
  vault.sealed = true;
  const failed = await runWith(bench, storageOf(vault), "app");
  assert.equal(failed.reason?.key, "errors.sources.unreachable");
  assert.match(String(failed.reason?.params?.why), /503 .*Vault is sealed/);
  await vault.down();
  const waiting = bench.run(
    bench.plan({
      secretVars: {
        x: referredSecret({
          storage: storageOf(vault, { waitMs: 30_000 }),
          path: "app",
          names: [],
        }),
      },
    }),
    {
      onLine(line) {
        if (!/"Team Vault" is unavailable .* for up to 30 seconds/.test(line)) return;
        vault.sealed = false;
        vault.up();
      },
    },
  );
  const waited = await waiting;
  assert.equal(waited.end, "success", JSON.stringify(waited));
  await vault.down();
  const late = await runWith(bench, storageOf(vault, { waitMs: 2_500 }), "app");
  assert.equal(late.reason?.key, "errors.sources.unreachable");
  const stop = new AbortController();
  const stopped = await bench.run(
    bench.plan({
      secretVars: {
        x: referredSecret({
          storage: storageOf(vault, { waitMs: 60_000 }),
          path: "app",
          names: [],
        }),
      },
    }),
    { stop: stop.signal, onLine: () => stop.abort() },
  );
  assert.equal(stopped.end, "stopped");
});

Deno.test("leases of a killed process are revoked at the next start", async () => {
  await using vault = await newVault();
  await using bench = await newRunBench();
  const { environment } = bench;
  environment.leases = createLeaseStore(environment.dataDir, box);
  await replace(bench, "playbook", "sleep 1");
  const files = () =>
    [...Deno.readDirSync(`${environment.dataDir}/leases`)].map(({ name }) => name);
  const running = runWith(bench, storageOf(vault), "/database/creds/app#password");
  while (vault.leases.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const [name] = files();
  const sealed = await Deno.readFile(`${environment.dataDir}/leases/${name}`);
  assert.doesNotMatch(new TextDecoder().decode(sealed), /swordfish|Team Vault/);
  // Another process, after a kill -9 of the first: it finds only the file.
  const next = { ...environment, leases: createLeaseStore(environment.dataDir, box) };
  await revokeLeftOver(next, (error) => assert.fail(String(error)));
  assert.equal(vault.leases.size, 0);
  assert.deepEqual(files(), []);
  await running;
});
