import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import denoJson from "../deno.json" with { type: "json" };
import { createSecretBox } from "../lib/access/secret_box.ts";
import { openDataFolder } from "../lib/base/machine/data_folder.ts";
import { describeError, stderrLog as log } from "../lib/base/log.ts";
import { programVersion } from "../lib/base/machine/program_version.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { conceal, type Secret } from "../lib/base/secret.ts";
import { withSecretFiles } from "../lib/base/settings/secret_settings.ts";
import { ConfigError, type Environment } from "../lib/base/settings/settings.ts";
import { keepWatchdog, openServiceManager } from "../lib/base/machine/service_manager.ts";
import { surviveUnhandled } from "../lib/base/unhandled.ts";
import { type MachineTools, toolNames } from "../lib/base/machine/machine_tools.ts";
import { findTools } from "../lib/execution/ansible/machine_tools.ts";
import { readIsolation } from "../lib/execution/process/prepare_isolation.ts";
import { prepareRuns } from "../lib/execution/prepare_runs.ts";
import { createLeaseStore } from "../lib/execution/sources/lease_store.ts";
import { revokeLeftOver } from "../lib/execution/sources/leases.ts";
import { removeTree } from "../lib/execution/process/files.ts";
import { startRemovingUnused } from "../lib/execution/ansible/toolchains/toolchain.ts";
import { recoverLeftovers } from "../lib/execution/recover.ts";
import { runEnvironment } from "../lib/execution/run/environment.ts";
import { RUNNER_ABILITIES, type RunnerFacts } from "../lib/runner/protocol.ts";
import { type ProgramEnd, startProgram } from "../lib/runner/program/program.ts";
import {
  isRunnerLocked,
  keepToken,
  lockRunner,
  readRegistration,
  register,
  type Registration,
} from "../lib/runner/program/registration.ts";
import { readRunnerConfig, type RunnerConfig } from "../lib/runner/program/settings.ts";
import { spoolDirectory } from "../lib/runner/program/spool.ts";
import {
  createStatusFile,
  readStatusFile,
  removeStatusFile,
} from "../lib/runner/program/status_file.ts";
import { askSecret } from "./ask_secret.ts";
import { announce, say } from "./console.ts";
import { installPrograms } from "./install_programs.ts";
import { runScript } from "./run_script.ts";
import { waitForStop } from "./wait_for_stop.ts";

const COMMAND = operatorCommand("runner");
const USAGE = `Runs tasks of a Callboard server in another network.

  ${COMMAND} register URL   Register with a token, which it asks for
  ${COMMAND} start [URL]    Run tasks; registers first with a URL or a token in the settings
                                --once: end after one task
  ${COMMAND} status         Show the registration, and what is running
  ${COMMAND} doctor         Check what a runner needs, and say what to do`;

/** Time for everything that a stop does beside waiting for tasks. */
const STOP_MS = 30_000;

/** Exit code of a runner that must not be started again as it is. */
const EXIT_REFUSED = 3;

const MESSAGES: Record<ProgramEnd, string> = {
  finished: "The runner has ended.",
  revoked: "The server no longer accepts this runner's token. Its tasks were ended.",
  replaced: "Another process uses the token of this runner. Its tasks were ended.",
};

/** Advice for a runner whose token the server does not accept. */
const REGISTER_AGAIN =
  "If that was not intended, create a new registration token on the runner's " +
  `page, and type "${COMMAND} register" with the server's address. Then start the runner.`;

