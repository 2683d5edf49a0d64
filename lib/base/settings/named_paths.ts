import { delimiter, isAbsolute, resolve } from "node:path";
import { fileVariable, SECRET_SETTINGS } from "./secret_settings.ts";
import { settingsOf } from "./setting_kinds.ts";
import { ConfigError, type Environment } from "./settings.ts";

/**
 * A file or a folder of this machine that a setting names, or that is usual.
 *
 * - `file` and `folder` are for the server alone. `listing` is such a file that names others.
 * - `data` is the data folder of a server or a runner.
 * - `usual` is a folder for the server alone that no setting names.
 * - `project_folder` is a folder with `{project}` in place of the id, or one for all projects.
 * - `trusted` is a file that runs must not change.
 * - `source` is a file or a folder that runs read, and `programs` a folder of the PATH.
 */
export interface NamedPath {
  kind:
    | "data"
    | "file"
    | "folder"
    | "listing"
    | "usual"
    | "project_folder"
    | "trusted"
    | "source"
    | "programs";
  /** Absolute. */
  path: string;
}

/** Paths without a setting. A runner is kept away from those of a server, too. */
const FALLBACKS: Record<string, string> = {
  CALLBOARD_DATA: "data",
  CALLBOARD_RUNNER_DATA: "runner-data",
  CALLBOARD_CONFIG: "callboard.env",
};

/** Folders in which packages, systemd, engines of containers and Kubernetes keep secrets. */
const USUAL = [
  "/etc/callboard",
  "/etc/credstore",
  "/etc/credstore.encrypted",
  "/run/credentials",
  "/run/credstore",
  "/run/credstore.encrypted",
  "/run/secrets",
];

/** Returns everything that settings name on this machine. Throws ConfigError for an odd path. */
export function readNamedPaths(env: Environment): NamedPath[] {
  const named = (kind: NamedPath["kind"], names: readonly string[]) =>
    names.flatMap((name) => {
      const text = env.get(name)?.trim() || FALLBACKS[name];
      return text ? [{ kind, path: pathOf(name, text) }] : [];
    });
  return [
    ...named("data", settingsOf("data")),
    ...named("file", SECRET_SETTINGS.map(fileVariable)),
    ...named("file", settingsOf("file")),
    ...named("file", settingsOf("store").filter((name) => !URL.canParse(env.get(name) ?? ""))),
    ...named("folder", [...settingsOf("folder"), "CREDENTIALS_DIRECTORY"]),
    ...named("listing", settingsOf("listing")),
    ...settingsOf("project_folders").flatMap((name) =>
      parts(env.get(name), ",").map(
        (path): NamedPath => ({ kind: "project_folder", path: pathOf(name, path) }),
      )
    ),
    ...named("trusted", settingsOf("trusted")),
    // Addresses are not absolute.
    ...named(
      "source",
      [...settingsOf("source"), "SSL_CERT_FILE", "SSL_CERT_DIR"].filter((name) =>
        isAbsolute(env.get(name) ?? "")
      ),
    ),
    ...USUAL.map((path): NamedPath => ({ kind: "usual", path })),
    ...parts(env.get("PATH"), delimiter).filter(isAbsolute)
      .map((path): NamedPath => ({ kind: "programs", path })),
  ];
}

const parts = (text: string | undefined, separator: string): string[] =>
  text?.split(separator).map((part) => part.trim()).filter(Boolean) ?? [];

function pathOf(name: string, text: string): string {
  // A list of paths has one in a line.
  if (/[\r\n]/.test(text)) throw new ConfigError(`${name} must not contain a line break`);
  return resolve(text);
}
