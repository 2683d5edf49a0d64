import { LinkMade, type NewLink } from "@/components/access/SignInLink.tsx";
import { InviteFields, inviteLabels } from "@/components/team/InviteFields.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { mailsLinks } from "@/lib/alerts/email/mail_link.ts";
import { paths } from "@/lib/base/paths.ts";
import { inviteForm, USUAL_INVITE_DAYS } from "@/lib/people/invites/schema.ts";
import { createInvite } from "@/lib/people/invites/service.ts";
import { listRoleChoices } from "@/lib/people/roles/choices.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { inviteLink } from "@/routes/(_pages)/account/invite_link.ts";
import { linkHeaders } from "@/routes/(_pages)/account/new_link.ts";

const DAY_MS = 86_400_000;

export const handler = formPage({
  rights: asMember("add_people"),
  find: (_scope, { state: { deps } }) => ({ mails: mailsLinks(deps), now: deps.clock.now() }),
  shown: () => newForm({ role: "task_runner", days: USUAL_INVITE_DAYS, mail: "true" }),
  parse: (typed) => parseValues(typed, inviteForm),
  async save({ scope, value: { email, role, days }, found: { now }, typed, ctx }) {
    const expires_at = new Date(now.getTime() + Number(days) * DAY_MS).toISOString();
    const made = await createInvite(scope, { email, user_id: null, role, expires_at });
    return await inviteLink(scope, ctx, made, typed.mail === "true");
  },
  // Not a redirect, because only this answer has the link.
  next: ({ result: link }) => ({ form: newForm(), extra: link, headers: linkHeaders() }),
  beside: async (_form, _found, { state: { scope } }, link?: NewLink) => ({
    link: link ?? null,
    roles: await listRoleChoices(scope),
  }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell }, url }) => {
  const { form, link, roles, now, mails } = data;
  const team = ui.href(paths.section(shell.project.id, "team"));
  const title = ui.t("invites.new");
  const labels = inviteLabels(ui);
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <Dialog
        ui={ui}
        id="new-invite"
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("sections.team"), href: team }]} />}
        close={team}
      >
        {link
          ? (
            <LinkMade
              ui={ui}
              title={ui.t("invites.made")}
              about={ui.t("invites.send", { name: link.name, when: ui.minute(link.expires) })}
              link={link}
              done={team}
            />
          )
          : (
            <Form
              ui={ui}
              form={form}
              action={url.pathname + url.search}
              cancel={team}
              save={ui.t("invites.invite")}
              labels={labels}
            >
              <InviteFields {...{ ui, form, labels, roles, now, mails }} />
            </Form>
          )}
      </Dialog>
    </>
  );
});
