import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { ansibleDir, findAnsible, type UnusableAnsible } from "./installation.ts";
import { noIsolation } from "../process/isolation.ts";
import type { CommandEnvironment } from "../process/try_command.ts";

interface Bench {
  env: CommandEnvironment;
  /**
   * Creates the two commands of an Ansible in a folder, as Python scripts or with this first line.
   */
  install(bin: string, script: string, interpreter?: string): Promise<string>;
  /** Number of calls of `ansible-playbook`. */
  timesAsked(): Promise<number>;
  directory: string;
  [Symbol.asyncDispose](): Promise<void>;
}

const VERSION = "ansible-playbook [core 2.19.14]";

/** Creates a data folder, and a PATH with the usual tools and no Ansible. */
async function newBench(): Promise<Bench> {
  const directory = await Deno.makeTempDir({ prefix: "callboard_ansible_" });
  const asked = join(directory, "asked");
  const path = await toolsAlone(join(directory, "tools"));
  return {
    env: { dataDir: join(directory, "data"), isolation: noIsolation, path, variables: {} },
    directory,
    async install(bin, script, interpreter) {
      const first = interpreter ?? await python();
      await Deno.mkdir(bin, { recursive: true });
      const note = `open(${JSON.stringify(asked)}, "a").write("x")\n`;
      const text = first.includes("python") ? note + script : `printf x >>${asked}\n${script}`;
      for (const name of ["ansible-playbook", "ansible-galaxy"]) {
        await Deno.writeTextFile(join(bin, name), `#!${first}\n${text}\n`, { mode: 0o755 });
      }
      return join(bin, "ansible-playbook");
    },
    timesAsked: async () => (await Deno.readTextFile(asked).catch(() => "")).length,
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}

/** Path of the program itself, because a developer's PATH may lead to a shim. */
const python = () => printed("python3 -c 'import sys; print(sys.executable)'");
const commandPath = async (name: string) =>
  await Deno.realPath(await printed(`command -v ${name}`));

async function printed(script: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  return new TextDecoder().decode(stdout).trim();
}

async function toolsAlone(directory: string): Promise<string> {
  await Deno.mkdir(directory, { recursive: true });
  for (const name of ["sh", "env", "find", "cat", "cut", "grep", "rm", "setsid", "sleep", "stat"]) {
    await Deno.symlink(await commandPath(name), join(directory, name));
  }
  return directory;
}

const says = (version: string) => `print(${JSON.stringify(version)})`;
const ownBin = ({ env }: Bench) => join(ansibleDir(env.dataDir), "bin");

Deno.test("Ansible in the data folder is found, and asked for its version only once", async () => {
  await using bench = await newBench();
  const playbook = await bench.install(ownBin(bench), says(VERSION));
  for (let n = 0; n < 2; n++) {
    const found = await findAnsible(bench.env);
    assert.equal(found?.playbook, playbook);
    assert.equal(found?.galaxy, join(dirname(playbook), "ansible-galaxy"));
    assert.equal(found?.version, VERSION);
  }
  assert.equal(await bench.timesAsked(), 1);
});

Deno.test("an Ansible that was updated is asked again, as is one in other circumstances", async () => {
  await using bench = await newBench();
  await bench.install(ownBin(bench), says(VERSION));
  await findAnsible(bench.env);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await bench.install(ownBin(bench), says("ansible-playbook [core 2.19.2]"));
  assert.equal((await findAnsible(bench.env))?.version, "ansible-playbook [core 2.19.2]");
  const env = { ...bench.env, path: `${bench.env.path}:/nowhere` };
  assert.ok(await findAnsible(env));
  assert.equal(await bench.timesAsked(), 3);
});

/**
 * Scripts that version managers put on the PATH. They find their program with the help of variables
 * and files that runs do not have.
 */
const SHIMS = {
  "a variable of the person's": ["/bin/sh", '[ -n "$SHIM_ROOT" ] || { echo no root >&2; exit 1; }'],
  "the person's home": ["/bin/sh", '. "$HOME/.shims/versions"'],
  "nothing, and names a missing program": ["/usr/bin/env bash", "exec /gone/ansible-playbook"],
  "what was there once": ["/gone/python3", "print(1)"],
};

/** Sets variables of the server until disposed. */
function setVariables(variables: Record<string, string>): Disposable {
  const before = Object.keys(variables).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) Deno.env.delete(name);
        else Deno.env.set(name, value);
      }
    },
  };
}

for (const [needs, [interpreter, script]] of Object.entries(SHIMS)) {
  Deno.test(`a shim that needs ${needs} is reported, and the private Ansible is used`, async () => {
    await using bench = await newBench();
    const shim = await bench.install(join(bench.directory, "shims"), script!, interpreter);
    const env = { ...bench.env, path: `${dirname(shim)}:${bench.env.path}` };
    const told: UnusableAnsible[] = [];
    using _set = setVariables({ SHIM_ROOT: "/somewhere", HOME: bench.directory });
    await Deno.mkdir(join(bench.directory, ".shims"));
    await Deno.writeTextFile(join(bench.directory, ".shims/versions"), `echo "${VERSION}"`);
    assert.equal(await findAnsible(env, (found) => told.push(found)), null);
    const own = await bench.install(ownBin(bench), says(VERSION));
    assert.equal((await findAnsible(env, (found) => told.push(found)))?.playbook, own);
    assert.deepEqual(told.map(({ playbook }) => playbook), [shim, shim]);
    assert.match(told[0]!.complaint, /no root|versions|gone|not found|No such file/);
  });
}

Deno.test("a shim that works in runs is taken, and asked at each start", async () => {
  await using bench = await newBench();
  const shim = await bench.install(join(bench.directory, "shims"), `echo "${VERSION}"`, "/bin/sh");
  const env = { ...bench.env, path: `${dirname(shim)}:${bench.env.path}` };
  for (let n = 0; n < 2; n++) assert.equal((await findAnsible(env))?.playbook, shim);
  assert.equal(await bench.timesAsked(), 2);
});

Deno.test("without Ansible none is found, and what does not run is none", async () => {
  await using bench = await newBench();
  assert.equal(await findAnsible(bench.env), null);
  await bench.install(ownBin(bench), "raise SystemExit(1)");
  assert.equal(await findAnsible(bench.env), null);
});
