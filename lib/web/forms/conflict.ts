/**
 * A form names the version that it changes, and has a short digest of each field that it showed.
 * Without them, the later of two saves won silently. What only others have changed is proposed as
 * theirs, what both have as mine. Lists are chosen as a whole. A field that never shows what was
 * typed says so in the form. That mark keeps secrets out of comparisons and of what is kept.
 */

import { type Expected, hiddenPart, versionOf } from "../../base/version.ts";
import { type Conflict, type FormErrors, type FormState, isSearching, newForm } from "./form.ts";
import type { FormValues } from "./read_form.ts";
import { digestOf, digestsOf, OWN_FIELDS, unchanged, unitsOf, withUnit } from "./units.ts";

/** Names of objects by id, for fields that select one. */
export type Choices = Record<string, readonly { id: number | string; name: string }[]>;

/**
 * Field that carries the version that a form was filled in for, and the values that it showed then.
 */
const VERSION_FIELD = "stored_version";
/**
 * Field with the choice in a conflict: `conflict.<field>`, or with the bare name for all fields.
 */
const CHOICE_FIELD = "conflict";

/** Returns the form of a stored row with the values `shown`. It carries the version of the row. */
export function storedForm(shown: object, version: string | null): FormState {
  const form = newForm(shown);
  if (version === null) return form;
  const known = `${version};${digestsOf(unitsOf(form.values))}`;
  return { ...form, values: { ...form.values, [VERSION_FIELD]: known } };
}

/** Returns the form of a view that was read by its service. */
export const formOf = (view: object | null, shown: object = view ?? {}): FormState =>
  storedForm(shown, versionOf(view));

/** Returns the version that a form was filled in for; undefined if the form has none. */
export function expectedOf(values: FormValues): Expected {
  const sent = values[VERSION_FIELD];
  return sent ? [versionIn(sent)] : undefined;
}

const versionIn = (text: string) => text.split(";", 1)[0];
const digestsIn = (text: string) => text.slice(versionIn(text).length + 1);

const isChoice = (name: string) => /^conflict(\.|$)/.test(name);

/** Whether a form holds choices between its own values and stored ones. */
export const hasChoices = (typed: FormValues): boolean => Object.keys(typed).some(isChoice);

/**
 * Returns the typed values, replaced by the stored ones where the user chose those. A value that
 * was typed after the choice stays.
 */
export function withChoices(typed: FormValues, now: FormState): FormValues {
  let values = typed;
  const isAllMine = typed[CHOICE_FIELD] === "mine";
  const units = unitsOf(typed);
  for (const [name, choice] of Object.entries(typed)) {
    if (!name.startsWith(`${CHOICE_FIELD}.`)) continue;
    const unit = name.slice(CHOICE_FIELD.length + 1);
    const isTheirs = choice === `theirs ${digestOf(units.get(unit) ?? "")}`;
    if (isTheirs && !isAllMine) values = withUnit(values, unit, now.values);
  }
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isChoice(name)));
}

/** Whether a form was refused because someone else saved first. */
const isLate = (errors: FormErrors): boolean => errors[""]?.key === "errors.changed_meanwhile";

/**
 * Returns a form that was not saved, as its page shows it again, and the page's status. If someone
 * else saved first, `readNow` reads the stored values and the page shows both.
 */
export async function refusedForm(
  typed: FormValues,
  errors: FormErrors,
  readNow: () => Promise<FormState> | FormState,
  choices: () => Choices | Promise<Choices> = () => ({}),
): Promise<{ form: FormState; status: number }> {
  if (isSearching(typed)) return { form: { values: typed, errors, isRedrawn: true }, status: 200 };
  if (!isLate(errors)) return { form: { values: typed, errors }, status: 422 };
  const now = await readNow();
  const conflict = compare(typed, now.values, await choices());
  const values = { ...typed, [VERSION_FIELD]: now.values[VERSION_FIELD] };
  return { form: { values, errors: {}, conflict }, status: 409 };
}

function compare(typed: FormValues, now: FormValues, choices: Choices): Conflict {
  const before = typed[VERSION_FIELD] ?? "";
  const isSame = unchanged(digestsIn(before));
  const [mine, theirs] = [unitsOf(typed), unitsOf(now)];
  const fields = [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((name) => {
    const [own, other] = [mine.get(name) ?? "", theirs.get(name) ?? ""];
    if (own === other || isSame(name, other) || OWN_FIELDS.test(name)) return [];
    const nameOf = (id: string) =>
      choices[name]?.find((choice) => String(choice.id) === id)?.name ?? id;
    const keep = isSame(name, own) ? "theirs" as const : "mine" as const;
    return [{ name, mine: nameOf(own), theirs: nameOf(other), keep, digest: digestOf(own) }];
  });
  const hidden = hiddenPart(versionIn(before)) !== hiddenPart(versionIn(now[VERSION_FIELD] ?? ""));
  return { fields, hidden };
}
