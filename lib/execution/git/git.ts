import type { AppError } from "../../base/errors.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import { baseEnvironment, collectProcess } from "../process/supervise.ts";
import type { Grounds } from "../process/isolation.ts";
import { parseRepositoryUrl, type RepositoryUrl } from "./address.ts";
import { type RunContext, runError } from "../run/context.ts";
import { knownHostsFile, sshOptions } from "../ssh/known_hosts.ts";
import { type Agent, askpassEnvironment, startAgent } from "../ssh/agent.ts";

/** What git needs to reach one repository: an address without secrets, and the environment. */
export interface GitAccess {
  address: RepositoryUrl;
  env: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Git's whole configuration. Repositories belong to whom they may, since git only reads them; their
 * hooks and the configuration of the server's account have no say.
 */
const CONFIG = `[safe]
	directory = *
[core]
	hooksPath = /dev/null
	fsmonitor = false
[credential]
	helper =
[protocol]
	version = 2
[gc]
	auto = 0
[fetch]
	unpackLimit = 1
	recurseSubmodules = false
[http]
	lowSpeedLimit = 1
	lowSpeedTime = 60
[advice]
	detachedHead = false
`;

/** Answers git's questions about its own host only: a submodule elsewhere gets no password. */
const GIT_ASKPASS = `#!/bin/sh
directory=\${0%/*} name=\${0##*/}
name=\${name%.askpass}
read -r scheme host <"$directory/$name.origin"
case $1 in
  "Username for '$scheme://$host'"* | "Username for '$scheme://$host/"*)
    exec cat "$directory/$name.login" ;;
  "Password for '$scheme://$host'"* | "Password for '$scheme://"*"@$host'"* | \\
  "Password for '$scheme://"*"@$host/"*)
    exec cat "$directory/$name.password" ;;
esac
exit 1
`;

/** Prepares the way to a repository; `name` keeps several of one run apart. */
export async function openAccess(
  context: RunContext,
  repository: RepositoryPlan,
  name: string,
): Promise<GitAccess> {
  const { env, directory } = context;
  const address = parseRepositoryUrl(repository.url);
  const config = await directory.write(`${name}.gitconfig`, CONFIG);
  const common = {
    ...env.variables,
    ...baseEnvironment(env.path, directory.path),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: config,
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: `https:http:ssh:git${address.kind === "file" ? ":file" : ""}`,
  };
  const { key } = repository;
  if (address.kind === "http") {
    const way = await httpWay(context, address, key, name);
    return { address, env: { ...common, ...way }, close: noop };
  }
  // Submodules may be reached over ssh from anywhere, so its options are set for all kinds.
  const agent = key.type === "ssh" ? await startAgent(context, key, `${name}.agent`) : null;
  const way = await sshWay(context, address, key, agent, name);
  return {
    address,
    env: { ...common, ...way },
    close: () => agent?.end() ?? noop(),
  };
}

const noop = () => Promise.resolve();

async function httpWay(
  { env, directory, projectId }: RunContext,
  address: RepositoryUrl,
  key: RepositoryPlan["key"],
  name: string,
): Promise<Record<string, string>> {
  const known = key.type === "login_password" ? key : address;
  const GIT_SSH_COMMAND = await sshCommand(env, projectId, ["BatchMode=yes"]);
  if (known.password === "" && known.login === "") return { GIT_SSH_COMMAND };
  await directory.write(`${name}.origin`, `${address.origin.replace("://", " ")}\n`);
  // A token alone goes with any login, but not with none.
  await directory.write(`${name}.login`, `${known.login || address.login || "git"}\n`);
  await directory.write(`${name}.password`, `${known.password}\n`);
  return {
    GIT_SSH_COMMAND,
    GIT_ASKPASS: await directory.writeScript(`${name}.askpass`, GIT_ASKPASS),
  };
}

async function sshWay(
  { env, directory, projectId }: RunContext,
  address: RepositoryUrl,
  key: RepositoryPlan["key"],
  agent: Agent | null,
  name: string,
): Promise<Record<string, string>> {
  const login = key.type === "none" ? "" : key.login;
  const user = address.login ? [] : [`User=${login || "git"}`];
  if (key.type !== "login_password") {
    return {
      GIT_SSH_COMMAND: await sshCommand(env, projectId, ["BatchMode=yes", ...user]),
      ...(agent ? { SSH_AUTH_SOCK: agent.socket } : {}),
    };
  }
  const answer = await directory.write(`${name}.password`, `${key.password}\n`);
  const options = [
    "PreferredAuthentications=password,keyboard-interactive",
    "NumberOfPasswordPrompts=1",
    ...user,
  ];
  return {
    GIT_SSH_COMMAND: await sshCommand(env, projectId, options),
    ...askpassEnvironment(await directory.writeScript(`${name}.askpass`, KEEPING_ASKPASS), answer),
  };
}

/** Git may connect several times in one run, so the answer stays. */
const KEEPING_ASKPASS = `#!/bin/sh
exec cat "$CALLBOARD_PASSPHRASE_FILE"
`;

async function sshCommand(grounds: Grounds, projectId: number, options: string[]): Promise<string> {
  const all = [
    ...sshOptions(await knownHostsFile(grounds, projectId)),
    "ConnectTimeout=20",
    // Keys come from the run's agent, never from the home of the server's account.
    "IdentityFile=none",
    ...options,
  ];
  return ["ssh", "-F", "/dev/null", ...all.flatMap((option) => ["-o", option])].map(quote).join(
    " ",
  );
}

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Runs git and gives what it printed; throws what its failure means. */
export async function git(
  { env, supervision }: RunContext,
  access: GitAccess,
  cwd: string,
  args: string[],
): Promise<string> {
  const end = await collectProcess(
    { command: ["git", ...args], cwd, env: access.env, limitMs: env.timeLimits.gitMs },
    supervision,
  );
  if (end.limitReached) {
    throw runError("errors.run.git_time_limit", {
      seconds: Math.round(env.timeLimits.gitMs / 1000),
    });
  }
  if (end.exitCode === 127) throw runError("errors.run.git_missing");
  if (end.exitCode !== 0) throw gitFailure(end.stderr, access.address);
  return end.stdout;
}

/** What git and ssh say, and what it means. The first that fits counts. */
const FAILURES: [RegExp, string][] = [
  [/cannot run ssh\b|\bssh: (command )?not found/, "errors.run.ssh_missing"],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/,
    "errors.run.host_key_changed",
  ],
  [/couldn't find remote ref|no such remote ref/i, "errors.run.branch_missing"],
  [
    /Permission denied|Authentication failed|could not read (Username|Password)|Access denied|error: 40[13]\b|Too many authentication failures/i,
    "errors.run.repository_key_refused",
  ],
  [
    /certificate verif(y|ication) failed|SSL certificate problem/i,
    "errors.run.certificate_untrusted",
  ],
  [
    /Could not resolve|Connection (refused|timed out|reset|closed)|No route to host|Network is unreachable|unable to connect|Failed to connect|Operation timed out|Operation too slow|Name or service not known/i,
    "errors.run.repository_unreachable",
  ],
  [
    /not found|does not appear to be a git repository|does not exist|not a git repository|No such file/i,
    "errors.run.repository_missing",
  ],
];

/** What is repeated of git's words: they are stored with the task. */
const SAID_MAX = 500;

/** Why git failed; `cause` holds its own words. */
function gitFailure(stderr: string, address: RepositoryUrl): AppError {
  const key = FAILURES.find(([pattern]) => pattern.test(stderr))?.[1] ?? "errors.run.git_failed";
  const said = (stderr.trim().split("\n").at(-1) ?? "").slice(0, SAID_MAX);
  const error = runError(key, { host: address.host, url: address.url, said });
  error.cause = stderr.trim();
  return error;
}

/** Whether `error` is one that another try cannot mend. */
export const isFinal = (error: unknown) =>
  !(error instanceof Error) || !("key" in error) || error.key !== "errors.run.git_failed";
