import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { Select } from "@/components/ui/forms/Choice.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { define, type State, userScope } from "@/lib/web/state.ts";
import { type FormState, newForm, submitForm } from "@/lib/web/forms/form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { newMemberForm } from "@/lib/people/team/schema.ts";
import { addMember, listMembers } from "@/lib/people/team/service.ts";
import { ROLES } from "@/lib/model/roles.ts";
import { listUsers } from "@/lib/people/accounts/service.ts";

async function formPage(state: State, form: FormState, status = 200) {
  const { shell } = state;
  requirePermission(shell, "manage_users");
  const [users, members] = await Promise.all([
    listUsers(userScope(state)),
    listMembers(state.scope),
  ]);
  const memberIds = new Set(members.map(({ id }) => id));
  const others = users.filter(({ id }) => !memberIds.has(id))
    .toSorted((a, b) => a.username.localeCompare(b.username));
  return page({ form, others }, { status });
}

export const handler = define.handlers({
  GET: ({ state }) => formPage(state, restoredForm(state) ?? newForm({ role: "task_runner" })),

  async POST(ctx) {
    const { shell } = ctx.state;
    const { id: projectId } = shell.project;
    const form = await submitForm(
      ctx.req,
      newMemberForm,
      async (value) => addMember(await reopen(ctx.state.scope, "manage_users"), value),
    );
    if (!form.ok) return await formPage(ctx.state, form, 422);
    return seeOther(ctx, paths.section(projectId, "team"), "flash.team.added");
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const team = ui.href(paths.section(shell.project.id, "team"));
  const title = ui.t("team.new");
  const labels = { user_id: ui.t("team.user"), role: ui.t("team.role") };
  const field = (name: keyof typeof labels) => ({ ui, form: data.form, name, label: labels[name] });
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <Dialog
        ui={ui}
        id="new-member"
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("sections.team"), href: team }]} />}
        close={team}
      >
        <Form
          ui={ui}
          form={data.form}
          action={`${team}/new`}
          cancel={team}
          save={ui.t("team.link")}
          labels={labels}
        >
          <Select
            {...field("user_id")}
            required
            autofocus
            blank={ui.t("lists.choose")}
            options={data.others.map(({ id, username, name }) => ({
              value: id,
              label: `${username} (${name})`,
            }))}
          />
          <Select
            {...field("role")}
            required
            options={ROLES.map((role) => ({ value: role, label: ui.t(`roles.${role}`) }))}
          />
        </Form>
      </Dialog>
    </>
  );
});
