import assert from "node:assert/strict";
import { conceal, reveal } from "../../base/secret.ts";
import { parseAddress } from "../git/address.ts";
import { ansibleArguments } from "./command.ts";
import { ansibleEnvironment } from "./environment.ts";
import { extraVarsJson } from "./extra_vars.ts";
import type { AnsibleFiles } from "./files.ts";
import type { AnsiblePlan } from "./plan.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

const files: AnsibleFiles = {
  root: "/checkout",
  workingDirectory: "/checkout",
  playbook: "-site.yml",
  inventory: "/t/inventory",
  extraVars: "/t/extra_vars.json",
  connectionPassword: "/t/connection_password",
  becomePassword: "/t/become_password",
  vaults: ["/t/vault_0", "/t/vault_1"],
  home: "/home",
  localTemp: "/t/tmp",
  controlPath: "/t/c",
  knownHosts: "/known hosts/1",
  hostAuthorities: null,
  outputs: null,
  agentSocket: "/t/agent",
  galaxy: null,
  config: null,
  account: "callboard",
};

const plan: AnsiblePlan = {
  taskId: 5,
  projectId: 1,
  playbook: "-site.yml",
  repository: {
    id: 1,
    address: parseAddress(conceal("/x"), "none"),
    branch: null,
    commit: null,
    key: { type: "none" },
  },
  inventory: {
    type: "static",
    content: "",
    repository: null,
    userKey: { type: "login_password", login: "--user", password: conceal("SECRET") },
    becomeKey: { type: "login_password", login: "root", password: conceal("SECRET") },
  },
  extraVars: { answer: 42 },
  answers: {},
  secretVars: { token: conceal("SECRET") },
  env: { COLOUR: "blue" },
  secretEnv: { TOKEN: conceal("SECRET") },
  vaults: [{ name: "default", password: conceal("SECRET") }, {
    name: "prod",
    password: conceal("SECRET"),
  }],
  debug: true,
  dryRun: true,
  diff: true,
  limit: "web:&prod",
  tags: ["a", "b"],
  skipTags: ["c"],
  arguments: ["--forks", "3"],
  skipGalaxyInstall: false,
  fullResults: false,
  keepsOutputs: false,
  details: {
    message: "go",
    username: "bob",
    url: null,
    type: "deploy",
    incomingVersion: "1.4",
    targetVersion: null,
  },
};
const server = { path: "/bin", variables: { https_proxy: "http://proxy" } };

Deno.test("the arguments hold every value after a sign, and no secret", () => {
  const args = ansibleArguments(plan, files);
  assert.deepEqual(args, [
    "--inventory=/t/inventory",
    "--user=--user",
    "--connection-password-file=/t/connection_password",
    "--become-user=root",
    "--become-password-file=/t/become_password",
    "-vvvv",
    "--diff",
    "--check",
    "--vault-id=default@/t/vault_0",
    "--vault-id=prod@/t/vault_1",
    "--extra-vars=@/t/extra_vars.json",
    "--forks",
    "3",
    "--limit=web:&prod",
    "--tags=a,b",
    "--skip-tags=c",
    "--",
    "-site.yml",
  ]);
  assert.ok(!args.join().includes("SECRET"));
});

Deno.test("options that were not requested are not arguments", () => {
  const bare: AnsiblePlan = {
    ...plan,
    inventory: { ...plan.inventory, userKey: { type: "none" }, becomeKey: null },
    vaults: [],
    debug: false,
    dryRun: false,
    diff: false,
    limit: null,
    tags: [],
    skipTags: [],
    arguments: [],
  };
  const bareFiles = { ...files, connectionPassword: null, becomePassword: null, vaults: [] };
  assert.deepEqual(ansibleArguments(bare, bareFiles), [
    "--inventory=/t/inventory",
    "--extra-vars=@/t/extra_vars.json",
    "--",
    "-site.yml",
  ]);
});

/** Extra vars as Ansible reads them. */
const extraVarsOf = (plan: AnsiblePlan) => JSON.parse(reveal(extraVarsJson(plan), "compare"));

