import { delimiter, dirname } from "node:path";
import { readConfig } from "../lib/base/settings/config.ts";
import { findAnsible } from "../lib/execution/ansible/installation.ts";
import { noIsolation } from "../lib/execution/process/isolation.ts";
import { runEnvironment } from "../lib/execution/run/environment.ts";

/**
 * Returns `PATH` with the folder of the Ansible that a server here would use in front, if there is
 * one.
 */
export async function pathWithAnsible(): Promise<string> {
  const path = Deno.env.get("PATH") ?? "";
  const ansible = await findAnsible(
    runEnvironment(readConfig(Deno.env, ""), noIsolation, Deno.env),
  );
  return ansible ? dirname(ansible.playbook) + delimiter + path : path;
}
