import type { Ui } from "../../lib/i18n/ui.ts";
import type { RepositoryContents } from "../../lib/execution/git/contents.ts";
import type { KeyView } from "../../lib/resources/keys/schema.ts";
import type { FormState, SubmittedForm } from "../../lib/web/forms/form.ts";
import { PublicKey } from "../keys/PublicKey.tsx";
import { repositoryLabels } from "../repositories/RepositoryFields.tsx";
import { Names, Trial } from "./Trial.tsx";

interface RepositoryTrialProps {
  ui: Ui;
  form: FormState;
  keys: KeyView[];
  trial: SubmittedForm<RepositoryContents> | null;
}

/** Failures that come with additional help. */
const HELPED = ["repository_key_refused", "repository_unreachable", "branch_missing"];

/** Tests whether the typed repository can be reached, and shows its contents. */
export function RepositoryTrial({ ui, form, keys, trial }: RepositoryTrialProps) {
  const failure = trial?.ok === false ? trial.errors[""]?.key.split(".").at(-1) ?? "" : "";
  const key = keys.find(({ id }) => String(id) === form.values.ssh_key_id);
  return (
    <Trial
      ui={ui}
      button={ui.t("probes.repository.try")}
      hint={ui.t("probes.repository.hint")}
      labels={repositoryLabels(ui)}
      trial={trial}
      help={
        <>
          {HELPED.includes(failure) && <p>{ui.t(`probes.help.${failure}`)}</p>}
          {failure === "repository_key_refused" && key?.public_key && (
            <PublicKey ui={ui} line={key.public_key} />
          )}
        </>
      }
    >
      {({ branches, playbooks }) => (
        <>
          <p class="font-semibold">{ui.t("probes.repository.reached")}</p>
          {playbooks.length === 0 && <p>{ui.t("probes.repository.no_playbooks")}</p>}
          <Names
            ui={ui}
            title={ui.t("probes.repository.branches", { count: branches.length })}
            names={branches}
          />
          <Names
            ui={ui}
            title={ui.t("probes.repository.playbooks", { count: playbooks.length })}
            names={playbooks}
          />
        </>
      )}
    </Trial>
  );
}
