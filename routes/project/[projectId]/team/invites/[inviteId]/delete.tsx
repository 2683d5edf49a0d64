import { invitedPerson } from "@/components/team/InviteTable.tsx";
import { paths } from "@/lib/base/paths.ts";
import { findInvite, withdrawInvite } from "@/lib/people/invites/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember("add_people"),
  find: (scope, { params }) => findInvite(scope, pageId(params.inviteId)),
  ask: (ui, invite) => {
    const title = ui.t(invite.status === "pending" ? "invites.withdraw" : "invites.forget");
    return {
      title,
      question: ui.t(
        invite.status === "pending" ? "invites.withdraw_question" : "invites.forget_question",
        { name: invitedPerson(invite) },
      ),
      cancel: paths.section(invite.project_id, "team"),
      yes: title,
    };
  },
  act: (scope, { id }) => withdrawInvite(scope, id),
  next: ({ project_id, status }) => [
    paths.section(project_id, "team"),
    status === "pending" ? "flash.invites.withdrawn" : "flash.invites.forgotten",
  ],
  refusedStatus: 422,
});
export { handler, Page as default };
