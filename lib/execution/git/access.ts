import { isEmpty } from "../../base/secret.ts";
import { baseEnvironment, type Variables } from "../process/variables.ts";
import type { RunContext } from "../run/context.ts";
import type { RepositoryAddress, RepositoryPlan } from "../run/plan.ts";
import { type Agent, askpassEnvironment, startAgent } from "../ssh/agent.ts";
import { sshCommand } from "../ssh/command.ts";
import { writeHostAuthorities } from "../ssh/known_hosts.ts";
import { refuseOwnFiles } from "./own_files.ts";

/**
 * Everything git needs to reach one repository: an address without secrets, and the environment.
 */
export interface GitAccess {
  address: RepositoryAddress;
  env: Variables;
  close(): Promise<void>;
}

/**
 * Git's whole configuration. Repositories may belong to any account, since git only reads them.
 * Their hooks and the configuration of the server's account have no effect.
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

/** Answers git's questions only for its own host: a submodule elsewhere gets no password. */
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

/** Prepares access to a repository. `name` distinguishes several repositories of one run. */
export async function openAccess(
  context: RunContext,
  repository: RepositoryPlan,
  name: string,
): Promise<GitAccess> {
  const { env, directory } = context;
  const { address, key } = repository;
  const config = await directory.write(`${name}.gitconfig`, CONFIG);
  const common = {
    ...env.variables,
    ...baseEnvironment(env.path, directory.path),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: config,
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: `https:http:ssh:git${address.kind === "file" ? ":file" : ""}`,
  };
  if (address.kind === "file") await refuseOwnFiles(context, [address.url], common);
  const { hostAuthorities } = repository;
  const authorities = await writeHostAuthorities(directory, `${name}.authorities`, hostAuthorities);
  if (address.kind === "http") {
    const way = await httpWay(context, repository, authorities, name);
    return { address, env: { ...common, ...way }, close: noop };
  }
  // Submodules may be on any host that uses ssh, so its options are set for all kinds.
  const agent = key.type === "ssh"
    ? await startAgent(context, [{ name: "", key }], `${name}.agent`)
    : null;
  const way = await sshWay(context, repository, authorities, agent, name);
  return {
    address,
    env: { ...common, ...way },
    close: () => agent?.end() ?? noop(),
  };
}

const noop = () => Promise.resolve();

async function httpWay(
  { env, directory, projectId }: RunContext,
  { address, key }: RepositoryPlan,
  authorities: string | null,
  name: string,
): Promise<Variables> {
  const { login, password } = key.type === "login_password" ? key : address;
  const GIT_SSH_COMMAND = await sshCommand(env, projectId, authorities, ["BatchMode=yes"]);
  if (login === "" && (!password || isEmpty(password))) return { GIT_SSH_COMMAND };
  await directory.write(`${name}.origin`, `${address.origin.replace("://", " ")}\n`);
  // A token needs a login beside it, but any login will do.
  await directory.write(`${name}.login`, login || address.login || "git", "\n");
  await directory.write(`${name}.password`, password ?? "", "\n");
  return {
    GIT_SSH_COMMAND,
    GIT_ASKPASS: await directory.writeScript(`${name}.askpass`, GIT_ASKPASS),
  };
}

async function sshWay(
  { env, directory, projectId }: RunContext,
  { address, key }: RepositoryPlan,
  authorities: string | null,
  agent: Agent | null,
  name: string,
): Promise<Variables> {
  const login = key.type === "none" ? "" : key.login;
  const user = address.login ? [] : [`User=${login || "git"}`];
  if (key.type !== "login_password") {
    return {
      GIT_SSH_COMMAND: await sshCommand(env, projectId, authorities, ["BatchMode=yes", ...user]),
      ...(agent ? { SSH_AUTH_SOCK: agent.socket } : {}),
    };
  }
  const answer = await directory.write(`${name}.password`, key.password, "\n");
  const options = [
    "PreferredAuthentications=password,keyboard-interactive",
    "NumberOfPasswordPrompts=1",
    ...user,
  ];
  return {
    GIT_SSH_COMMAND: await sshCommand(env, projectId, authorities, options),
    ...askpassEnvironment(await directory.writeScript(`${name}.askpass`, KEEPING_ASKPASS), answer),
  };
}

/** Git may connect several times in one run, so the file with the answer is not deleted. */
const KEEPING_ASKPASS = `#!/bin/sh
exec cat "$CALLBOARD_PASSPHRASE_FILE"
`;
