import { Frame } from "@/components/shell/Frame.tsx";
import { define, signedIn } from "@/lib/deps.ts";
import { frameOf } from "@/lib/http/frame.ts";
import { listProjects } from "@/lib/projects/service.ts";

/** The drawer without a project. */
export default define.layout(async ({ Component, state, url, req }) => {
  const actor = signedIn(state);
  const projects = await listProjects(state.deps, actor);
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
