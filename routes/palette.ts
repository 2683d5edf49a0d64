import { paletteProps } from "@/components/palette/entries.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";

/** Responds with the data of the palette on pages that belong to no project. */
export const handler = define.handlers({
  async GET({ state }) {
    const projects = await listProjects(userScope(state));
    return Response.json(
      paletteProps(state.ui, { shell: null, viewer: signedIn(state), projects }),
    );
  },
});
