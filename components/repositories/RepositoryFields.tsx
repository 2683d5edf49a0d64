import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { DEPTH_MAX } from "../../lib/resources/repositories/schema.ts";
import type { KeyView } from "../../lib/resources/keys/schema.ts";
import { isPlainHttp, REPOSITORY_KINDS, repositoryKind } from "../../lib/execution/git/url.ts";
import { HIDDEN, userinfoOf } from "../../lib/execution/git/userinfo.ts";
import { Alert } from "../ui/Alert.tsx";
import { namedOptions, Select } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";

export const repositoryLabels = (ui: Ui) => ({
  name: ui.t("repositories.name"),
  git_url: ui.t("repositories.url"),
  git_branch: ui.t("repositories.branch"),
  git_depth: ui.t("repositories.depth"),
  ssh_key_id: ui.t("repositories.key"),
});

const BRANCHES = "repository-branches";

interface RepositoryFieldsProps {
  ui: Ui;
  form: FormState;
  keys: KeyView[];
  /** Branches and tags, as this or an earlier test of the connection has found them. */
  branches: string[];
}

/** The source of playbooks, and the key to access it. */
export function RepositoryFields({ ui, form, keys, branches }: RepositoryFieldsProps) {
  const labels = repositoryLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const url = form.values.git_url ?? "";
  const isLocal = repositoryKind(url) === "local";
  return (
    <>
      <Field {...field("name")} required autofocus />
      <div id="repository-url" class="grid grid-cols-1 gap-2">
        <Field
          {...field("git_url")}
          required
          hint={userinfoOf(url) === HIDDEN
            ? ui.t("repositories.hidden_hint")
            : isLocal
            ? undefined
            : ui.t("repositories.checkout_hint")}
          placeholder="https://git.example.com/team/playbooks.git"
        />
        <KindButtons ui={ui} url={url} />
        {isPlainHttp(url) && <Alert kind="warning">{ui.t("repositories.not_encrypted")}</Alert>}
      </div>
      <Field
        {...field("git_branch")}
        required
        placeholder="main"
        disabled={isLocal}
        hint={ui.t(isLocal ? "repositories.local_hint" : "repositories.branch_hint")}
        list={BRANCHES}
        class="half"
      />
      <datalist id={BRANCHES}>
        {branches.map((name, n) => <option key={n} value={name} />)}
      </datalist>
      <Field
        {...field("git_depth")}
        type="number"
        min={0}
        max={DEPTH_MAX}
        placeholder="1"
        disabled={isLocal}
        hint={ui.t("repositories.depth_hint")}
        class="half"
      />
      <Select
        {...field("ssh_key_id")}
        required
        blank={ui.t("lists.choose")}
        options={namedOptions(ui, keys)}
        hint={ui.t("repositories.key_hint")}
      />
    </>
  );
}

/** Buttons that rewrite the URL for another protocol; each sends the form. */
function KindButtons({ ui, url }: { ui: Ui; url: string }) {
  const current = url === "" ? null : repositoryKind(url);
  return (
    <div class="flex flex-wrap gap-1" role="group" aria-label={ui.t("repositories.kind")}>
      {REPOSITORY_KINDS.map((kind) => (
        <button
          type="submit"
          name="kind"
          value={kind}
          formaction="#repository-url"
          data-stay
          class="kind-button"
          aria-pressed={kind === current ? "true" : "false"}
        >
          {kind === "local" ? ui.t("repositories.local") : kind}
        </button>
      ))}
    </div>
  );
}
