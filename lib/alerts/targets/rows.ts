import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import { versioned } from "../../base/version.ts";
import type { Language } from "../../i18n/catalogs.ts";
import { fieldsOf } from "../kinds/kinds.ts";
import type { AnyKind } from "../schema.ts";
import { projectIdOf } from "../scope.ts";
import type { TargetView } from "./schema.ts";

/** A target: a stored one, or one that the settings of the server define. */
export interface TargetRow {
  /** Below 0 for a target of the settings. */
  id: number;
  /** 0 for a target of the server. */
  project_id: number;
  name: string;
  kind: AnyKind;
  language: Language;
  active: boolean;
  allow_private: boolean;
  /** Values of fields that are not secret. */
  settings: Record<string, string>;
  /** The sealed JSON of the secret values; null for none. */
  sealed: Uint8Array | null;
  /** Names of the secret values. */
  secrets: string[];
  host: string;
  failures: number;
  paused: { at: string; reason: SentenceOrText } | null;
}

/** Returns the part of a target that people change, which its version covers. */
export const changeableTarget = ({ failures: _, paused: __, ...row }: TargetRow) => row;

/** Returns a target as the API returns it. */
export function targetView(row: TargetRow): TargetView {
  const { sealed: _, paused, project_id, settings, ...shown } = row;
  const isOfSettings = row.id < 0;
  const names = isOfSettings ? [] : fieldsOf(row.kind).map(({ name }) => name);
  return versioned({
    ...shown,
    project_id: projectIdOf(project_id),
    settings: Object.fromEntries(names.map((name) => [name, settings[name] ?? ""])),
    from_environment: isOfSettings,
    paused: paused?.at ?? null,
    paused_reason: paused?.reason ?? null,
  }, changeableTarget(row));
}
