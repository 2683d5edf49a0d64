import { secretsOfUrl } from "../../execution/git/address.ts";
import type { Item, SourceProject } from "./source.ts";

/** Returns the known secrets of a project, which must not be visible in the output of its tasks. */
export function secretsOfProject({ keys, environments, repositories }: SourceProject): string[] {
  const typed = repositories.map(({ git_url, ssh_key_id }) => ({
    url: String(git_url ?? ""),
    keyType: String(keys.find(({ id }) => id === ssh_key_id)?.type),
  }));
  const found: unknown[] = [
    ...keys.flatMap(({ login_password, ssh }) => [
      memberOf(login_password, "password"),
      memberOf(ssh, "passphrase"),
      memberOf(ssh, "private_key"),
    ]),
    ...environments.flatMap(({ secrets }) =>
      Array.isArray(secrets) ? secrets.map(({ secret }) => secret) : []
    ),
    ...typed.flatMap(({ url, keyType }) => secretsOfUrl(url, keyType)),
  ];
  return found.filter((secret) => typeof secret === "string");
}

const memberOf = (value: unknown, name: string) => (value as Item | undefined)?.[name];
