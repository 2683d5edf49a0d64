import type { UserActor } from "../access/actor.ts";
import type { Deps } from "../deps.ts";
import { mayCreateProjects } from "../projects/service.ts";

/** What the frame of each page shows of the server, the page and who looks at it. */
export function frameOf(deps: Deps, actor: UserActor, url: URL) {
  const { config, ansibleVersion } = deps;
  return {
    viewer: {
      name: actor.name,
      admin: actor.admin,
      mayCreateProjects: mayCreateProjects(config, actor),
    },
    here: url.pathname.slice(config.basePath.length) + url.search,
    version: config.version,
    hasAnsible: ansibleVersion !== null,
  };
}
