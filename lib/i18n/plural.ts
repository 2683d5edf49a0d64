import { localeOf } from "./locale.ts";
import type { Ui } from "./ui.ts";

/** The plural forms of a sentence; "{{count}}" is not filled in yet. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** Returns the plural forms of a sentence. Islands have only the sentences that they receive. */
export function pluralForms({ language, t }: Pick<Ui, "language" | "t">, key: string): PluralForms {
  const { pluralCategories } = new Intl.PluralRules(localeOf(language)).resolvedOptions();
  return Object.fromEntries(pluralCategories.map((form) => [form, t(`${key}_${form}`)]));
}

/** Returns the form of a sentence for a count. */
export function inPlural(language: string, forms: PluralForms, count: number): string {
  const sentence = forms[new Intl.PluralRules(localeOf(language)).select(count)] ?? forms.other ??
    "";
  return sentence.replace("{{count}}", new Intl.NumberFormat(localeOf(language)).format(count));
}
