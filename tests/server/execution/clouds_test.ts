import assert from "node:assert/strict";
import { newRunBench, proveOnBoth, type RunBench } from "@/tests/support/server/run_bench.ts";
import {
  AWS_ID,
  AWS_SECRET,
  CLIENT_SECRET,
  type Clouds,
  CONNECT_TOKEN,
  newClouds,
  ROLE_ARN,
  TASK_TOKEN,
  VAULT_ID,
} from "@/tests/support/services/clouds.ts";
import { conceal } from "@/lib/base/secret.ts";
import { bitwardenKey, decrypted, derivedKey } from "@/lib/execution/sources/bitwarden/crypto.ts";
import { sourceKinds } from "@/lib/execution/sources/kinds.ts";
import type { PlanStorage } from "@/lib/execution/sources/plan_storage.ts";
import { referredSecret } from "@/lib/execution/sources/reference.ts";

const KINDS = ["aws", "azure", "gcp", "bitwarden", "onepassword"] as const;
type Kind = (typeof KINDS)[number];
/** The same secret in all of them. */
const PLACE = 'Team "A"/app/prod';
const pathOf = (kind: Kind) => kind === "onepassword" ? PLACE : "app";

function storageOf(clouds: Clouds, kind: Kind, changes: Partial<PlanStorage> = {}): PlanStorage {
  const at = (service: string) => `${clouds.url}/${service}`;
  const [params, secret]: [Record<string, string>, string] = {
    aws: [{ region: "eu-central-1", access_key_id: AWS_ID, endpoint: `${at("aws")}/` }, AWS_SECRET],
    azure: [{
      vault_url: `${at("azure")}/`,
      tenant_id: "tenant-1",
      client_id: "app-1",
      authority: at("entra"),
      scope: "https://vault.azure.net/.default",
    }, CLIENT_SECRET],
    gcp: [{ endpoint: at("google") }, clouds.serviceAccount],
    bitwarden: [
      { api_url: at("bitwarden"), identity_url: at("bitwarden") },
      `${clouds.machineToken}\n`,
    ],
    onepassword: [{ url: at("onepassword") }, CONNECT_TOKEN],
  }[kind] as [Record<string, string>, string];
  return {
    id: 1,
    name: "Cloud",
    kind,
    secret: conceal(secret),
    allowPrivate: true,
    waitMs: 0,
    ...changes,
    params: { ...params, ...changes.params },
  };
}

/** Runs a plan with a variable from a path of a storage: `path` or `path#name`. */
const runWith = (bench: RunBench, storage: PlanStorage, ...places: string[]) => {
  const secretVars = Object.fromEntries(places.map((place, n) => {
    const [path, ...names] = place.split("#");
    return [`x${n}`, referredSecret({ storage, path, names })];
  }));
  return bench.run(bench.plan({ secretVars, env: { CALLBOARD_STAND_IN_DUMP: "1" } }));
};

Deno.test("an identity is for the service of its storage, unless another audience is set", () => {
  const jwt = { auth_method: "jwt" };
  const at = "https://vault.example.com:8200/v1";
  const { aws, vault } = sourceKinds;
  assert.equal(aws.audience!(jwt), "sts.amazonaws.com");
  assert.equal(vault.audience!({ ...jwt, url: at }), "https://vault.example.com:8200");
  for (const kind of [aws, vault]) {
    assert.equal(kind.audience!({ ...jwt, url: at, audience: "other" }), "other");
    assert.equal(kind.audience!({ url: at, audience: "other" }), null);
  }
});

