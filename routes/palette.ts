import { DIALOG_HTML, paletteProps } from "@/components/palette/entries.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { sheetsOf } from "@/lib/web/pages/sheets.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";

/** Responds with the data of the palette on pages that belong to no project. */
export const handler = define.handlers({
  async GET({ state }) {
    const { ui } = state;
    const projects = await listProjects(userScope(state));
    const reader = { shell: null, viewer: signedIn(state), projects };
    return Response.json(paletteProps(ui, reader, sheetsOf(ui, DIALOG_HTML)));
  },
});
