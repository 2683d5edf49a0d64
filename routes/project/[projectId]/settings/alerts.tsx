import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import * as z from "zod";
import { AlertTest } from "@/components/projects/AlertChannels.tsx";
import { FormErrors } from "@/components/ui/Form.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import type { TestResult } from "@/lib/alerts/schema.ts";
import { sendTestAlert } from "@/lib/alerts/service.ts";
import { define } from "@/lib/web/state.ts";
import { newForm, submitForm } from "@/lib/web/forms/form.ts";
import { paths } from "@/lib/base/paths.ts";
import { requirePermission } from "@/lib/web/shell.ts";

export const handler = define.handlers({
  GET(ctx) {
    requirePermission(ctx.state.shell, "update_project");
    return page({ form: newForm(), results: [] as TestResult[] });
  },

  async POST(ctx) {
    const send = async () => sendTestAlert(await reopen(ctx.state.scope, "update_project"));
    const form = await submitForm(ctx.req, z.object({}), send);
    if (!form.ok) return page({ form, results: [] }, { status: 409 });
    return page({ form: newForm(), results: form.result });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { id, name } = shell.project;
  const settings = {
    label: ui.t("dashboard.settings"),
    href: ui.href(paths.section(id, "settings")),
  };
  return (
    <>
      <Title ui={ui} parts={[ui.t("projects.alerts.title"), name]} />
      <PageHeader
        title={ui.t("projects.alerts.title")}
        above={<Breadcrumb ui={ui} crumbs={[settings]} />}
      />
      <div class="grid gap-4 max-w-lg">
        <FormErrors ui={ui} form={data.form} />
        <AlertTest ui={ui} projectId={id} results={data.results} />
      </div>
    </>
  );
});
