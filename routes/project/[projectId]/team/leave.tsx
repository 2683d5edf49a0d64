import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { leaveProject } from "@/lib/people/team/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { shell: { project } } = ctx.state;
    await leaveProject(ctx.state.scope);
    return seeOther(ctx, "/", "flash.team.left", { name: project.name });
  },
});

export default define.page<typeof handler>(({ state: { ui, shell } }) => {
  const { id, name } = shell.project;
  const team = ui.href(paths.section(id, "team"));
  return (
    <>
      <Title ui={ui} parts={[ui.t("team.leave"), name]} />
      <Confirm
        ui={ui}
        title={ui.t("team.leave")}
        question={ui.t("team.leave_question", { name })}
        action={`${team}/leave`}
        cancel={team}
        yes={ui.t("team.leave")}
      />
    </>
  );
});
