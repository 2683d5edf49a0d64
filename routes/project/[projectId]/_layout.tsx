import { Frame } from "@/components/shell/Frame.tsx";
import { NoTask, TaskDialog } from "@/components/tasks/TaskDialog.tsx";
import { define, signedIn, type State } from "@/lib/web/state.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { may } from "@/lib/web/shell.ts";
import { loadTaskOverlay } from "@/lib/web/pages/overlay.ts";
import { showsOutput, taskTab } from "@/routes/(_pages)/tasks/tabs.tsx";

/** Drawer around each page of a project, and the overlay with the task in `?t=`. */
export default define.layout(async ({ Component, state, url, req }) => {
  const { deps, shell, ui } = state;
  const actor = signedIn(state);
  const open = await loadTaskOverlay(state.scope, url, showsOutput(url));
  return (
    <Frame
      {...frameOf(deps, actor, { url, req })}
      ui={ui}
      shell={shell}
      projects={shell.projects}
      over={open && await over(state, url, open)}
    >
      <Component />
    </Frame>
  );
});

async function over(
  state: State,
  url: URL,
  open: NonNullable<Awaited<ReturnType<typeof loadTaskOverlay>>>,
) {
  const { ui, shell } = state;
  if ("missing" in open) return <NoTask ui={ui} id={open.missing} close={open.close} />;
  const shown = await taskTab(state, open.about.task, url);
  const mayRun = may(shell, "run_tasks");
  return <TaskDialog {...{ ui, open, shown, mayRun }} project={shell.project.name} />;
}
