import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { QUICK_START } from "@/lib/web/api/openapi/quick_start.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";
import { ADMIN } from "@/tests/support/server/real_server.ts";
import { onceForTests } from "./support/once.ts";
import { succeed } from "./support/succeed.ts";

const CLIENTS = fileURLToPath(new URL("support/clients/", import.meta.url));
const OAPI_CODEGEN = "v2.8.2";
const OAPI_RUNTIME = "v1.9.0";
const PLAYBOOK = `- hosts: all
  gather_facts: false
  tasks:
    - debug: { msg: "Hello {{ region | default('world') }}" }
`;

/** Starts the Python that Ansible runs on, which has pip. */
const PYTHON = [
  "sh",
  "-c",
  'read -r first <"$(command -v ansible-playbook)"; exec ${first#??} "$@"',
  "sh",
];

/** A real server with a token of its administrator, a repository and its document as a file. */
async function newStage() {
  const real = await addRealProject();
  const { url, api } = real.server;
  const repository = await newGitRepository(join(real.home, "playbooks"));
  await repository.commit({ "site.yml": PLAYBOOK }, "Say hello");
  const { body: token } = await api("POST", "/api/user/tokens", { name: "Generated client" });
  const document = join(real.home, "openapi.json");
  await Deno.writeTextFile(document, await (await fetch(`${url}/api/openapi.json`)).text());
  const env = { CALLBOARD: url, TOKEN: token.id, REPOSITORY: repository.url };
  return { real, env, document, [Symbol.asyncDispose]: () => real[Symbol.asyncDispose]() };
}

function assertWorked(printed: string) {
  assert.match(printed, /^success true\n/i);
  assert.match(printed, /Hello eu/);
}

Deno.test("a client by openapi-python-client lists, creates, starts and reads", async () => {
  await using stage = await newStage();
  const file = join(CLIENTS, "requirements.txt");
  const key = (await Deno.stat(file)).size.toString();
  const folder = await onceForTests("openapi-python-client", key, async (folder) => {
    const pip = ["-m", "pip", "install", "--quiet", "--require-hashes", "--target", folder];
    await succeed([...PYTHON, ...pip, "-r", file]);
  });
  const config = join(stage.real.home, "config.yml");
  await Deno.writeTextFile(config, "post_hooks: []\n");
  const env = { ...stage.env, PYTHONPATH: `${folder}:${stage.real.home}` };
  const main = "from openapi_python_client.cli import app; app()";
  const paths = ["--path", stage.document, "--output-path", join(stage.real.home, "callboard")];
  const generate = ["generate", "--meta", "none", "--config", config, "--fail-on-warning"];
  await succeed([...PYTHON, "-c", main, ...generate, ...paths], { env });
  assertWorked(await succeed([...PYTHON, join(CLIENTS, "work.py")], { env }));
});

Deno.test("a client by oapi-codegen lists, creates, starts and reads", async () => {
  await using stage = await newStage();
  const go = await onceForTests("oapi-codegen", OAPI_CODEGEN, async (folder) => {
    const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}`;
    await succeed(["go", "install", tool], { env: goEnv(folder) });
  });
  const { home } = stage.real;
  const options = { cwd: home, env: { ...goEnv(go), ...stage.env } };
  await Deno.mkdir(join(home, "callboard"));
  await succeed([
    join(go, "bin", "oapi-codegen"),
    ...["-generate", "types,client", "-package", "callboard"],
    ...["-o", join(home, "callboard", "client.go"), stage.document],
  ], options);
  await Deno.copyFile(join(CLIENTS, "main.go"), join(home, "main.go"));
  await succeed(["go", "mod", "init", "callboard.test/client"], options);
  await succeed(["go", "get", `github.com/oapi-codegen/runtime@${OAPI_RUNTIME}`], options);
  await succeed(["go", "vet", "./..."], options);
  assertWorked(await succeed(["go", "run", "."], options));
});

const goEnv = (folder: string) => ({
  GOBIN: join(folder, "bin"),
  GOCACHE: join(folder, "cache"),
  GOFLAGS: "-modcacherw",
  GOPATH: join(folder, "path"),
});

Deno.test("the quick start of the documentation works as it stands", async () => {
  await using stage = await newStage();
  const commands = QUICK_START.map(({ command }) => command).join("\n")
    .replace("https://callboard.example.com", stage.env.CALLBOARD)
    .replace('"auth": "nora"', `"auth": "${ADMIN.login}"`)
    .replace('"password": "…"', `"password": "${ADMIN.password}"`)
    .replace("https://git.example.com/playbooks.git", stage.env.REPOSITORY);
  const printed = await succeed(["sh", "-euc", commands], { cwd: stage.real.home });
  assert.match(printed, /^\d+ Real$/m);
  assert.match(printed, /^success$/m);
  assert.match(printed, /Hello world/);
});
