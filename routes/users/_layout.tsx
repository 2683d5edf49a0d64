import { Frame } from "@/components/shell/Frame.tsx";
import { define, signedIn, userScope } from "@/lib/web/state.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";

/** Drawer without a project. */
export default define.layout(async ({ Component, state, url, req }) => {
  const actor = signedIn(state);
  const projects = await listProjects(userScope(state));
  return (
    <Frame
      {...frameOf(state.deps, actor, { url, req })}
      ui={state.ui}
      shell={null}
      projects={projects}
    >
      <Component />
    </Frame>
  );
});
