import type { ComponentChildren } from "preact";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { FoldedSection } from "@/components/ui/forms/FoldedSection.tsx";
import type { SummaryPart } from "@/lib/client/summary.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";

interface Flag {
  name: string;
  label: string;
  /** Name of the flag in the summary of the section. */
  brief: string;
  hint?: string;
}

interface FlagsSectionProps {
  ui: Ui;
  form: FormState;
  id: string;
  title: string;
  flags: Flag[];
  /** Further fields before the flags, and their parts of the summary. */
  fields?: SummaryPart[];
  children?: ComponentChildren;
  /** Fields after the flags, and the start of their names. */
  more?: ComponentChildren;
  holds?: string[];
}

/** A folded section of settings that are on or off. */
export const FlagsSection = (
  { ui, form, id, title, flags, fields = [], children, more, holds = [] }: FlagsSectionProps,
) => (
  <FoldedSection
    ui={ui}
    form={form}
    id={id}
    title={title}
    fields={[...fields, ...flags.map(({ name, brief }) => ({ name, text: brief }))]}
    holds={[...fields, ...flags].map(({ name }) => name).concat(holds)}
    none={ui.t("forms.standard")}
  >
    {children}
    {flags.map(({ name, label, hint }, n) => (
      <Checkbox key={n} ui={ui} form={form} name={name} label={label} hint={hint} />
    ))}
    {more}
  </FoldedSection>
);
