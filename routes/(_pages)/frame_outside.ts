import { requireAdmin } from "@/lib/access/scope.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { countWaiting } from "@/lib/people/identities/waiting.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { signedIn, type State, userScope } from "@/lib/web/state.ts";

/** Returns the data of the frame around a page that belongs to no project. */
export async function frameOutside(state: State, request: { url: URL; req: Request }) {
  const actor = signedIn(state);
  const scope = userScope(state);
  const [projects, waiting] = await Promise.all([
    listProjects(scope),
    actor.admin ? countWaiting(requireAdmin(scope)) : 0,
  ]);
  return {
    ...frameOf(state.deps, actor, request),
    ui: state.ui,
    shell: null,
    projects,
    waiting,
  };
}
