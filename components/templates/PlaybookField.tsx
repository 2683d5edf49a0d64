import { Names } from "@/components/connection_tests/ConnectionTest.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import type { RepositoryContents } from "@/lib/execution/git/contents.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState, SubmittedForm } from "@/lib/web/forms/form.ts";

/** Contents of the chosen repository, or why they are not known. */
type Found = SubmittedForm<RepositoryContents>;

/** Ids of the lists with suggestions for the playbook and branch fields, used as their `list`. */
export const FOUND = { playbooks: "found-playbooks", branches: "found-branches" };

interface PlaybookFieldProps {
  ui: Ui;
  form: FormState;
  /** Address of the suggestions. */
  suggestions: string;
  /** Contents of the chosen repository, if a button has requested them. */
  found?: Found;
}

/**
 * The path of a playbook, with the repository's playbooks as suggestions. They are loaded once the
 * repository is chosen, or without a script by a button.
 */
export const PlaybookField = ({ ui, form, suggestions, found }: PlaybookFieldProps) => (
  <div class="half playbook">
    <Field
      ui={ui}
      form={form}
      name="playbook"
      label={ui.t("templates.playbook_filename")}
      placeholder={ui.t("templates.playbook_example")}
      list={FOUND.playbooks}
      required
    />
    <div
      id="playbooks"
      data-fill={suggestions}
      data-fill-by="repository_id git_branch working_directory"
      data-fill-again="latest=true"
      data-fill-busy={ui.t("connection_tests.picker.loading")}
    >
      <FoundPlaybooks
        ui={ui}
        found={found}
        folder={form.values.working_directory}
        isChosen={Boolean(form.values.repository_id)}
      />
    </div>
  </div>
);

interface FoundPlaybooksProps {
  ui: Ui;
  found?: Found;
  /** The working directory, whose playbooks come first. */
  folder?: string;
  /** Whether a repository is chosen, so that its playbooks are about to be loaded. */
  isChosen?: boolean;
}

/** The suggestions for the playbook and the branch, and how many there are. */
export function FoundPlaybooks(
  { ui, found, folder = "", isChosen = false }: FoundPlaybooksProps,
) {
  const { branches = [], tags = [], playbooks: all = [], commit = null } = found?.ok
    ? found.result
    : {};
  const inside = folder.replace(/(?<!\/)\/*$/, "/");
  const playbooks = all.toSorted((a, b) =>
    Number(b.startsWith(inside)) - Number(a.startsWith(inside))
  );
  return (
    <div id="found">
      <div class="found-state">
        <p class="field-hint" role="status">
          {found || !isChosen ? foundText(ui, found) : ""}
          {commit && (
            <>
              {" "}
              <code>{commit.slice(0, 8)}</code>
            </>
          )}
        </p>
        <button
          type="submit"
          class={found && !isUnchosen(found) ? "found-button" : "found-button no-script"}
          name="load"
          value="repository"
          formNoValidate
          formaction="#found"
        >
          {ui.t(found ? "connection_tests.picker.reload" : "connection_tests.picker.load")}
        </button>
      </div>
      <div class="no-script">
        <Names ui={ui} title={ui.t("connection_tests.picker.playbooks")} names={playbooks} />
        <Names ui={ui} title={ui.t("connection_tests.picker.branches")} names={branches} />
        <Names ui={ui} title={ui.t("connection_tests.picker.tags")} names={tags} />
      </div>
      <datalist id={FOUND.playbooks}>
        {playbooks.map((path, n) => <option key={n} value={path} />)}
      </datalist>
      <datalist id={FOUND.branches}>
        {[...branches, ...tags].map((name, n) => <option key={n} value={name} />)}
      </datalist>
    </div>
  );
}

function foundText(ui: Ui, found?: Found): string {
  if (!found || isUnchosen(found)) return ui.t("connection_tests.picker.choose");
  if (!found.ok) {
    const [reason] = Object.values(found.errors);
    return ui.t("connection_tests.picker.failed", { reason });
  }
  const { length } = found.result.playbooks;
  return length === 0
    ? ui.t("connection_tests.picker.none")
    : ui.t("connection_tests.picker.found", { count: length });
}

/** Whether no repository is chosen yet. */
const isUnchosen = (found: Found) => !found.ok && "repository_id" in found.errors;
