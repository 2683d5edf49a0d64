import type { FormState } from "../../lib/web/forms/form.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IdentityView } from "../../lib/people/identities/schema.ts";
import type { SignInOptions } from "../../lib/people/sessions/schema.ts";
import { AccessPart } from "../access/AccessPart.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Select } from "../ui/forms/Choice.tsx";
import { endColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormErrors } from "../ui/forms/Form.tsx";
import { CurrentPassword } from "../ui/forms/PasswordField.tsx";
import { Table } from "../ui/lists/Table.tsx";

/** Provider to which the browser continues, so that the user proves their identity there. */
export interface WayOut {
  name: string;
  url: string;
}

interface IdentitiesProps {
  ui: Ui;
  identities: IdentityView[];
  providers: SignInOptions["oidc_providers"];
  /** Names of all sign-in providers, by id. */
  names: ReadonlyMap<string, string>;
  form: FormState;
  /** The form that links the directory; null if there is none. */
  directory: FormState | null;
  /**
   * Whether the account has a password, which is required before another sign-in method is added.
   */
  hasPassword: boolean;
  wayOut: WayOut | null;
}

/** The providers that an account is linked with, and the form that links another one. */
export function Identities(
  { ui, identities, providers, names, directory, wayOut, ...rest }: IdentitiesProps,
) {
  const action = ui.href(paths.accountLinks());
  return (
    <AccessPart id="links" title={ui.t("identities.title")} actions={null}>
      <Table<IdentityView>
        caption={ui.t("identities.title")}
        rows={identities}
        rowId={({ id }) => `link-${id}`}
        empty={<p class="text-muted m-0">{ui.t("identities.none")}</p>}
        columns={[
          nameColumn(ui, "identities.provider", ({ provider }) => names.get(provider) ?? provider),
          { label: ui.t("identities.name"), kind: "text", cell: ({ name }) => name },
          whenColumn(ui, "identities.since", "created"),
          whenColumn(ui, "identities.last_used", "last_used"),
          endColumn(ui, {
            action: ui.href(paths.accountLinks("/remove")),
            name: "unlink",
            label: ui.t("identities.unlink"),
          }),
        ]}
      />
      {wayOut && (
        <Alert title={ui.t("identities.go_on_title", { name: wayOut.name })}>
          <ButtonLink href={wayOut.url}>
            {ui.t("identities.go_on", { name: wayOut.name })}
          </ButtonLink>
        </Alert>
      )}
      {!wayOut && providers.length > 0 && <LinkForm {...{ ui, providers, action, ...rest }} />}
      {!wayOut && directory && (
        <DirectoryLink ui={ui} form={directory} hasPassword={rest.hasPassword} />
      )}
    </AccessPart>
  );
}

type LinkFormProps = Pick<IdentitiesProps, "ui" | "providers" | "form" | "hasPassword"> & {
  action: string;
};

/** The page's script does not merge the answer, because the form leads to another server. */
function LinkForm({ ui, providers, form, hasPassword, action }: LinkFormProps) {
  const labels = {
    provider: ui.t("identities.provider"),
    link_password: ui.t("account.current_password"),
  };
  return (
    <form method="post" action={action} class="form max-w-md" noValidate>
      <FormErrors ui={ui} form={form} labels={labels} />
      <Select
        ui={ui}
        form={form}
        name="provider"
        label={labels.provider}
        required
        options={providers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {hasPassword && (
        <CurrentPassword
          ui={ui}
          form={form}
          name="link_password"
          hint={ui.t("identities.password_hint")}
          required
        />
      )}
      <div class="form-bar">
        <Button kind="primary">{ui.t("identities.link")}</Button>
      </div>
    </form>
  );
}

interface DirectoryLinkProps {
  ui: Ui;
  form: FormState;
  /**
   * Whether the account has a password, which is required before another sign-in method is added.
   */
  hasPassword: boolean;
}

/** Links the account with a person in the directory. */
function DirectoryLink({ ui, form: sent, hasPassword }: DirectoryLinkProps) {
  const form = { ...sent, idPrefix: "directory-" };
  const labels = {
    directory_login: ui.t("identities.directory_login"),
    directory_password: ui.t("identities.directory_password"),
    link_password: ui.t("account.current_password"),
  };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <form
      method="post"
      action={ui.href(paths.accountDirectory())}
      class="form max-w-md"
      aria-label={ui.t("identities.link_directory")}
      noValidate
    >
      <FormErrors ui={ui} form={form} labels={labels} />
      <Field {...field("directory_login")} required autocomplete="off" />
      <Field {...field("directory_password")} type="password" required autocomplete="off" />
      {hasPassword && (
        <CurrentPassword
          ui={ui}
          form={form}
          name="link_password"
          hint={ui.t("identities.password_hint")}
          required
        />
      )}
      <div class="form-bar">
        <Button kind="primary">{ui.t("identities.link_directory")}</Button>
      </div>
    </form>
  );
}
