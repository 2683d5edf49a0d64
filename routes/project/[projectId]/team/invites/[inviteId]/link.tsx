import { LinkMade, type NewLink } from "@/components/access/SignInLink.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { FormErrors } from "@/components/ui/forms/Form.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { findInvite, renewInvite } from "@/lib/people/invites/service.ts";
import { newForm } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { inviteLink } from "@/routes/(_pages)/account/invite_link.ts";
import { linkHeaders } from "@/routes/(_pages)/account/new_link.ts";

/** Replaces the link of an invitation. The old one ends. */
export const handler = define.handlers({
  ...formPage({
    rights: asMember("add_people"),
    find: async (scope, { params }) => ({
      invite: await findInvite(scope, pageId(params.inviteId)),
    }),
    shown: () => newForm(),
    save: async ({ scope, found: { invite }, ctx }) =>
      await inviteLink(scope, ctx, await renewInvite(scope, invite.id), true),
    next: ({ result: link }) => ({ form: newForm(), extra: link, headers: linkHeaders() }),
    beside: (_form, _found, _ctx, link?: NewLink) => ({ link: link ?? null }),
  }),
  GET: (ctx) =>
    ctx.redirect(ctx.state.ui.href(paths.section(ctx.state.scope.projectId, "team")), 303),
});

export default define.page<typeof handler>(({ data: { form, link }, state: { ui, shell } }) => {
  const title = ui.t("invites.new_link");
  const close = ui.href(paths.section(shell.project.id, "team"));
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <Dialog ui={ui} id="new-invite" title={title} close={close}>
        <FormErrors ui={ui} form={form} />
        {link && (
          <LinkMade
            ui={ui}
            title={ui.t("invites.renewed")}
            about={ui.t("invites.send", { name: link.name, when: ui.minute(link.expires) })}
            link={link}
            done={close}
          />
        )}
      </Dialog>
    </>
  );
});
