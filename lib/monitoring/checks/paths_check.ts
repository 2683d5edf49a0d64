import { access, constants, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Config, isShared } from "../../base/settings/config.ts";
import { explain } from "../../base/machine/data_folder.ts";
import { settingsOf } from "../../base/settings/setting_kinds.ts";
import type { Environment } from "../../base/settings/settings.ts";
import { type Finding, problem } from "./finding.ts";

/** Uses of a file or a folder that a setting names. */
const USES = {
  /** Reads a folder or a file that is there. */
  read: constants.R_OK,
  /** Starts a program. */
  run: constants.X_OK,
  /** Writes to a folder, which it creates if it is missing. */
  write: constants.W_OK,
} as const;
type Use = keyof typeof USES;

/**
 * Checks the files and folders that settings name, as far as no reader of settings does. The check
 * of the data folder is one of its own.
 */
export async function checkPaths(env: Environment, config: Config): Promise<Finding[]> {
  const found = await Promise.all(
    placesOf(env, config).map(async ([name, path, use]) => {
      const why = await whyNot(path, use);
      return why === null ? [] : [problem("failed", "doctor.settings.invalid", {
        why: `${name}: ${path} cannot be ${WORDS[use]}: ${why}`,
      })];
    }),
  );
  return found.flat();
}

const WORDS = { read: "read", run: "executed", write: "written to" } satisfies Record<Use, string>;

function placesOf(env: Environment, config: Config): [name: string, path: string, use: Use][] {
  const given = (name: string) => env.get(name)?.trim() || null;
  const one = (name: string, use: Use): [string, string, Use][] => {
    const path = given(name);
    return path === null || URL.canParse(path) ? [] : [[name, resolve(path), use]];
  };
  const file = given("CALLBOARD_AUDIT_FILE");
  const socket = given("CALLBOARD_SOCKET");
  const folders = (given("CALLBOARD_SECRET_FILES") ?? "").split(",").map((one) => one.trim());
  return [
    ...settingsOf("source").flatMap((name) => one(name, "read")),
    ...one("CALLBOARD_SECRET_COMMAND", "run"),
    ...one("CALLBOARD_BACKUP_TO", "write"),
    // A start does not create the folder.
    ...(socket ? [["CALLBOARD_SOCKET", dirname(resolve(socket)), "read"] as const] : []),
    ...(file ? [["CALLBOARD_AUDIT_FILE", dirname(resolve(file)), "write"] as const] : []),
    ...(isShared(config) || !given("CALLBOARD_KV")
      ? []
      : [["CALLBOARD_KV", dirname(resolve(config.kv)), "write"] as const]),
    ...folders.filter((folder) => folder.startsWith("/")).map((folder) =>
      [
        "CALLBOARD_SECRET_FILES",
        folder.replace(/\/[^/]*\{project\}.*$/, "") || "/",
        "read",
      ] as const
    ),
  ].map(([name, path, use]) => [name, path, use]);
}

/** Returns why a path cannot be used; null if it can. */
async function whyNot(path: string, use: Use): Promise<string | null> {
  try {
    await access(use === "write" ? await existingPart(path) : path, USES[use]);
    if (use === "write" && !(await stat(await existingPart(path))).isDirectory()) {
      return "it is not a folder";
    }
    return null;
  } catch (error) {
    return use === "write" ? explain(error) : REASONS[codeOf(error)] ?? explain(error);
  }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";

const REASONS: Record<string, string> = {
  ENOENT: "it does not exist",
  EACCES: "this account is not allowed to",
};

/** Returns the innermost folder of a path that exists, in which the rest can be created. */
async function existingPart(path: string): Promise<string> {
  const exists = await stat(path).then(() => true, (error) => codeOf(error) !== "ENOENT");
  return exists || path === "/" ? path : await existingPart(dirname(path));
}
