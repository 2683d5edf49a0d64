import { Frame } from "@/components/shell/Frame.tsx";
import { TaskDialog } from "@/components/tasks/TaskDialog.tsx";
import { define, signedIn } from "@/lib/web/state.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { loadTaskOver } from "@/lib/tasks/page.ts";

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
      over={open && <TaskDialog {...open} ui={ui} mayRun={may(shell, "run_tasks")} />}
    >
      <Component />
    </Frame>
  );
});
