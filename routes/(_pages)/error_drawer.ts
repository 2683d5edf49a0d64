import { inTime } from "@/lib/kv/in_time.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { type State, userScope } from "@/lib/web/state.ts";

interface Failed {
  state: State;
  url: URL;
  req: Request;
}

/** An error page waits no longer than this for what is only beside it. */
const DRAWER_MS_MAX = 500;

/**
 * What the drawer beside an error shows: the project of the page, where that was found. Null where
 * nobody is signed in, and where the store, which may be what failed, does not tell.
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
