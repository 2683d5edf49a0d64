import { paths } from "@/lib/base/paths.ts";
import { personWith } from "@/lib/base/person.ts";
import { deleteMember, getMemberDetail } from "@/lib/people/team/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { signedIn } from "@/lib/web/state.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember("add_people"),
  find: (scope, { params }) => getMemberDetail(scope, pageId(params.userId)),
  ask: (ui, member, { scope }) => ({
    title: ui.t("team.remove"),
    question: ui.t("team.remove_question", { name: ui.person(personWith(member)) }),
    cancel: paths.section(scope.projectId, "team"),
    yes: ui.t("team.remove"),
  }),
  act: (scope, { id }) => deleteMember(scope, id),
  next({ id }, { state }) {
    // Users who removed themselves can no longer see the project.
    const actor = signedIn(state);
    const isOut = id === actor.id && !actor.admin;
    return [isOut ? "/" : paths.section(state.scope.projectId, "team"), "flash.team.removed"];
  },
  refusedStatus: 422,
});
export { handler, Page as default };
