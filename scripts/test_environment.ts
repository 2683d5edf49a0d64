import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pathWithAnsible } from "./ansible_path.ts";

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
  return { ...env, PATH: await pathWithAnsible() };
}