async function main(args: string[]): Promise<void> {
  const options = { once: { type: "boolean", default: false } } as const;
  const { values: { once }, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [command, address, ...more] = positionals;
  const url = address === undefined ? null : URL.parse(address);
  const isUrl = url !== null && ["http:", "https:"].includes(url.protocol);
  const env = await withSecretFiles(Deno.env, [
    "CALLBOARD_RUNNER_TOKEN",
    "CALLBOARD_RUNNER_VAULT_TOKEN",
    "CALLBOARD_GALAXY_TOKEN",
  ]);
  const config = await readRunnerConfig(env, programVersion(denoJson.version));
  if (more.length === 0 && (address === undefined || isUrl)) {
    if (command === "register" && url && !once) return await registerHere(config, url);
    if (command === "start") return await start(configFor(config, url, once), env, once);
    if (command === "status" && !url && !once) return await showStatus(config);
    if (command === "doctor" && !url && !once) return await examine(config, env);
  }
  throw new ConfigError(USAGE);
}

/** Returns the configuration with the arguments of `start`. */
const configFor = (config: RunnerConfig, url: URL | null, once: boolean): RunnerConfig => ({
  ...config,
  url: url ?? config.url,
  maxParallel: once ? 1 : config.maxParallel,
});

async function registerHere(config: RunnerConfig, url: URL): Promise<void> {
  await openDataFolder(config);
  using _lock = await lockRunner(config);
  const token = config.token ?? await askToken();
  const facts = factsOf(config);
  const { name, server } = await register(config, url, token, facts, await wasRevoked(config));
  await removeStatusFile(config.dataDir);
  say(`Registered with ${server} as the runner "${name}".`);
  say(`Start it with "${COMMAND} start".`);
}

/** Whether the server did not accept the token of the latest process any more. */
const wasRevoked = async ({ dataDir }: RunnerConfig): Promise<boolean> =>
  (await readStatusFile(dataDir))?.end === "revoked";

async function askToken(): Promise<Secret> {
  if (!Deno.stdin.isTerminal()) {
    throw new ConfigError("Set CALLBOARD_RUNNER_TOKEN: there is no terminal to ask for it");
  }
  return conceal((await askSecret("Registration token: ")).trim());
}

const factsOf = (
  { taskIsolation, version, maxParallel: slots }: RunnerConfig,
  found: { ansible?: string; tools?: MachineTools } = {},
): RunnerFacts => ({
  version,
  platform: `${Deno.build.os}/${Deno.build.arch === "x86_64" ? "x64" : "arm64"}`,
  ansible: found.ansible?.split("\n")[0].slice(0, 200) ?? null,
  isolation: taskIsolation,
  slots,
  abilities: [...RUNNER_ABILITIES],
  ...found.tools && { tools: found.tools },
});

async function start(config: RunnerConfig, env: Environment, once: boolean): Promise<void> {
  surviveUnhandled(log, () => performance.now());
  await openDataFolder(config);
  using _lock = await lockRunner(config);
  await recoverLeftovers(
    config.dataDir,
    (error) => log("error", "leftovers_kept", describeError(error)),
  );
  await removeTree(spoolDirectory(config.dataDir));
  const isolation = await readIsolation(config);
  await installPrograms(
    runEnvironment(config, isolation, env),
    env.get("CALLBOARD_INSTALL") !== "false",
  );
  Deno.umask(0o077);
  const prepared = await prepareRuns(config, env, log);
  const { ansible } = prepared;
  const tools = await findTools(prepared.environment);
  const facts = factsOf(config, { ansible: ansible?.version, tools });
  const registration = await readRegistration(config) ?? await registerAtStart(config, facts);
  const status = createStatusFile(config.dataDir, toolNames(tools));
  const { server, token, issued, runnerId, privateKey, name } = registration;
  if (server.startsWith("http:")) log("warn", "unencrypted", { server });
  const environment = {
    ...prepared.environment,
    fullDisk: { waitMs: config.fullDiskMs, reason: "errors.run.runner_disk_full" as const },
    // Its storages are in its own network.
    sources: { ...prepared.environment.sources, networks: null, vaultToken: config.vault },
    leases: createLeaseStore(config.dataDir, await keyBox(privateKey)),
  };
  const leaseKept = (error: unknown) => log("warn", "lease_kept", describeError(error));
  revokeLeftOver(environment, leaseKept).catch(leaseKept);
  const pruning = startRemovingUnused(
    config.dataDir,
    (error) => log("error", "toolchains_kept", describeError(error)),
  );
  const program = startProgram({
    ...config,
    environment,
    target: { server, token, caCerts: config.caCerts },
    runnerId,
    privateKey,
    facts,
    tokens: { issued, keep: (token) => keepToken(config, token) },
    once,
    log,
    onStatus: status.write,
  });
  const manager = openServiceManager(config.dataDir, log);
  const waits = `Waiting for tasks of ${server}`;
  manager.notify({ READY: 1, STATUS: waits });
  const watchdog = keepWatchdog(manager, () => Promise.resolve(), () => waits);
  announce("started", `The runner "${name}" waits for tasks of ${server}`);
  waitForStop().then(() => {
    watchdog.stop();
    const EXTEND_TIMEOUT_USEC = (config.drainMs + STOP_MS) * 1000;
    manager.notify({ STOPPING: 1, STATUS: "Waiting for running tasks", EXTEND_TIMEOUT_USEC });
    announce(
      "stopping",
      `Stopping. Running tasks have up to ${config.drainMs / 1000} seconds to finish.`,
    );
    program.drain();
  }).catch(reportError);
  const end = await program.ended;
  await pruning.stop();
  await status.close(end);
  announce("ended", end === "revoked" ? `${MESSAGES[end]} ${REGISTER_AGAIN}` : MESSAGES[end]);
  Deno.exit(end === "finished" ? 0 : EXIT_REFUSED);
}

/** Returns a box that only this runner can open. */
const keyBox = ({ d = "" }: JsonWebKey) =>
  createSecretBox(createHash("sha256").update(`callboard runner leases 1 ${d}`).digest());

async function registerAtStart(config: RunnerConfig, facts: RunnerFacts): Promise<Registration> {
  const { url, token } = config;
  if (url && token) return await register(config, url, token, facts);
  throw new ConfigError(
    `This runner is not registered yet. Type "${COMMAND} register" with the server's address`,
  );
}

async function showStatus(config: RunnerConfig): Promise<void> {
  const registration = await readRegistration(config);
  if (!registration) return say(`No runner is registered in ${config.dataDir}.`);
  const { name, runnerId, server } = registration;
  say(`Runner "${name}" (number ${runnerId}) of ${server}`);
  const status = await isRunnerLocked(config) ? await readStatusFile(config.dataDir) : null;
  if (!status) {
    say("It is not running.");
    if (await wasRevoked(config)) say(`${MESSAGES.revoked}\n${REGISTER_AGAIN}`);
    return;
  }
  const contact = status.contact === null ? "never" : new Date(status.contact).toISOString();
  say(`It is running as process ${status.pid}. The server last answered: ${contact}.`);
  if (status.problem) say(`The server cannot be reached: ${status.problem}`);
  say(`Toolchains: ${status.tools.join(", ") || "nothing to build them with"}.`);
  say(status.tasks.length === 0 ? "No tasks." : `Tasks: ${status.tasks.join(", ")}`);
}

/** Loads the checks only for this command. */
async function examine(config: RunnerConfig, env: Environment): Promise<void> {
  const { examineRunner } = await import("./runner_doctor.ts");
  if (!await examineRunner(config, env)) Deno.exitCode = 1;
}

await runScript(() => main(Deno.args));
