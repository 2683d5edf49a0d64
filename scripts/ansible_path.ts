import { delimiter, dirname } from "node:path";
import { readConfig } from "../lib/base/config.ts";
import { findAnsible } from "../lib/execution/ansible/installation.ts";
import { noIsolation } from "../lib/execution/process/isolation.ts";
import { runEnvironment } from "../lib/execution/run/environment.ts";

/** `PATH` with the Ansible in front that a server here would run; as it is where there is none. */
export async function pathWithAnsible(): Promise<string> {
  const path = Deno.env.get("PATH") ?? "";
  const ansible = await findAnsible(
    runEnvironment(readConfig(Deno.env, ""), noIsolation, Deno.env),
  );
  return ansible ? dirname(ansible.playbook) + delimiter + path : path;
}
