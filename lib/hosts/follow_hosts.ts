import { followVersion, readVersion } from "../access/follow_version.ts";
import type { ProjectScope } from "../access/scope.ts";
import { rowKeys } from "../store/keys.ts";

/** Returns a version that changes with the project's hosts. */
export const readHostsVersion = (scope: ProjectScope): Promise<string> =>
  readVersion(scope, rowKeys.hostsGuard(scope.projectId));

/** Yields the version of the project's hosts when it differs: see `followVersion`. */
export const followHosts = (
  scope: ProjectScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> =>
  followVersion(scope, rowKeys.hostsGuard(scope.projectId), version, signal);
