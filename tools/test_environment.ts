import { existsSync } from "node:fs";
import { basename, delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { MACHINE_PYTHON } from "../scripts/ansible/pins.ts";
import { pathWithAnsible } from "./ansible_path.ts";
import { printed } from "../scripts/command.ts";

const MANIFEST = fileURLToPath(new URL("../_fresh/manifest.json", import.meta.url));

/**
 * Returns the environment of the tests. Ansible is on its PATH, and no server's settings are in it.
 * Tests serve the last build, which is up to date after `deno task setup`. The original Fresh has
 * no such manifest, so each test file then builds in memory.
 */
export async function testEnvironment(): Promise<Record<string, string>> {
  const env = Deno.env.toObject();
  for (const name of Object.keys(env)) {
    if (name.startsWith("CALLBOARD_")) delete env[name];
  }
  if (existsSync(MANIFEST)) env.TESTED_BUILD = MANIFEST;
  return { ...env, PATH: await withoutShims(await pathWithAnsible()) };
}

/**
 * Returns a path that leads to a Python instead of to scripts of pyenv, if there are any. Each of
 * these starts 40 processes to find the same Python again.
 */
async function withoutShims(path: string): Promise<string> {
  const isShims = (folder: string) => basename(folder) === "shims";
  const folders = path.split(delimiter);
  if (!folders.some(isShims)) return path;
  const python = existsSync(MACHINE_PYTHON)
    ? MACHINE_PYTHON
    : await printed(["python3", "-c", "import sys; print(sys.executable)"]);
  return folders.map((folder) => isShims(folder) && python ? dirname(python) : folder)
    .join(delimiter);
}
