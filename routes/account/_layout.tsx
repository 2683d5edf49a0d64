import { Frame } from "@/components/shell/Frame.tsx";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";

/** Pages of one's own account, beside the drawer. */
export default define.layout(async ({ Component, state, ...request }) => (
  <Frame
    {...frameOf(state.deps, signedIn(state), request)}
    ui={state.ui}
    shell={null}
    projects={await listProjects(userScope(state))}
  >
    <Component />
  </Frame>
));
