import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { HostAuthority } from "../../lib/resources/known_hosts/authority_schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import { Button } from "../ui/Button.tsx";
import { actionsColumn, nameColumn } from "../ui/lists/columns.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { KeyTabs } from "./KeyTabs.tsx";

interface HostAuthoritiesProps {
  ui: Ui;
  shell: Shell;
  authorities: HostAuthority[];
  form: FormState;
}

/** Authorities that sign keys of hosts, and the form that adds one. */
export function HostAuthorities({ ui, shell, authorities, form }: HostAuthoritiesProps) {
  const { id, name } = shell.project;
  const title = ui.t("host_authorities.title");
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader title={title} />
      <KeyTabs ui={ui} projectId={id} current="host_authorities" />
      <p class="text-muted max-w-2xl">{ui.t("host_authorities.about")}</p>
      <AuthorityTable ui={ui} shell={shell} authorities={authorities} />
      {may(shell, "manage_keys") && <NewAuthority ui={ui} shell={shell} form={form} />}
    </>
  );
}

function AuthorityTable({ ui, shell, authorities }: Omit<HostAuthoritiesProps, "form">) {
  const actions = actionsColumn<HostAuthority>(
    ui,
    ({ id, hosts }) => (
      <form method="post" action={ui.href(paths.hostAuthorities(shell.project.id))}>
        <Button
          name="remove"
          value={String(id)}
          aria-label={ui.t("actions.delete_named", { name: hosts })}
        >
          {ui.t("actions.delete")}
        </Button>
      </form>
    ),
  );
  return (
    <Table<HostAuthority>
      caption={ui.t("host_authorities.title")}
      rows={authorities}
      rowId={({ id }) => `authority-${id}`}
      empty={<p class="text-muted">{ui.t("host_authorities.empty")}</p>}
      columns={[
        nameColumn(ui, "sections.hosts", ({ hosts }) => hosts, { code: true }),
        {
          label: ui.t("known_hosts.fingerprint"),
          kind: "text",
          cell: ({ public_key, fingerprint }) => (
            <span class="fingerprints">{public_key.split(" ")[0]} {fingerprint}</span>
          ),
        },
        ...may(shell, "manage_keys") ? [actions] : [],
      ]}
    />
  );
}

function NewAuthority({ ui, shell, form }: Omit<HostAuthoritiesProps, "authorities">) {
  const labels = {
    hosts: ui.t("sections.hosts"),
    public_key: ui.t("keys.public.title"),
  };
  return (
    <section class="max-w-2xl" aria-labelledby="new-authority">
      <h2 id="new-authority">{ui.t("host_authorities.new")}</h2>
      <Form
        ui={ui}
        form={form}
        action={ui.href(paths.hostAuthorities(shell.project.id))}
        save={ui.t("actions.create")}
        labels={labels}
      >
        <Field
          ui={ui}
          form={form}
          name="hosts"
          label={labels.hosts}
          hint={ui.t("host_authorities.hosts_hint")}
          required
        />
        <TextArea
          ui={ui}
          form={form}
          name="public_key"
          label={labels.public_key}
          hint={ui.t("host_authorities.key_hint")}
          code
          rows={3}
          required
        />
      </Form>
    </section>
  );
}
