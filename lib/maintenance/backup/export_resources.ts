import { withoutHidden } from "../../execution/git/userinfo.ts";
import type { ListedKey } from "../../model/template_row.ts";
import type { SshOptions } from "../../resources/keys/ssh_options.ts";
import { entryName, type Names } from "./names.ts";
import type { ProjectRows } from "./rows.ts";
import { exportSource } from "./secret_storages.ts";

function exportSshOptions(options: SshOptions | undefined, names: Names) {
  if (!options?.jump) return options ?? null;
  const { key_id = null, ...jump } = options.jump;
  return { ...options, jump: { ...jump, key: entryName(names.keys, key_id) } };
}

export const exportKeys = (list: ListedKey[] | undefined, names: Names) =>
  list?.map(({ id, hosts = null }) => ({ key: entryName(names.keys, id)!, hosts })) ?? null;

export const exportKey = (
  { id, type, certificate, certificate_source, ssh_options, source }: ProjectRows["keys"][number],
  names: Names,
) => ({
  ...names.keys.get(id)!,
  type,
  ...certificate && { certificate },
  ssh_options: exportSshOptions(ssh_options, names),
  source: exportSource(source, names),
  ...certificate_source && { certificate_source: exportSource(certificate_source, names) },
});

export const exportRepository = (
  { id, git_url, git_branch, git_depth, ssh_key_id }: ProjectRows["repositories"][number],
  names: Names,
) => ({
  ...names.repositories.get(id)!,
  // Login and password must be typed in again after a restore, like those of keys.
  git_url: withoutHidden(git_url),
  git_branch,
  git_depth: git_depth === 1 ? null : git_depth,
  ssh_key: entryName(names.keys, ssh_key_id),
});

export const exportGitCredentials = ({ git_credentials }: ProjectRows, names: Names) =>
  git_credentials.length === 0 ? null : git_credentials.map(({ type, host, ssh_key_id }) => ({
    type,
    host,
    ssh_key: entryName(names.keys, ssh_key_id),
  }));

export function exportToolchains({ toolchains }: ProjectRows, names: Names) {
  if (toolchains.length === 0) return null;
  return toolchains.map(({ id, project_id: _, galaxy_key_id, ...row }) => ({
    ...row,
    galaxy_key: entryName(names.keys, galaxy_key_id),
    ...names.toolchains.get(id)!,
  }));
}

/** The name of a chosen toolchain; null for one of the server, which the file does not have. */
export const toolchainName = (names: Names, { toolchain_id }: { toolchain_id?: number | null }) =>
  names.toolchains.get(toolchain_id ?? 0)?.name ?? null;
