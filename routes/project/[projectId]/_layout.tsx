import { Frame } from "@/components/shell/Frame.tsx";
import { NoTask, TaskDialog } from "@/components/tasks/TaskDialog.tsx";
import { define, signedIn, type State } from "@/lib/web/state.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { loadTaskOver } from "@/lib/tasks/over.ts";

/** The drawer around each page of a project, and the log that `?t=` opens over it. */
export default define.layout(async ({ Component, state, url, req }) => {
  const { deps, shell, ui } = state;
  const actor = signedIn(state);
  const open = await loadTaskOver(state.scope, url);
  return (
    <Frame
      {...frameOf(deps, actor, { url, req })}
      ui={ui}
      shell={shell}
      projects={shell.projects}
      over={open && over(state, open)}
    >
      <Component />
    </Frame>
  );
});

function over({ ui, shell }: State, open: NonNullable<Awaited<ReturnType<typeof loadTaskOver>>>) {
  if ("missing" in open) return <NoTask ui={ui} id={open.missing} close={open.close} />;
  const mayRun = may(shell, "run_tasks");
  return <TaskDialog ui={ui} open={open} project={shell.project.name} mayRun={mayRun} />;
}
