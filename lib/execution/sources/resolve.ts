import { conceal, isSecret, referenceOf, type Secret, secretsIn } from "../../base/secret.ts";
import type { SourceMachine } from "./kind.ts";
import { sourceKinds } from "./kinds.ts";
import { createReader, type Reading } from "./reader.ts";
import type { SecretReference } from "./reference.ts";

/** Whether texts of a plan have to be read elsewhere. */
export const hasReferences = (plan: unknown): boolean => secretsIn(plan).some(referenceOf);

/** Returns the secrets of a plan whose texts are here already. */
export const presentSecrets = (plan: unknown): Secret[] =>
  secretsIn(plan).filter((secret) => !referenceOf(secret));

/**
 * Does `work` with a plan that has all of its secrets, and then ends what storages have issued for
 * it. Each path is read once. Throws 422 with the storage, the path and the reason.
 */
export async function withSecrets<P, T>(
  machine: SourceMachine,
  plan: P,
  reading: Reading,
  work: (plan: P) => Promise<T>,
): Promise<T> {
  const referred = secretsIn(plan).filter(referenceOf);
  if (referred.length === 0) return await work(plan);
  const reader = createReader(machine, reading);
  try {
    const texts = new Map<Secret, string>();
    for (const secret of referred) {
      texts.set(secret, await reader.text(referenceOf(secret) as SecretReference));
    }
    return await work(filled(plan, texts) as P);
  } finally {
    await reader.close();
  }
}

type Members = Record<string, unknown>;

/** Returns a copy of a plan with the texts in place of the references. */
function filled(part: unknown, texts: ReadonlyMap<Secret, string>): unknown {
  if (isSecret(part)) return texts.has(part) ? conceal(texts.get(part)!) : part;
  if (Array.isArray(part)) return part.map((member) => filled(member, texts));
  if (typeof part !== "object" || part === null) return part;
  const { plain, ...others } = part as Members;
  const isKey = typeof plain === "object" && plain !== null && secretsIn(plain).some(referenceOf);
  const copy: Members = {};
  for (const [name, member] of Object.entries(isKey ? others : part)) {
    copy[name] = filled(member, texts);
  }
  if (isKey) {
    for (const [name, secret] of Object.entries(plain)) {
      const text = texts.get(secret);
      if (text) copy[name] = text;
    }
  }
  return copy;
}

/** Adds identities of a task to the storages of its plan that sign in with them, one for each. */
export async function addIdentities(
  plan: unknown,
  issue: (audience: string) => Promise<Secret>,
): Promise<void> {
  const issued = new Map<number, Secret>();
  for (const secret of secretsIn(plan)) {
    const { storage } = (referenceOf(secret) ?? {}) as Partial<SecretReference>;
    const audience = storage && sourceKinds[storage.kind]?.audience?.(storage.params);
    if (!storage || !audience) continue;
    const identity = issued.get(storage.id) ?? await issue(audience);
    issued.set(storage.id, identity);
    storage.identity = identity;
  }
}
