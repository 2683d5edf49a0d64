import assert from "node:assert/strict";
import { conceal, isSecret, reveal, secretsIn } from "../base/secret.ts";
import type { AnsiblePlan } from "../execution/ansible/plan.ts";
import type { RunnerPlan } from "./protocol.ts";
import { newRunnerKeys, openPlan, rehearse, sealPlan } from "./seal.ts";

const SECRETS = ["pa55-of-login", "-----BEGIN KEY-----\nabc", "", "!not=plain", "vault ü 密"];

const newPlan = (changes: Partial<AnsiblePlan> = {}): RunnerPlan => ({
  kind: "playbook",
  plan: {
    taskId: 12,
    projectId: 3,
    repository: {
      id: 4,
      address: {
        kind: "http",
        url: "https://git.example.com/web.git",
        origin: "https://git.example.com",
        host: "git.example.com",
        login: conceal(SECRETS[0]),
        password: null,
        userinfo: null,
      },
      branch: "main",
      commit: null,
      key: { type: "ssh", login: "git", passphrase: conceal(""), privateKey: conceal(SECRETS[1]) },
    },
    env: { LANG: "C.UTF-8" },
    secretEnv: JSON.parse('{"__proto__": null}', (_, value) => value ?? conceal(SECRETS[3])),
    details: {
      message: "",
      username: "alice",
      url: null,
      type: "",
      incomingVersion: null,
      targetVersion: null,
    },
    playbook: "site.yml",
    inventory: {
      type: "static",
      content: "web-1\n",
      repository: null,
      userKey: { type: "none" },
      becomeKey: null,
    },
    extraVars: { a: "!looks secret", b: ["=", "", null, 1.5, true, { "!": "!" }] },
    answers: {},
    secretVars: { vault: conceal(SECRETS[4]) },
    vaults: [],
    debug: false,
    dryRun: false,
    diff: false,
    limit: null,
    tags: ["!tag"],
    skipTags: [],
    arguments: ["--forks=2"],
    skipGalaxyInstall: false,
    fullResults: true,
    keepsOutputs: false,
    ...changes,
  },
});

/** Returns a value with its secrets made visible, to be compared. */
function bare(value: unknown): unknown {
  if (isSecret(value)) return { secret: reveal(value, "compare") };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(bare);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, bare(part)]));
}

Deno.test("a plan opens as it was sealed, with its secrets still hidden", async () => {
  const { publicKey, privateKey } = await newRunnerKeys();
  const sealed = await sealPlan(newPlan(), publicKey, "runner 1 run a");
  const opened = await openPlan(sealed, privateKey, "runner 1 run a");
  assert.deepEqual(bare(opened), bare(newPlan()));
  assert.equal(secretsIn(opened).length, secretsIn(newPlan()).length);
  for (const secret of SECRETS.filter(Boolean)) {
    assert.ok(!JSON.stringify(opened).includes(secret), secret);
    assert.ok(!atob(sealed).includes(secret), secret);
  }
});

Deno.test("a plan opens only with its key, for its run, and unchanged", async () => {
  const [own, other] = [await newRunnerKeys(), await newRunnerKeys()];
  const sealed = await sealPlan(newPlan(), own.publicKey, "runner 1 run a");
  await assert.rejects(openPlan(sealed, other.privateKey, "runner 1 run a"));
  await assert.rejects(openPlan(sealed, own.privateKey, "runner 1 run b"));
  const changed = sealed.slice(0, 100) + (sealed[100] === "A" ? "B" : "A") + sealed.slice(101);
  await assert.rejects(openPlan(changed, own.privateKey, "runner 1 run a"));
  for (const broken of ["", "AAAA", "?"]) {
    await assert.rejects(openPlan(broken, own.privateKey, "runner 1 run a"));
  }
  assert.notEqual(await sealPlan(newPlan(), own.publicKey, "runner 1 run a"), sealed);
});

Deno.test("a long plan is compressed", async () => {
  const { publicKey, privateKey } = await newRunnerKeys();
  const plan = newPlan();
  plan.plan.inventory.content = Array.from({ length: 50_000 }, (_, n) => `web-${n}`).join("\n");
  const sealed = await sealPlan(plan, publicKey, "a");
  assert.ok(sealed.length < plan.plan.inventory.content.length / 2);
  const opened = await openPlan(sealed, privateKey, "a");
  assert.equal(opened.plan.inventory.content, plan.plan.inventory.content);
});

Deno.test("sealing and opening are rehearsed once", async () => {
  const rehearsal = rehearse();
  assert.equal(rehearse(), rehearsal);
  await rehearsal;
});
