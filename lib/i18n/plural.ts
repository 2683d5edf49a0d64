import { localeOf } from "./locale.ts";
import type { Ui } from "./ui.ts";

/** A sentence in the forms that its language counts by; "{{count}}" is still to be filled in. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** The forms of a sentence, for islands, which have no sentences but those that they are given. */
export function pluralForms({ language, t }: Pick<Ui, "language" | "t">, key: string): PluralForms {
  const { pluralCategories } = new Intl.PluralRules(localeOf(language)).resolvedOptions();
  return Object.fromEntries(pluralCategories.map((form) => [form, t(`${key}_${form}`)]));
}

/** The sentence for so many. */
export function inPlural(language: string, forms: PluralForms, count: number): string {
  const sentence = forms[new Intl.PluralRules(localeOf(language)).select(count)] ?? forms.other ??
    "";
  return sentence.replace("{{count}}", new Intl.NumberFormat(localeOf(language)).format(count));
}
