import { dirname, join } from "node:path";

/** The record that the first server of all tests has made of the machine's Ansible. */
const KNOWN = Deno.env.get("TESTED_ANSIBLE");

const recordOf = (dataDir: string) => join(dataDir, "ansible.json");

/**
 * Gives a data folder the record of the Ansible that an earlier server has found. Asking Python for
 * its version takes half of the time of a first start. With another PATH or isolation, a server
 * does not use it.
 */
export async function giveKnownAnsible(dataDir: string): Promise<void> {
  if (!KNOWN || await exists(recordOf(dataDir)) || !await exists(KNOWN)) return;
  // Asking would create the folder of tasks.
  await Deno.mkdir(join(dataDir, "tasks"), { recursive: true, mode: 0o700 });
  await Deno.copyFile(KNOWN, recordOf(dataDir));
}

/** Keeps the record of a server that has found the machine's Ansible. */
export async function keepKnownAnsible(dataDir: string): Promise<void> {
  if (!KNOWN || await exists(KNOWN) || !await exists(recordOf(dataDir))) return;
  // Tests in other threads read it only once it is whole.
  const copy = await Deno.makeTempFile({ dir: dirname(KNOWN) });
  await Deno.copyFile(recordOf(dataDir), copy);
  await Deno.rename(copy, KNOWN);
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
