import { Button } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";

/** Id of the form for what is chosen in tables, which is not around them. */
const FORM = "drift-choice";

interface ChoiceBarProps {
  ui: Ui;
  projectId: number;
  /** The template of the page; without it, hosts of several can be chosen. */
  template?: number;
  /** Whether any difference is accepted. */
  isAccepted: boolean;
}

/** Commands for the chosen hosts, and how many boxes are ticked. */
export function ChoiceBar({ ui, projectId, template, isAccepted }: ChoiceBarProps) {
  const drift = ui.href(paths.section(projectId, "drift"));
  return (
    <>
      <form id={FORM} method="post" action={`${drift}/fix`} class="choice-bar" data-stay>
        {template !== undefined && <input type="hidden" name="template" value={template} />}
        <output id="drift-chosen" data-chosen={ui.t("drift.chosen", { number: "{{number}}" })} />
        <Button kind="primary" icon="play">{ui.t("drift.fix")}</Button>
        <Button formMethod="get" formAction={`${drift}/accept`}>{ui.t("drift.accept")}</Button>
        {isAccepted && <Button formAction={`${drift}/unaccept`}>{ui.t("drift.unaccept")}</Button>}
        {template !== undefined && (
          <label>
            <input type="checkbox" id="fix-all" name="all" value="true" />
            <span>{ui.t("drift.all")}</span>
          </label>
        )}
        <label>
          <input type="checkbox" id="fix-latest" name="commit" value="latest" />
          <span>{ui.t("drift.latest_commit")}</span>
        </label>
      </form>
      <p class="text-muted">{ui.t("drift.fix_hint")}</p>
    </>
  );
}

interface ChoiceBoxProps {
  ui: Ui;
  /** A host, or an Ansible task that hosts need. */
  kind: "choice" | "group";
  template: number;
  name: string;
}

/** A box in a table that chooses hosts for the commands. */
export const ChoiceBox = ({ ui, kind, template, name }: ChoiceBoxProps) => (
  <label class="check">
    <input
      type="checkbox"
      id={`${kind}-${template}-${encodeURIComponent(name)}`}
      form={FORM}
      name={kind}
      value={`${template}:${name}`}
      aria-label={ui.t("drift.choose_host", { name: visible(name) })}
    />
  </label>
);
