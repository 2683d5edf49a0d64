import { collectProcess } from "../process/supervise.ts";
import type { ProcessOptions } from "../process/spawn.ts";
import { lineSplitter } from "../log/output.ts";
import { exitReason } from "./exit_reason.ts";
import { lastErrorReader } from "./last_error.ts";
import { type RunContext, runError } from "../run/context.ts";

/** Reading an inventory may take some time, for example if a script asks a cloud for it. */
const LIMIT_MS = 10 * 60_000;
/** The indentation of a host in Ansible's list of each play. */
const HOST = /^ {6}(?=\S)/;

/**
 * Runs the command that lists the hosts of each play, and throws if one is not among `hosts`. A
 * name that is no longer a host of the inventory may be the name of a group by now, and would stand
 * for all of its hosts.
 */
export async function requireOnlyHosts(
  { say, supervision }: RunContext,
  hosts: string[],
  listing: ProcessOptions,
): Promise<void> {
  const expected = new Set(hosts);
  let foreign: string | undefined;
  const lines = lineSplitter((line) => {
    if (HOST.test(line) && !expected.has(line.slice(6))) foreign ??= line.slice(6);
  });
  const decoder = new TextDecoder();
  const { exitCode, stderr } = await collectProcess(
    { ...listing, limitMs: LIMIT_MS },
    supervision,
    (chunk) => lines.write(decoder.decode(chunk, { stream: true })),
  );
  await lines.write(decoder.decode());
  await lines.end();
  supervision.stop.throwIfAborted();
  if (foreign !== undefined) throw runError("errors.retry.other_host", { name: foreign });
  if (exitCode === 0) return;
  for (const line of stderr.split("\n").filter(Boolean)) await say(line);
  if (/leaves us with no hosts to target/.test(stderr)) throw runError("errors.retry.hosts_gone");
  const error = lastErrorReader();
  stderr.split("\n").forEach(error.read);
  throw exitReason(exitCode, error.text(listing.cwd)) ??
    runError("errors.run.playbook_failed", { code: exitCode });
}