for (const kind of KINDS) {
  proveOnBoth(`${kind}: a run gets a secret, which leaks nowhere`, async (on) => {
    await using clouds = await newClouds();
    clouds.secrets.set("app", "hunter-swordfish").set("twice", "a");
    await using bench = await newRunBench(on);
    const lines: string[] = [];
    const x = referredSecret({
      storage: storageOf(clouds, kind),
      path: pathOf(kind),
      names: kind === "onepassword" ? ["password"] : [],
    });
    const plan = bench.plan({ secretVars: { x }, env: { CALLBOARD_STAND_IN_DUMP: "1" } });
    const ran = await bench.run(plan, { onLine: (line) => void lines.push(line) });
    assert.equal(ran.end, "success", JSON.stringify(ran));
    assert.doesNotMatch(JSON.stringify(ran) + lines.join("\n"), /swordfish|hunter/);
  });

  Deno.test(`${kind}: failures name the storage, the path and the reason, and no secret`, async () => {
    await using clouds = await newClouds();
    await using bench = await newRunBench();
    const read = async (changes: Partial<PlanStorage>, path: string) => {
      const { end, reason } = await runWith(bench, storageOf(clouds, kind, changes), path);
      assert.equal(end, "error");
      assert.doesNotMatch(JSON.stringify(reason), /swordfish|PRIVATE KEY/);
      assert.equal(reason?.params?.storage, "Cloud");
      return String(reason?.key).replace("errors.sources.", "");
    };
    const gone = kind === "onepassword" ? 'Team "A"/gone' : "gone";
    assert.equal(await read({}, gone), "missing");
    assert.equal(await read({ secret: null }, pathOf(kind)), "no_credential");
    const wrong = kind === "gcp" || kind === "bitwarden" ? "no_credential" : "sign_in";
    assert.equal(
      await read({ secret: conceal("wrong-swordfish") }, pathOf(kind)),
      kind === "onepassword" ? "denied" : wrong,
    );
    clouds.answer = { status: 503, text: "maintenance" };
    assert.equal(await read({}, pathOf(kind)), "unreachable");
    clouds.answer = { status: 200, text: "<html>" };
    assert.match(await read({}, pathOf(kind)), /^(sign_in|missing|no_field|undecryptable)$/);
    clouds.answer = { status: 418, text: "teapot" };
    assert.match(await read({}, pathOf(kind)), /^(sign_in|refused)$/);
    await clouds[Symbol.asyncDispose]();
    assert.equal(await read({}, pathOf(kind)), "unreachable");
  });
}

Deno.test("AWS takes the identity of the task in place of a key, and faults have different reasons", async () => {
  await using clouds = await newClouds();
  clouds.secrets.set("app", '{"user":"deploy","password":"swordfish"}').set("binary", "bytes");
  await using bench = await newRunBench();
  const params = { auth_method: "jwt", role_arn: ROLE_ARN, audience: "sts.amazonaws.com" };
  const own = { params, secret: null, identity: conceal(TASK_TOKEN) };
  const places = ["app#user", "app#password", "binary"];
  const ran = await runWith(bench, storageOf(clouds, "aws", own), ...places);
  assert.equal(ran.end, "success", JSON.stringify(ran));
  assert.equal(clouds.requests.length, 3, "one sign-in, and each path once");
  const keyOf = async (changes: Partial<PlanStorage>, path: string) =>
    (await runWith(bench, storageOf(clouds, "aws", changes), path)).reason?.key;
  assert.equal(await keyOf({ ...own, identity: undefined }, "app"), "errors.sources.no_identity");
  const foreign = { ...own, identity: conceal("another") };
  assert.equal(await keyOf(foreign, "app"), "errors.sources.sign_in");
  assert.equal(await keyOf({}, "forbidden"), "errors.sources.denied");
  assert.equal(await keyOf({}, "busy"), "errors.sources.unreachable");
  const elsewhere = { params: { region: "us-east-1" } };
  assert.equal(await keyOf(elsewhere, "app"), "errors.sources.sign_in");
});

Deno.test("1Password finds items by ids and titles, and fields by their sections", async () => {
  await using clouds = await newClouds();
  clouds.secrets.set("app", "swordfish");
  await using bench = await newRunBench();
  const storage = storageOf(clouds, "onepassword");
  const places = [`${PLACE}#username`, `${PLACE}#Database.password`];
  assert.equal((await runWith(bench, storage, ...places)).end, "success");
  assert.equal(clouds.requests.length, 3, "vault, item, fields");
  clouds.requests.length = 0;
  const ids = `${VAULT_ID}/${"i".repeat(26)}#password`;
  assert.equal((await runWith(bench, storage, ids)).end, "success");
  assert.equal(clouds.requests.length, 1);
  const twice = await runWith(bench, storage, `${VAULT_ID}/twice`);
  assert.equal(twice.reason?.key, "errors.sources.ambiguous");
});

Deno.test("keys of Bitwarden are derived as its own clients derive them", () => {
  // Known answers that Bitwarden publishes with its SDK.
  const bytes = (text: string) => new TextEncoder().encode(text);
  assert.equal(
    derivedKey(bytes("67t9b5g67$%Dh89n"), "test_key", "test").toBase64(),
    "F9jVQmrACGx9VUPjuzfMYDjr726JtL300Y3Yg+VYUnVQtQ1s8oImJ5xtp1KALC9h2nav04++1LDW4iFD+infng==",
  );
  const key = bitwardenKey(new Uint8Array(64));
  for (const text of ["", "2.", "2.AA==|AA==", "2.AA==|AA==|AA==", "0.AA==|AA=="]) {
    assert.throws(() => decrypted(text, key), TypeError, text);
  }
});
