import { paths } from "@/lib/base/paths.ts";
import { leaveProject } from "@/lib/people/team/service.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember(),
  find: ({ project }) => project,
  ask: (ui, { id, name }) => ({
    title: ui.t("team.leave"),
    question: ui.t("team.leave_question", { name }),
    cancel: paths.section(id, "team"),
    yes: ui.t("team.leave"),
  }),
  act: leaveProject,
  next: ({ name }) => ["/", "flash.team.left", { name }],
});
export { handler, Page as default };
