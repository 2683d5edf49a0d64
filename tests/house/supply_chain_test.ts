import assert from "node:assert/strict";
import { join } from "node:path";
import denoJson from "@/deno.json" with { type: "json" };
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { runEnvironment } from "@/lib/execution/run/environment.ts";
import { readConfig } from "@/lib/base/settings/config.ts";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

const read = (path: string) => Deno.readTextFile(join(ROOT, path));

Deno.test("a server fetches nothing that only tests need, and nothing that is not locked", async () => {
  const lock = await read("deno.lock");
  const packages: string[] = [];
  for await (const file of walk(join(ROOT, "tests/packages"), /\.ts$/)) {
    const text = await read(join("tests/packages", file));
    for (const [, name] of text.matchAll(/"npm:((?:@[^/]+\/)?[^@"]+)@/g)) packages.push(name!);
  }
  assert.ok(packages.includes("playwright-core"), packages.join());
  const own = new Set(Object.keys(denoJson.imports));
  for (const name of packages) assert.ok(own.has(name) || !lock.includes(`"${name}@`), name);
  assert.equal(denoJson.lock.frozen, true);
});

/**
 * Commands for developers, and commands whose work Deno allows only with all permissions (decision
 * 13).
 */
const UNLIMITED = [
  "backup",
  "bench",
  "chaos",
  "compact",
  "dev",
  "doctor",
  "package",
  "quick",
  "release",
  "soak",
  "test",
  "test-ansibles",
  "test-packages",
  "test-shared",
  "try-fresh",
];

Deno.test("commands of a server have named permissions", () => {
  const unlimited = Object.entries(denoJson.tasks)
    .filter(([, { command }]) => /(^| )-A( |$)|--allow-all/.test(command)).map(([name]) => name);
  assert.deepEqual(unlimited.toSorted(), UNLIMITED);
});

Deno.test("the commands of npm packages are not on the PATH of tasks", () => {
  const path = "/opt/callboard/node_modules/.bin:/usr/bin:/root/.npm/_npx/1/node_modules/.bin:/bin";
  const env = { get: (name: string) => name === "PATH" ? path : undefined };
  assert.equal(runEnvironment(readConfig(env, ""), noIsolation, env).path, "/usr/bin:/bin");
});
