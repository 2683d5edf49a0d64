import { dirname } from "node:path";
import { createLineMarkers } from "../log/markers.ts";
import { withLate } from "../process/late_variables.ts";
import type { ProcessOptions } from "../process/spawn.ts";
import { collectProcess, runReporting } from "../process/supervise.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { HostRecap, RunEvent } from "../run/events.ts";
import type { RunIo } from "../run/io.ts";
import { ansibleArguments } from "./command.ts";
import { ansibleEnvironment, reportVariables } from "./environment.ts";
import { exitReason } from "./results/exit_reason.ts";
import { eventReader } from "./results/event_reader.ts";
import type { AnsibleFiles } from "./files.ts";
import { type InventoryError, withoutFolders } from "./inventory/inventory_warnings.ts";
import { withPathTo } from "./installation.ts";
import { type LastError, lastErrorReader } from "./results/last_error.ts";
import { outputCollector } from "./results/outputs.ts";
import { type OutputReader, outputReader } from "./results/output_reader.ts";
import type { AnsiblePlan } from "./plan.ts";
import { usesVault } from "./vault_use.ts";
import { lineSplitter } from "../log/output.ts";

/** Runs ansible-playbook. Throws when it does not succeed. */
export async function play(
  context: RunContext,
  plan: AnsiblePlan,
  files: AnsibleFiles,
  { onStarted, onEvent }: RunIo,
): Promise<void> {
  const { env, supervision, say, pipe, mask } = context;
  supervision.stop.throwIfAborted();
  const { playbook } = env.ansible;
  const previewDiff = plan.previewDiff && !usesVault(plan, files.config, env.variables);
  const diff = plan.diff || previewDiff === true;
  if (plan.previewDiff && !diff) {
    await say("This preview shows no differences, because they could reveal contents of a vault");
  }
  const ansible = ansibleProcess(env, { ...plan, diff }, files);
  if (plan.hosts) await requireOnlyHosts(context, plan.hosts, ansible("--list-hosts"));
  const start = plan.workingDirectory ? ` in the folder ${plan.workingDirectory}` : "";
  await say(`Running the playbook ${plan.playbook}${start}`);
  await onStarted();
  supervision.stop.throwIfAborted();
  const reader = outputReader();
  const lastError = lastErrorReader();
  const markers = createLineMarkers();
  const recap = recapOf(onEvent);
  const outputs = outputCollector(context, files.outputs);
  const events = eventReader({
    mask,
    markers,
    allWaiting: env.waitingEvents,
    onEvent: (event) =>
      event.type === "reported_output" ? outputs.add(event) : recap.onEvent(event),
  });
  const readLine = (line: string) => {
    reader.read(line);
    lastError.read(line);
  };
  const output = pipe(readLine, markers);
  const process = ansible();
  const options = { ...process, env: { ...process.env, ...reportVariables(plan, files) } };
  const onOutput = async (chunk: Uint8Array) => {
    await output.write(chunk);
    await events.settle();
  };
  let exitCode: number;
  try {
    ({ exitCode } = await runReporting(options, supervision, {
      line: markers.marker,
      onOutput,
      onReport: events.write,
    }));
    await output.end();
    await events.end();
    for (const [name, value] of await outputs.end()) await onEvent({ type: "output", name, value });
  } finally {
    events.close();
  }
  if (reader.sshpassMissing()) await sayAll(say, SSHPASS_MISSING);
  requireSuccess({
    exitCode,
    reader,
    recap: recap.hosts,
    command: playbook,
    lastError: lastError.found(files.root),
    folders: [files.root, dirname(files.localTemp)],
  });
}

const SSHPASS_MISSING = [
  "Ansible needs the program sshpass to sign in to hosts with a password.",
  "Install it on the server, or use a key of type ssh.",
];

async function sayAll(say: RunContext["say"], lines: string[]): Promise<void> {
  for (const line of lines) await say(line);
}

/** Returns a function for a process of ansible-playbook, with further options in front. */
function ansibleProcess(env: RunContext["env"], plan: AnsiblePlan, files: AnsibleFiles) {
  const { playbook } = env.ansible;
  return (...options: string[]): ProcessOptions => ({
    command: withLate({ ...plan.env, ...plan.secretEnv }, [
      playbook,
      ...options,
      ...ansibleArguments(plan, files),
    ]),
    cwd: files.workingDirectory,
    env: ansibleEnvironment(withPathTo(playbook, env), plan, files),
    limitMs: 0,
  });
}

/** Collects Ansible's own recap from the events that are passed on. */
function recapOf(onEvent: RunIo["onEvent"]) {
  const hosts: HostRecap[] = [];
  return {
    hosts,
    onEvent(event: RunEvent) {
      if (event.type === "recap") hosts.push(...event.hosts.values());
      return onEvent(event);
    },
  };
}

interface PlayEnd {
  exitCode: number;
  reader: OutputReader;
  recap: HostRecap[];
  command: string;
  /** Ansible's own last error. */
  lastError: LastError | null;
  /** Folders of the run, which reasons leave out. */
  folders: string[];
}

function requireSuccess({ exitCode, reader, recap, command, lastError, folders }: PlayEnd): void {
  if (exitCode === 126 || exitCode === 127) {
    throw runError("errors.run.ansible_missing", { command });
  }
  const noHosts = reader.noHosts(exitCode, recap.length);
  const unread = noHosts === "errors.run.inventory_unreadable" ? reader.inventoryError() : null;
  if (unread) throw inventoryFailure(unread, folders);
  if (noHosts) throw runError(noHosts);
  if (exitCode !== 0) throw failure(exitCode, recap, lastError);
}

/** Returns Ansible's own error of an inventory, with paths below the folders of the run. */
function inventoryFailure({ line, column, ...said }: InventoryError, folders: string[]) {
  const [file, message] = [said.file, said.message].map((text) => withoutFolders(text, folders));
  const at = [file, line, column].filter((part) => part !== null).join(":");
  return runError("errors.run.inventory_error", {
    ...{ at, file, message },
    ...{ line: line ?? 0, column: column ?? 0 },
  });
}

/**
 * Ansible's exit code for unreachable hosts and, before it reaches any host, for unreadable input.
 */
const UNREADABLE = 4;

function failure(exitCode: number, recap: HostRecap[], lastError: LastError | null) {
  const failed = recap.filter((host) => host.failed > 0).length;
  const unreachable = recap.filter((host) => host.unreachable > 0).length;
  if (failed + unreachable > 0) {
    const key = unreachable === 0
      ? "errors.run.only_failed"
      : failed === 0
      ? "errors.run.only_unreachable"
      : "errors.run.hosts_failed";
    return runError(key, { failed, unreachable, hosts: recap.length });
  }
  return exitReason(exitCode, lastError) ??
    (exitCode === UNREADABLE && recap.length === 0
      ? runError("errors.run.playbook_unreadable")
      : runError("errors.run.playbook_failed", { code: exitCode }));
}

/** Reading an inventory may take some time, for example if a script asks a cloud for it. */
const LIMIT_MS = 10 * 60_000;
/** The indentation of a host in Ansible's list of each play. */
const HOST = /^ {6}(?=\S)/;

/**
 * Runs the command that lists the hosts of each play, and throws if one is not among `hosts`. A
 * name that is no longer a host of the inventory may be the name of a group by now, and would stand
 * for all of its hosts.
 */
async function requireOnlyHosts(
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
  throw exitReason(exitCode, error.found(listing.cwd)) ??
    runError("errors.run.playbook_failed", { code: exitCode });
}
