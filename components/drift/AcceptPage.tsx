import { Field } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Shell } from "@/lib/web/shell.ts";

interface AcceptPageProps {
  ui: Ui;
  shell: Shell;
  form: FormState;
  chosen: { template: { id: number; name: string }; hosts: string[] }[];
  /** The template on whose page they were chosen; empty for the page of the project. */
  from: string;
}

/** Hosts of a template that the page names. */
const NAMED_MAX = 20;

/** Asks until when the differences of some hosts are accepted, and why. */
export function AcceptPage({ ui, shell, form, chosen, from }: AcceptPageProps) {
  const { id, name } = shell.project;
  const drift = ui.href(paths.section(id, "drift"));
  const page = from === "" ? drift : ui.href(paths.templateDrift(id, Number(from)));
  const title = ui.t("drift.accept");
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("sections.drift"), href: page }]} />}
      />
      <p>{ui.t("drift.accept_hint")}</p>
      {chosen.map(({ template, hosts }, n) => (
        <p key={n}>
          {ui.labelled(template.name, ui.t("start_task.hosts", { count: hosts.length }))} (
          {ui.list(hosts.slice(0, NAMED_MAX).map(visible))}
          {hosts.length > NAMED_MAX && ", …"})
        </p>
      ))}
      <Form
        ui={ui}
        form={form}
        action={`${drift}/accept`}
        cancel={page}
        save={title}
        labels={{ until: ui.t("drift.until"), note: ui.t("drift.note") }}
      >
        <input type="hidden" name="template" value={from} />
        {chosen.flatMap(({ template, hosts }) =>
          hosts.map((host, n) => (
            <input key={n} type="hidden" name="choice" value={`${template.id}:${host}`} />
          ))
        )}
        <Field
          {...{ ui, form }}
          name="until"
          label={ui.t("drift.until")}
          type="date"
          required
        />
        <Field {...{ ui, form }} name="note" label={ui.t("drift.note")} required />
      </Form>
    </>
  );
}
