import { findAlias } from "../../triggers/integrations/repository.ts";
import type { AliasRow } from "../../triggers/integrations/schema.ts";
import type { ProjectRows } from "./rows.ts";
import type { RestoreReport } from "./schema.ts";
import { newAliasText } from "../../triggers/aliases/service.ts";
import type { Store } from "../../store/store.ts";

/** An address that cannot be guessed. Anyone who knows it may call it. */
const UNGUESSABLE = /^[A-Za-z0-9_-]{16,64}$/;

/**
 * Decides which addresses of a backup can be kept. Addresses that are in use here, for example
 * because the original project still exists, and those that could be guessed are replaced.
 */
export async function chooseAliases(kv: Store, rows: ProjectRows) {
  const changed: RestoreReport["new_aliases"] = [];
  const chosen = new Set<string>();
  for (const { integration, alias } of aliasesOf(rows)) {
    if (UNGUESSABLE.test(alias) && !chosen.has(alias) && !await findAlias(kv, alias)) {
      chosen.add(alias);
      continue;
    }
    const new_alias = newAliasText();
    chosen.add(new_alias);
    changed.push({ integration, alias, new_alias });
  }
  return { changed, applyTo: (rows: ProjectRows) => withAliases(rows, [...chosen]) };
}

const aliasesOf = ({ integrations, aliases }: ProjectRows) => [
  ...integrations.flatMap(({ name, aliases }) =>
    aliases.map(({ text }) => ({ integration: name, alias: text }))
  ),
  ...aliases.map(({ text }) => ({ integration: null, alias: text })),
];

/** The rows with these addresses, in the order of `aliasesOf`. */
function withAliases(rows: ProjectRows, texts: readonly string[]): ProjectRows {
  let at = 0;
  const next = ({ id }: AliasRow): AliasRow => ({ id, text: texts[at++] });
  const integrations = rows.integrations.map((row) => ({
    ...row,
    aliases: row.aliases.map(next),
  }));
  return { ...rows, integrations, aliases: rows.aliases.map(next) };
}
