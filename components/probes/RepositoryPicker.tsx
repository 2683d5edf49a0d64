import type { Ui } from "../../lib/i18n/ui.ts";
import type { RepositoryContents } from "../../lib/execution/git/contents.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";
import { Button } from "../ui/Button.tsx";
import { FormErrors } from "../ui/Form.tsx";
import { Names } from "./Names.tsx";

interface RepositoryPickerProps {
  ui: Ui;
  labels: Record<string, string>;
  /** Contents of the repository; missing until they are requested. */
  found?: SubmittedForm<RepositoryContents>;
}

/** Ids of the lists with suggestions for the playbook and branch fields, used as their `list`. */
export const FOUND = { playbooks: "found-playbooks", branches: "found-branches" };

/** Asks the chosen repository for its playbooks and branches. Nothing is saved. */
export function RepositoryPicker({ ui, labels, found }: RepositoryPickerProps) {
  const { branches = [], playbooks = [] } = found?.ok ? found.result : {};
  return (
    <section id="found" class="trial">
      <div class="trial-button">
        <Button name="load" value="repository" formNoValidate formAction="#found" data-stay>
          {ui.t("probes.picker.load")}
        </Button>
        <p class="field-hint" role="status">
          {ui.t(found?.ok ? "probes.picker.loaded" : "probes.picker.hint", {
            playbooks: playbooks.length,
            branches: branches.length,
          })}
        </p>
      </div>
      {found && !found.ok && <FormErrors ui={ui} form={found} labels={labels} />}
      {found?.ok && (
        <div>
          <Names ui={ui} title={ui.t("probes.picker.playbooks")} names={playbooks} />
          <Names ui={ui} title={ui.t("probes.picker.branches")} names={branches} />
        </div>
      )}
      <datalist id={FOUND.playbooks}>
        {playbooks.map((path, n) => <option key={n} value={path} />)}
      </datalist>
      <datalist id={FOUND.branches}>
        {branches.map((name, n) => <option key={n} value={name} />)}
      </datalist>
    </section>
  );
}
