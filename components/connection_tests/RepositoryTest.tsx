import type { Ui } from "../../lib/i18n/ui.ts";
import type { RepositoryContents } from "../../lib/execution/git/contents.ts";
import type { KeyView } from "../../lib/resources/keys/schema.ts";
import type { FormState, SubmittedForm } from "../../lib/web/forms/form.ts";
import { PublicKey } from "../keys/PublicKey.tsx";
import { repositoryLabels } from "../repositories/RepositoryFields.tsx";
import { ConnectionTest, Names } from "./ConnectionTest.tsx";

interface RepositoryTestProps {
  ui: Ui;
  form: FormState;
  keys: KeyView[];
  test: SubmittedForm<RepositoryContents> | null;
}

/** Failures that come with additional help. */
const HELPED = ["repository_key_refused", "repository_unreachable", "branch_missing"];

/** Tests whether the typed repository can be reached, and shows its contents. */
export function RepositoryTest({ ui, form, keys, test }: RepositoryTestProps) {
  const failure = test?.ok === false ? test.errors[""]?.key.split(".").at(-1) ?? "" : "";
  const key = keys.find(({ id }) => String(id) === form.values.ssh_key_id);
  return (
    <ConnectionTest
      ui={ui}
      button={ui.t("connection_tests.repository.test")}
      hint={ui.t("connection_tests.repository.hint")}
      labels={repositoryLabels(ui)}
      test={test}
      help={
        <>
          {HELPED.includes(failure) && <p>{ui.t(`connection_tests.help.${failure}`)}</p>}
          {failure === "repository_key_refused" && key?.public_key && (
            <PublicKey ui={ui} line={key.public_key} />
          )}
        </>
      }
    >
      {({ branches, tags, playbooks }) => (
        <>
          <p class="font-semibold">{ui.t("connection_tests.repository.reached")}</p>
          {playbooks.length === 0 && <p>{ui.t("connection_tests.repository.no_playbooks")}</p>}
          <Names
            ui={ui}
            title={ui.t("connection_tests.repository.branches", { count: branches.length })}
            names={branches}
          />
          <Names
            ui={ui}
            title={ui.t("connection_tests.repository.tags", { count: tags.length })}
            names={tags}
          />
          <Names
            ui={ui}
            title={ui.t("connection_tests.repository.playbooks", { count: playbooks.length })}
            names={playbooks}
          />
        </>
      )}
    </ConnectionTest>
  );
}
