import { parseArgs } from "node:util";
import { type ConfigFile, loadConfigFile } from "../lib/base/settings/config_file.ts";
import {
  environmentSettings,
  placeIn,
  type SettingOrigin,
  withoutCredentials,
} from "../lib/base/settings/known_settings.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { fileVariable } from "../lib/base/settings/secret_settings.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { readAllSettings } from "../lib/monitoring/checks/all_settings.ts";
import type { Finding } from "../lib/monitoring/checks/finding.ts";
import { checkSettings } from "../lib/monitoring/checks/settings_check.ts";
import { tell } from "../lib/i18n/tell.ts";
import { translator } from "../lib/i18n/translate.ts";
import { readReference } from "../lib/web/system/settings_reference.ts";
import { columns, say } from "./console.ts";
import { explain } from "./explain.ts";

const COMMAND = operatorCommand("config");
const USAGE = `Checks or shows the settings of this server or runner, and starts nothing.

  ${COMMAND} check [--json]   List all problems. The exit code is 1 if there is one
  ${COMMAND} show [--json]    Show all settings in effect and where they come from

Use the account and the environment of the server. Secrets are not shown.`;

const t = translator("en");

async function main(args: string[]): Promise<void> {
  const options = { json: { type: "boolean", default: false } } as const;
  const { values: { json }, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [command, ...more] = positionals;
  if (more.length > 0) throw new ConfigError(USAGE);
  if (command === "check") return await check(json);
  if (command === "show") return await show(json);
  throw new ConfigError(USAGE);
}

async function readAll() {
  const file = await loadConfigFile();
  const names = Object.keys(Deno.env.toObject());
  return { file, ...await readAllSettings({ variables: Deno.env, names }) };
}

/** A problem as it is reported. */
interface Problem {
  level: "failed" | "warning";
  problem: string;
  next: string | null;
}

async function check(json: boolean): Promise<void> {
  const { file, env, findings } = await readAll();
  const odd = (file?.odd ?? []).map(({ line, why }): Problem => ({
    level: "failed",
    problem: `${file!.path}, line ${line}: ${why}.`,
    next: null,
  }));
  const checked = await checkSettings({ env, settingsFindings: findings });
  const problems = [...odd, ...checked.flatMap((finding) => problemOf(finding, file))];
  const isGood = problems.every(({ level }) => level !== "failed");
  if (json) say(JSON.stringify({ ok: isGood, file: file?.path ?? null, problems }, null, 2));
  else {
    for (const { level, problem, next } of problems) {
      say(`${t(`doctor.level.${level}`)}: ${problem}`);
      if (next) say(`  ${next}`);
    }
    if (problems.length === 0) say(t("doctor.settings.valid"));
  }
  Deno.exitCode = isGood ? 0 : 1;
}

function problemOf({ level, found, next }: Finding, file: ConfigFile | null): Problem[] {
  if (level === "ok") return [];
  // The sentence of a reader of settings says by itself what to do.
  const said = typeof found !== "string" && found.key === "doctor.settings.invalid.found"
    ? String(found.params!.why)
    : null;
  const sentence = (said ?? tell(found, t)).replace(/\.?$/, ".");
  const [name = ""] = /\b(?:CALLBOARD|DENO)_[A-Z_]+\b/.exec(sentence) ?? [];
  return [{
    level,
    problem: sentence + placeIn(file, name),
    next: said === null && next ? tell(next, t) : null,
  }];
}

/** A setting as it is shown. */
interface ShownSetting {
  name: string;
  /** Null for a secret, and without any value. */
  value: string | null;
  set: boolean;
  origin: SettingOrigin;
  /** File, and line, that it comes from; null for none. */
  place: string | null;
}

async function show(json: boolean): Promise<void> {
  const { file, env, config } = await readAll();
  const set = environmentSettings(env);
  const resolved = new Map([
    ["CALLBOARD_DATA", config.dataDir],
    ["CALLBOARD_KV", withoutCredentials(config.kv)],
  ]);
  const known = (await readReference()).flatMap(({ settings }) => settings);
  const settings = known.map(({ name, fallback }): ShownSetting => {
    const one = set.get(name);
    const value = one ? one.value : fallback || null;
    const origin = one?.origin ?? "default";
    return {
      name,
      value: one && one.value === null ? null : resolved.get(name) ?? value,
      set: one !== undefined,
      origin,
      place: placeOf(name, origin, file),
    };
  });
  if (json) return say(JSON.stringify({ file: file?.path ?? null, settings }, null, 2));
  const rows = settings.map(({ name, value, set, origin, place }) => [
    name,
    value ?? (set ? "(set)" : "(not set)"),
    place ? `${ORIGINS[origin]} ${place}` : ORIGINS[origin],
  ]);
  say(columns([["SETTING", "VALUE", "ORIGIN"], ...rows]));
}

const ORIGINS: Record<SettingOrigin, string> = {
  environment: "variable",
  file: "file",
  secret_file: "secret file",
  credential: "credential",
  default: "default",
};

function placeOf(name: string, origin: SettingOrigin, file: ConfigFile | null): string | null {
  if (origin === "file") return `${file!.path}:${file!.lines.get(name)}`;
  return origin === "secret_file" ? Deno.env.get(fileVariable(name)) ?? null : null;
}

try {
  await main(Deno.args);
} catch (error) {
  say(explain(error));
  Deno.exitCode = 1;
}
