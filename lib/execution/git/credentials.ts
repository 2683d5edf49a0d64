import { fileURLToPath } from "node:url";
import { conceal, isEmpty, type Secret } from "../../base/secret.ts";
import type { Variables } from "../process/variables.ts";
import type { RunContext } from "../run/context.ts";
import type {
  CredentialSite,
  GitCredential,
  PlanKey,
  RepositoryPlan,
  SshKey,
} from "../run/plan.ts";
import { askpassEnvironment, startAgent } from "../ssh/agent.ts";
import { shellQuoted } from "../ssh/command.ts";
import { byNarrowness, credentialSite } from "./credential_site.ts";

/** Settings with which git signs in on each of its hosts. */
interface Credentials {
  /** Value of git's setting for its credential helper. */
  helper: string;
  env: Variables;
  close(): Promise<void>;
}

/** A key, where it is used, and the login beside its password if the key has none. */
type Rule = Omit<GitCredential, "name"> & { login?: string | Secret };

/**
 * Writes the keys of a repository and its project to files of the run, with the scripts that choose
 * among them. `sshCommand` is the command for ssh without any key.
 */
export async function writeCredentials(
  context: RunContext,
  repository: RepositoryPlan,
  name: string,
  sshCommand: string,
): Promise<Credentials> {
  const { directory } = context;
  const rules = rulesOf(repository);
  if (rules.length === 0) {
    const user = repository.address.login ? "" : " -o User=git";
    const env = { GIT_SSH_COMMAND: `${sshCommand} -o BatchMode=yes${user}` };
    return { helper: "", env, close: noop };
  }
  const base = `${directory.path}/${name}`;
  const lines = rules.map(({ site }, n) =>
    `${n} ${site.scheme} ${site.host} ${site.port} ${site.user || "-"} ${site.path}\n`
  );
  await directory.write(`${name}.rules`, ...lines);
  const agent = await agentOf(context, rules, name);
  const password = await directory.writeScript(`${name}.askpass`, SSH_ASKPASS);
  for (const [n, { key, login }] of rules.entries()) {
    if (key.type === "login_password") {
      await directory.write(`${name}.login.${n}`, login || key.login, "\n");
      const answer = await directory.write(`${name}.password.${n}`, key.password, "\n");
      const options = [
        "PreferredAuthentications=password,keyboard-interactive",
        "NumberOfPasswordPrompts=1",
      ];
      const env = askpassEnvironment(password, answer);
      await directory.write(`${name}.ssh.${n}`, sshStep(key, options, env));
    } else if (key.type === "ssh" && agent) {
      const options = [
        "IdentitiesOnly=yes",
        `IdentityFile="${agent.fileOf(key).replaceAll("%", "%%")}"`,
      ];
      const step = sshStep(key, ["BatchMode=yes", ...options], { SSH_AUTH_SOCK: agent.socket });
      await directory.write(`${name}.ssh.${n}`, step);
    }
  }
  const script = async (suffix: string, file: string, end = "") =>
    await directory.writeScript(
      `${name}.${suffix}`,
      `#!/bin/sh\nbase=${shellQuoted(base)}\n${await textOf("credentials.sh")}${await textOf(
        file,
      )}${end}`,
    );
  const helper = await script("helper", "credential_helper.sh");
  const ssh = await script("git_ssh", "credential_ssh.sh", `exec ${sshCommand} "$@"\n`);
  return {
    helper: `!${shellQuoted(helper)}`,
    env: { GIT_SSH_COMMAND: shellQuoted(ssh), GIT_SSH_VARIANT: "ssh" },
    close: () => agent?.end() ?? noop(),
  };
}

const noop = () => Promise.resolve();

const textOf = (file: string) =>
  Deno.readTextFile(fileURLToPath(new URL(`./${file}`, import.meta.url)));

/** Git may connect several times in one run, so the file with the answer is not deleted. */
const SSH_ASKPASS = `#!/bin/sh
exec cat "$CALLBOARD_PASSPHRASE_FILE"
`;

/** Returns lines for the shell that add options for ssh, and variables. */
function sshStep(key: PlanKey, options: string[], env: Record<string, string>): string {
  const login = key.type === "none" ? "" : key.login;
  const words = options.flatMap((option) => ["-o", option]).map(shellQuoted).join(" ");
  const exports = Object.entries(env).map(([name, value]) =>
    `export ${name}=${shellQuoted(value)}\n`
  );
  return `set -- ${words} "$@"\n` +
    `[ -n "$user" ] || set -- -o ${shellQuoted(`User=${login || "git"}`)} "$@"\n` +
    exports.join("");
}

/** Returns all keys and their sites, in the order in which they count. */
function rulesOf({ address, key, credentials = [] }: RepositoryPlan): Rule[] {
  const sorted = credentials.toSorted((one, other) => byNarrowness(one.site, other.site));
  const own = ownKey(address, key);
  if (!own) return sorted;
  const site = credentialSite("url", address.url);
  // Submodules may be on any host that uses ssh, which learns nothing of a key that it does not
  // know. A password is for the repository's host alone.
  const around = own.key.type === "ssh" ? ANY_SSH : site && { ...site, user: "", path: "" };
  return [
    ...site ? [{ ...own, site }] : [],
    ...sorted,
    ...around ? [{ ...own, site: around }] : [],
  ];
}

const ANY_SSH: CredentialSite = { scheme: "ssh", host: "*", port: "*", user: "", path: "" };

/** Returns what the repository itself signs in with, or null if it has nothing of its own. */
function ownKey(
  { kind, login, password }: RepositoryPlan["address"],
  key: PlanKey,
): Omit<Rule, "site"> | null {
  if (kind !== "http") return key.type === "none" ? null : { key };
  if (key.type === "login_password") return { key, login: key.login || login };
  const secret = password ?? conceal("");
  if (login === "" && isEmpty(secret)) return null;
  // A token needs a login beside it, but any login will do.
  return { key: { type: "login_password", login: "", password: secret }, login: login || "git" };
}

/** Starts an agent with all SSH keys; null if there are none. */
async function agentOf(context: RunContext, rules: Rule[], name: string) {
  const keys = [...new Set(rules.map(({ key }) => key))].filter((key) => key.type === "ssh");
  if (keys.length === 0) return null;
  const named = keys.map((key) => ({ name: key.name ?? "", key }));
  const { socket, files, end } = await startAgent(context, named, `${name}.agent`);
  return { socket, end, fileOf: (key: SshKey) => files[keys.indexOf(key)] };
}
