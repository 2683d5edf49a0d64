import assert from "node:assert/strict";
import { join } from "node:path";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { toolNames } from "@/lib/base/machine/machine_tools.ts";
import { findTools } from "@/lib/execution/ansible/machine_tools.ts";

Deno.test("programs count for toolchains only if they work, and Pythons without venv need uv", async () => {
  await using bench = await newRunBench();
  const { environment, directory } = bench;
  const folder = join(directory, "programs");
  await Deno.mkdir(folder);
  const put = (name: string, script: string) =>
    Deno.writeTextFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  environment.path = `${folder}:${environment.path}`;
  const python = (version: string) => `echo ${version} /opt/python`;
  await put("python3.27", python("3.27"));
  await put("python3.26", `case $2 in *venv*) exit 1;; esac; ${python("3.26")}`);
  await put("uv", "exit 1");
  await put("podman", `case $1 in version) echo 5.4.2 ;; *) exit 125 ;; esac`);
  const bare = await findTools(environment);
  assert.deepEqual([bare.uv, bare.podman], [null, null]);
  await Deno.remove(join(folder, "uv"));
  const late = ({ pythons }: typeof bare) =>
    pythons.filter((version) => Number(version.slice(2)) > 25);
  assert.deepEqual(late(await findTools(environment)), ["3.27"]);
  await put("uv", "echo uv 0.9.1");
  await put("podman", `case $1 in version) echo 5.4.2 ;; ps) ;; *) exit 125 ;; esac`);
  const full = await findTools(environment);
  assert.deepEqual(late(full), ["3.26", "3.27"]);
  assert.deepEqual(toolNames(full).slice(-4), [
    "Python 3.26",
    "Python 3.27",
    "uv 0.9.1",
    "podman 5.4.2",
  ]);
});
