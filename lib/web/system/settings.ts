import type { AdminScope } from "../../access/scope.ts";
import { type SettingOrigin, withoutCredentials } from "../../base/settings/known_settings.ts";
import type { AppDeps } from "../state.ts";
import { readReference } from "./settings_reference.ts";

/** A setting as administrators see it. */
export interface SettingView {
  name: string;
  /** English, with Markdown's `code`. */
  meaning: string;
  /** The value in effect: text, whether a secret is set, or null without any value. */
  value: string | true | null;
  source: SettingOrigin;
}

export interface SettingSection {
  /** English heading of docs/settings.md. */
  title: string;
  settings: SettingView[];
}

/** Returns all settings of this server in the order of their document. */
export async function listSettings(
  { deps: { settings, config } }: AdminScope<AppDeps>,
): Promise<SettingSection[]> {
  // Their defaults depend on the folder in which the server was started.
  const resolved = new Map([
    ["CALLBOARD_DATA", config.dataDir],
    ["CALLBOARD_KV", withoutCredentials(config.kv)],
  ]);
  return (await readReference()).map(({ title, settings: known }) => ({
    title,
    settings: known.map(({ name, meaning, fallback }): SettingView => {
      const set = settings.get(name);
      const source = set?.origin ?? "default";
      if (set?.value === null) return { name, meaning, value: true, source };
      const value = resolved.get(name) ?? set?.value ?? (fallback || null);
      return { name, meaning, value, source };
    }),
  }));
}
