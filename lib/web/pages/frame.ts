import { mayCreateProjects } from "../../access/permissions.ts";
import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { getCookies } from "../../http/cookies.ts";
import { lastProject } from "./last_shown.ts";
import { FOLDED_COOKIE, SHORTCUTS_CHOICE } from "../shell.ts";

/** Returns the data of the server, the page and the viewer that the frame of each page shows. */
export function frameOf(
  deps: Deps,
  actor: UserActor,
  { url, req }: { url: URL; req: Request },
) {
  const { config, ansibleVersion } = deps;
  const cookies = getCookies(req.headers);
  return {
    viewer: {
      id: actor.id,
      name: actor.name,
      admin: actor.admin,
      mayCreateProjects: mayCreateProjects(config, actor),
    },
    lastProjectId: lastProject(req.headers),
    here: url.pathname.slice(config.basePath.length) + url.search,
    version: config.version,
    hasAnsible: ansibleVersion !== null,
    // On by default. A cookie of this browser turns shortcuts off.
    shortcuts: cookies[SHORTCUTS_CHOICE] !== "off",
    folded: (cookies[FOLDED_COOKIE] ?? "").split("."),
  };
}