Deno.test("a play sees its task under both names", () => {
  const text = (value: string) => ({ __ansible_unsafe: value });
  const details = {
    id: 5,
    message: text("go"),
    username: text("bob"),
    url: null,
    type: text("deploy"),
  };
  const vars = { task_details: { ...details, incoming_version: text("1.4") } };
  assert.deepEqual(extraVarsOf(plan), {
    answer: 42,
    token: text("SECRET"),
    semaphore_vars: vars,
    callboard_vars: vars,
  });
  const env = ansibleEnvironment(server, plan, files);
  for (const product of ["CALLBOARD", "SEMAPHORE"]) {
    assert.equal(env[`${product}_TASK_ID`], "5");
    assert.equal(env[`${product}_TASK_TYPE`], "deploy");
    assert.equal(env[`${product}_TASK_INCOMING_VERSION`], "1.4");
    assert.ok(!(`${product}_TASK_TARGET_VERSION` in env));
  }
});

Deno.test("the environment holds the project's variables and the agent", () => {
  const env = ansibleEnvironment(server, plan, files);
  assert.equal(env.COLOUR, "blue");
  assert.equal(revealed(env.TOKEN), "SECRET");
  assert.equal(env.https_proxy, "http://proxy");
  assert.equal(env.SSH_AUTH_SOCK, "/t/agent");
  assert.equal(env.PYTHONUNBUFFERED, "1");
  assert.ok(!("ANSIBLE_ROLES_PATH" in env));
});

Deno.test("the environment knows its account, and that no one can be asked", () => {
  const env = ansibleEnvironment(server, { ...plan, env: { PATH: "/opt" } }, files);
  assert.equal(env.USER, "callboard");
  assert.equal(env.ANSIBLE_BECOME_ASK_PASS, "0");
  assert.equal(env.PATH, "/bin");
  assert.equal(ansibleEnvironment(server, plan, { ...files, account: "" }).USER, undefined);
});

Deno.test("installed roles come before those the checkout names", () => {
  const env = (lines: string[], env: Record<string, string> = {}) => {
    const config = { folder: "/checkout/deploy", lines: ["[defaults]", ...lines] };
    const { ANSIBLE_ROLES_PATH, ANSIBLE_COLLECTIONS_PATH } = ansibleEnvironment(
      server,
      { ...plan, env },
      { ...files, config, galaxy: "/galaxy" },
    );
    return [ANSIBLE_ROLES_PATH, ANSIBLE_COLLECTIONS_PATH];
  };
  // Relative ones start at the folder of the configuration, as without requirements.
  assert.deepEqual(env(['roles_path = "./mine:../theirs"', "collections_path: ~/c:{{CWD}}/d"]), [
    "/galaxy/roles:/checkout/deploy/mine:/checkout/theirs",
    "/galaxy/collections:~/c:{{CWD}}/d",
  ]);
  assert.deepEqual(env(["collections_paths = c", "home = h"]), [
    "/galaxy/roles:/checkout/roles:/checkout/deploy/h/roles:/usr/share/ansible/roles:/etc/ansible/roles",
    "/galaxy/collections:/checkout/deploy/c",
  ]);
  assert.deepEqual(env(["roles_path = r"], { ANSIBLE_ROLES_PATH: "own", ANSIBLE_HOME: "/h" }), [
    "/galaxy/roles:own",
    "/galaxy/collections:/checkout/collections:/h/collections:/usr/share/ansible/collections",
  ]);
});

Deno.test("values from people are taken literally, those from the environment are templates", () => {
  const { greeting, region, secret, semaphore_vars } = extraVarsOf({
    ...plan,
    extraVars: { greeting: "Hello {{ name }}" },
    answers: { region: '{{ lookup("pipe", "id") }}' },
    secretVars: { secret: conceal("{{ curly") },
    details: { ...plan.details, message: "{{ 1 + 1 }}" },
  });
  assert.equal(greeting, "Hello {{ name }}");
  assert.deepEqual(region, { __ansible_unsafe: '{{ lookup("pipe", "id") }}' });
  assert.deepEqual(secret, { __ansible_unsafe: "{{ curly" });
  assert.deepEqual(semaphore_vars.task_details.message, { __ansible_unsafe: "{{ 1 + 1 }}" });
});
