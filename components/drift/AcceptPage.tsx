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
  template: { id: number; name: string };
  hosts: string[];
}

/** Asks until when the differences of some hosts are accepted, and why. */
export function AcceptPage({ ui, shell, form, template, hosts }: AcceptPageProps) {
  const page = ui.href(paths.templateDrift(shell.project.id, template.id));
  const title = ui.t("drift.accept");
  return (
    <>
      <Title ui={ui} parts={[title, template.name, shell.project.name]} />
      <PageHeader
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[{ label: template.name, href: page }]} />}
      />
      <p>{ui.t("drift.accept_hint")}</p>
      <p>
        <strong>{ui.list(hosts.map(visible))}</strong>
      </p>
      <Form
        ui={ui}
        form={form}
        action={`${page}/accept`}
        cancel={page}
        save={title}
        labels={{ until: ui.t("drift.until"), note: ui.t("drift.note") }}
      >
        {hosts.map((host, n) => <input key={n} type="hidden" name="hosts" value={host} />)}
        <Field
          {...{ ui, form }}
          name="until"
          label={ui.t("drift.until")}
          type="date"
          required
        />
        <Field {...{ ui, form }} name="note" label={ui.t("drift.note")} maxLength={500} required />
      </Form>
    </>
  );
}
