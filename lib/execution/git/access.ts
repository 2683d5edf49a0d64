import { baseEnvironment, type Variables } from "../process/variables.ts";
import type { RunContext } from "../run/context.ts";
import type { RepositoryAddress, RepositoryPlan } from "../run/plan.ts";
import { sshCommand } from "../ssh/command.ts";
import { writeHostAuthorities } from "../ssh/known_hosts.ts";
import { writeCredentials } from "./credentials.ts";
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

/** Prepares access to a repository. `name` distinguishes several repositories of one run. */
export async function openAccess(
  context: RunContext,
  repository: RepositoryPlan,
  name: string,
): Promise<GitAccess> {
  const { env, directory } = context;
  const { address } = repository;
  const { hostAuthorities } = repository;
  const authorities = await writeHostAuthorities(directory, `${name}.authorities`, hostAuthorities);
  const ssh = await sshCommand(env, context.projectId, authorities);
  const credentials = await writeCredentials(context, repository, name, ssh);
  const { helper, close } = credentials;
  const config = await directory.write(
    `${name}.gitconfig`,
    `${CONFIG}[credential]\n\thelper = ${quoted(helper)}\n\tuseHttpPath = true\n`,
  );
  const isOwn = address.kind === "file" || address.kind === "local";
  const variables = {
    ...env.variables,
    ...baseEnvironment(env.path, directory.path),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: config,
    GIT_TERMINAL_PROMPT: "0",
    // Otherwise git asks for the password of an SSH key, and gives it to any web server.
    GIT_ASKPASS: "false",
    GIT_ALLOW_PROTOCOL: `https:http:ssh:git${isOwn ? ":file" : ""}`,
    ...credentials.env,
  };
  try {
    if (address.kind === "file") await refuseOwnFiles(context, [address.url], variables);
  } catch (error) {
    await close();
    throw error;
  }
  return { address, env: variables, close };
}

/** Returns a value for git's file of settings. */
const quoted = (value: string) => `"${value.replace(/["\\]/g, "\\$&")}"`;
