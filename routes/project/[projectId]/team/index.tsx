import { InviteTable } from "@/components/team/InviteTable.tsx";
import { isOf, LaterRole, TeamTable } from "@/components/team/TeamTable.tsx";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { FormErrors } from "@/components/ui/forms/Form.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { withPermission } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { personWith } from "@/lib/base/person.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { listInvites } from "@/lib/people/invites/service.ts";
import { type MemberView, newMemberForm } from "@/lib/people/team/schema.ts";
import { listRoleChoices } from "@/lib/people/roles/choices.ts";
import { isFixedRole } from "@/lib/model/roles.ts";
import { changeRole, listMembers } from "@/lib/people/team/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMemberSaving } from "@/lib/web/rights.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

/** Returns the form of a member's stored role. */
const roleForm = (member: MemberView): FormState =>
  formOf(member, { user_id: member.id, role: member.role });

/** Shows the members, and changes the role of one. */
export const handler = formPage({
  rights: asMemberSaving("add_people"),
  async find(scope, _ctx, sent) {
    const [members, roles] = await Promise.all([listMembers(scope), listRoleChoices(scope)]);
    return { members, roles, member: members.find(({ id }) => String(id) === sent.user_id) };
  },
  shown: ({ member }) => member ? roleForm(member) : newForm(),
  parse: (typed) => parseValues(typed, newMemberForm),
  save: ({ scope, value: { user_id, role }, expected }) =>
    changeRole(scope, user_id, { role }, expected),
  next: ({ scope, value: { role }, found: { member }, ctx: { state: { ui } } }) => [
    paths.section(scope.projectId, "team"),
    isFixedRole(role) ? `flash.team.role.${role}` : "flash.team.custom_role",
    { role, name: member ? ui.person(personWith(member)) : "" },
  ],
  beside: async (_form, { members, roles }, { url, state: { scope, shell } }) => ({
    roles,
    stored: new Map(members.map((member) => [member.id, roleForm(member)])),
    table: readTableState(url.searchParams),
    invites: may(shell, "add_people")
      ? (await listInvites(withPermission(scope, "add_people")))
        .filter(({ status }) => status !== "accepted").toReversed()
      : [],
  }),
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui, shell } = state;
  const { members, roles, stored, form } = data;
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
              <ButtonLink href={ui.href(paths.projectTokens(shell.project.id))}>
                {ui.t("project_tokens.title")}
              </ButtonLink>
            )}
            {may(shell, "add_people") && (
              <>
                <ButtonLink href={ui.href(paths.teamInvite(shell.project.id))} over>
                  {ui.t("invites.new")}
                </ButtonLink>
                <ButtonLink kind="primary" icon="plus" href={`${team}/new`} over>
                  {ui.t("team.new")}
                </ButtonLink>
              </>
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
          {...{ ui, shell, members, roles, stored }}
          state={data.table}
          refused={form}
          ownId={state.actor?.id ?? null}
        />
        {data.invites.length > 0 && (
          <InviteTable
            ui={ui}
            projectId={shell.project.id}
            invites={data.invites}
            names={new Map(data.roles.map(({ slug, name }) => [slug, name]))}
          />
        )}
      </div>
    </>
  );
});
