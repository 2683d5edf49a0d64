import { reopen } from "@/lib/access/scope.ts";
import { type Context, page } from "fresh";
import { isOf, LaterRole, TeamTable } from "@/components/team/TeamTable.tsx";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { FormErrors } from "@/components/ui/forms/Form.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { personWith } from "@/lib/base/person.ts";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/shell.ts";
import { type MemberView, newMemberForm } from "@/lib/people/team/schema.ts";
import { changeRole, listMembers } from "@/lib/people/team/service.ts";

/** Returns the form of a member's stored role. */
const roleForm = (member: MemberView): FormState =>
  formOf(member, { user_id: member.id, role: member.role });

async function teamPage(
  { state, url }: Pick<Context<State>, "state" | "url">,
  form: FormState,
  status = 200,
) {
  const members = await listMembers(state.scope);
  return page({
    form,
    stored: new Map(members.map((member) => [member.id, roleForm(member)])),
    members,
    table: readTableState(url.searchParams),
  }, { status });
}

export const handler = define.handlers({
  GET: (ctx) => teamPage(ctx, newForm()),

  /** Changes the role of one member. */
  async POST(ctx) {
    const { shell } = ctx.state;
    const { id: projectId } = shell.project;
    const typed = await readForm(ctx.req);
    const findMember = async () =>
      (await listMembers(ctx.state.scope)).find(({ id }) => String(id) === typed.user_id);
    const formNow = (member?: MemberView) => member ? roleForm(member) : newForm();
    const member = await findMember();
    const values = withChoices(typed, formNow(member));
    const form = await saveForm(parseValues(values, newMemberForm), async ({ user_id, role }) => {
      const scope = await reopen(ctx.state.scope, "manage_users");
      await changeRole(scope, user_id, { role }, expectedOf(values));
      return role;
    });
    if (!form.ok) {
      const readNow = async () => formNow(await findMember());
      const refused = await refusedForm(values, form.errors, readNow);
      return await teamPage(ctx, refused.form, refused.status);
    }
    const sentence = `flash.team.role.${form.result}`;
    const name = member ? ctx.state.ui.person(personWith(member)) : "";
    return seeOther(ctx, paths.section(projectId, "team"), sentence, { name });
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui, shell } = state;
  const { members, stored, form } = data;
  const team = ui.href(paths.section(shell.project.id, "team"));
  const title = ui.t("sections.team");
  const ownerCount = members.filter(({ role }) => role === "owner").length;
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
        {form.conflict && <LaterRole ui={ui} form={form} action={team} />}
        {!members.some((member) => isOf(member, form)) && <FormErrors ui={ui} form={form} />}
        {shell.role === "owner" && (
          <p id="owner-stays" class="text-muted m-0">
            {ui.t(ownerCount === 1 ? "team.last_owner_stays" : "team.owner_stays")}
          </p>
        )}
        <TeamTable
          {...{ ui, shell, members, stored }}
          state={data.table}
          refused={form}
          ownId={state.actor?.id ?? null}
        />
      </div>
    </>
  );
});
