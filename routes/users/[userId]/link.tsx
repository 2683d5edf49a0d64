import { AboutFirstLink, LinkMade, type NewLink } from "@/components/access/SignInLink.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { openAccount } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { withdrawLinks } from "@/lib/people/sign_in_links/service.ts";
import { newForm } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asAdmin } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { linkHeaders, newLink } from "@/routes/(_pages)/account/new_link.ts";

export const handler = define.handlers({
  ...formPage({
    rights: asAdmin,
    find: async (scope, { params }) => ({
      user: await getUser(openAccount(scope, pageId(params.userId))),
    }),
    shown: () => newForm(),
    async save({ scope, found: { user }, typed, ctx }): Promise<NewLink | null> {
      const account = openAccount(scope, user.id);
      if (!typed.withdraw) return await newLink(account, ctx, typed.mail === "true");
      await withdrawLinks(account);
      return null;
    },
    next: ({ result: link, found: { user } }) =>
      link
        ? { form: newForm(), extra: link, headers: linkHeaders() }
        : [paths.user(user.id), "flash.users.link_withdrawn"],
    beside: (_form, _found, _ctx, link?: NewLink) => ({ link: link ?? null }),
  }),
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.user(pageId(ctx.params.userId))), 303),
});

export default define.page<typeof handler>(({ data: { user, link }, state: { ui } }) => {
  const title = ui.t("first_link.title");
  const close = ui.href(paths.user(user.id));
  return (
    <>
      <Title ui={ui} parts={[title, user.name, ui.t("admin.title")]} />
      <Dialog ui={ui} id="new-link" title={title} close={close}>
        {link && (
          <LinkMade
            ui={ui}
            title={user.name}
            about={<AboutFirstLink ui={ui} link={link} />}
            link={link}
            done={close}
          />
        )}
      </Dialog>
    </>
  );
});
