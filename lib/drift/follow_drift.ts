import { followVersion, readVersion } from "../access/follow_version.ts";
import type { ProjectScope } from "../access/scope.ts";
import { rowKeys } from "../store/keys.ts";

/** Returns a version that changes with each state of the project's hosts. */
export const readDriftVersion = (scope: ProjectScope): Promise<string> =>
  readVersion(scope, rowKeys.driftStamp(scope.projectId));

/** Yields the version of the project's states when it differs: see `followVersion`. */
export const followDrift = (
  scope: ProjectScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> =>
  followVersion(scope, rowKeys.driftStamp(scope.projectId), version, signal);
