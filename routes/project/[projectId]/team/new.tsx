import { Select } from "@/components/ui/forms/Choice.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { ROLES } from "@/lib/model/roles.ts";
import { listUsers } from "@/lib/people/accounts/service.ts";
import { newMemberForm } from "@/lib/people/team/schema.ts";
import { addMember, listMembers } from "@/lib/people/team/service.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asMember("manage_users"),
  async find(scope, { state }) {
    const [users, members] = await Promise.all([listUsers(userScope(state)), listMembers(scope)]);
    const memberIds = new Set(members.map(({ id }) => id));
    const others = users.filter(({ id }) => !memberIds.has(id))
      .toSorted((a, b) => a.username.localeCompare(b.username));
    return { others };
  },
  shown: () => newForm({ role: "task_runner" }),
  parse: (typed) => parseValues(typed, newMemberForm),
  save: ({ scope, value }) => addMember(scope, value),
  next: ({ scope }) => [paths.section(scope.projectId, "team"), "flash.team.added"],
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
