import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { WholeRunView } from "@/lib/workflows/run_schema.ts";

interface CommandsProps {
  ui: Ui;
  run: WholeRunView;
}

/** The button of a run that has not ended. */
export const StopRun = ({ ui, run: { project_id, workflow_id, id, stop } }: CommandsProps) => (
  <form
    method="post"
    action={ui.href(paths.workflowRun(project_id, workflow_id, id, "/stop"))}
    data-stay
  >
    {stop === ""
      ? <Button kind="danger" icon="stopped">{ui.t("workflows.stop")}</Button>
      : (
        <Button kind="danger" icon="stopped" name="force" value="true">
          {ui.t("workflows.force_stop")}
        </Button>
      )}
  </form>
);

/** The buttons of a run that has ended. */
export function RunCommands({ ui, run }: CommandsProps) {
  const { project_id: projectId, workflow_id: workflowId, id, status } = run;
  const again = ui.href(paths.workflowRun(projectId, workflowId, id, "/again"));
  return (
    <>
      {status !== "success" && (
        <ButtonLink icon="rerun" href={again} over>{ui.t("workflows.again")}</ButtonLink>
      )}
      <ButtonLink
        kind="primary"
        icon="play"
        href={ui.href(paths.workflow(projectId, workflowId, "/run"))}
        over
      >
        {ui.t("workflows.run")}
      </ButtonLink>
    </>
  );
}
