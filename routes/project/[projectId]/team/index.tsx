import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { TeamTable } from "@/components/team/TeamTable.tsx";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { FormErrors } from "@/components/ui/Form.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { type FormState, newForm, submitForm } from "@/lib/web/forms/form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { newMemberForm } from "@/lib/people/team/schema.ts";
import { changeRole, listMembers } from "@/lib/people/team/service.ts";

async function teamPage(state: State, form: FormState, status = 200) {
  const members = await listMembers(state.scope);
  return page({
    form,
    members: members.toSorted((a, b) => a.name.localeCompare(b.name, state.ui.language)),
  }, { status });
}

export const handler = define.handlers({
  GET: ({ state }) => teamPage(state, newForm()),

  /** Changes one member's role. */
  async POST(ctx) {
    const { shell } = ctx.state;
    const { id: projectId } = shell.project;
    const form = await submitForm(
      ctx.req,
      newMemberForm,
      async ({ user_id, role }) =>
        changeRole(await reopen(ctx.state.scope, "manage_users"), user_id, { role }),
    );
    if (!form.ok) return await teamPage(ctx.state, form, 422);
    return seeOther(ctx, paths.section(projectId, "team"), "flash.team.role_changed");
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const team = ui.href(paths.section(shell.project.id, "team"));
  const title = ui.t("sections.team");
  const ownerCount = data.members.filter(({ role }) => role === "owner").length;
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <PageHeader
        title={title}
        actions={
          <>
            {shell.role === "owner" && (
              <Button type="button" disabled aria-describedby="owner-stays">
                {ui.t("team.leave")}
              </Button>
            )}
            {shell.role !== "owner" && shell.role !== "" && (
              <ButtonLink kind="danger" href={`${team}/leave`} over>
                {ui.t("team.leave")}
              </ButtonLink>
            )}
            {may(shell, "manage_users") && (
              <ButtonLink kind="primary" icon="plus" href={`${team}/new`} over>
                {ui.t("team.new")}
              </ButtonLink>
            )}
          </>
        }
      />
      <div class="grid grid-cols-1 gap-4">
        <FormErrors ui={ui} form={data.form} />
        {shell.role === "owner" && (
          <p id="owner-stays" class="text-muted m-0">
            {ui.t(ownerCount === 1 ? "team.last_owner_stays" : "team.owner_stays")}
          </p>
        )}
        <TeamTable ui={ui} shell={shell} members={data.members} />
      </div>
    </>
  );
});
