import { inTime } from "@/lib/base/time/in_time.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { type State, userScope } from "@/lib/web/state.ts";

interface Failed {
  state: State;
  url: URL;
  req: Request;
}

/** Maximum time in milliseconds that an error page waits for its drawer. */
const DRAWER_MS_MAX = 500;

/**
 * Loads the drawer next to an error, with the page's project if it was found. Returns null if no
 * one is signed in or the store, which may have caused the error, does not respond.
 */
export async function loadDrawer({ state, url, req }: Failed) {
  const { actor, deps } = state;
  if (!actor) return null;
  const shell: State["shell"] | undefined = state.shell;
  try {
    const projects = shell?.projects ?? await inTime(listProjects(userScope(state)), DRAWER_MS_MAX);
    const { hasAnsible: _, ...frame } = frameOf(deps, actor, { url, req });
    return { ...frame, shell: shell ?? null, projects };
  } catch {
    return null;
  }
}
