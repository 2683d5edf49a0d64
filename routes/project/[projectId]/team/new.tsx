import { AboutFirstLink, LinkMade, type NewLink } from "@/components/access/SignInLink.tsx";
import { MemberFields, memberLabels } from "@/components/team/MemberFields.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { mailsLinks } from "@/lib/alerts/email/mail_link.ts";
import { paths } from "@/lib/base/paths.ts";
import { listUsers } from "@/lib/people/accounts/service.ts";
import { addNewPerson, mayAddPeople } from "@/lib/people/sign_in_links/new_person.ts";
import { type NewPersonForm, newPersonForm } from "@/lib/people/sign_in_links/schema.ts";
import { type NewMemberForm, newMemberForm } from "@/lib/people/team/schema.ts";
import { listRoleChoices } from "@/lib/people/roles/choices.ts";
import { addMember, listMembers } from "@/lib/people/team/service.ts";
import { newForm, type ParsedForm, parseValues } from "@/lib/web/forms/form.ts";
import { wayOn } from "@/lib/web/pages/back.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define, userScope } from "@/lib/web/state.ts";
import { linkHeaders, newLink } from "@/routes/(_pages)/account/new_link.ts";

export const handler = formPage({
  rights: asMember("add_people"),
  async find(scope, { state }) {
    const [users, members, roles] = await Promise.all([
      listUsers(userScope(state)),
      listMembers(scope),
      listRoleChoices(scope),
    ]);
    const memberIds = new Set(members.map(({ id }) => id));
    const others = users.filter(({ id }) => !memberIds.has(id))
      .toSorted((a, b) => a.username.localeCompare(b.username));
    return { others, roles, mayAddNew: mayAddPeople(scope), mails: mailsLinks(state.deps) };
  },
  shown: ({ others, mayAddNew }) =>
    newForm({
      role: "task_runner",
      mail: "true",
      who: mayAddNew && others.length === 0 ? "new" : "known",
    }),
  parse: (typed, { mayAddNew }): ParsedForm<NewMemberForm | NewPersonForm> =>
    mayAddNew && typed.who === "new"
      ? parseValues(typed, newPersonForm)
      : parseValues(typed, newMemberForm),
  async save({ scope, value, typed, ctx }): Promise<NewLink | null> {
    if ("email" in value) {
      return await newLink(await addNewPerson(scope, value), ctx, typed.mail === "true");
    }
    await addMember(scope, value);
    return null;
  },
  // Not a redirect, because only this answer has the link.
  next: ({ scope: { projectId }, result: link, ctx: { url } }) =>
    link
      ? { form: newForm(), extra: link, headers: linkHeaders() }
      : [wayOn(url, projectId) ?? paths.section(projectId, "team"), "flash.team.added"],
  beside: (_form, _found, _ctx, link?: NewLink) => ({ link: link ?? null }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell, deps }, url }) => {
  const { form, others, roles, mayAddNew, mails, link } = data;
  const team = ui.href(paths.section(shell.project.id, "team"));
  const back = wayOn(url, shell.project.id);
  const end = back ? ui.href(back) : team;
  const title = ui.t("team.new");
  const labels = memberLabels(ui);
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <Dialog
        ui={ui}
        id="new-member"
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("sections.team"), href: team }]} />}
        close={end}
      >
        {link
          ? (
            <LinkMade
              ui={ui}
              title={ui.t("flash.team.added")}
              about={<AboutFirstLink ui={ui} link={link} />}
              link={link}
              done={end}
            />
          )
          : (
            <Form
              ui={ui}
              form={form}
              action={url.pathname + url.search}
              cancel={end}
              save={ui.t("team.add")}
              labels={labels}
            >
              <MemberFields
                {...{ ui, form, labels, roles, others, mayAddNew, mails }}
                hasPasswords={deps.config.passwordSignIn}
              />
            </Form>
          )}
      </Dialog>
    </>
  );
});
