import { DIALOG_HTML, paletteProps } from "@/components/palette/entries.ts";
import { sheetsOf } from "@/lib/web/pages/sheets.ts";
import { define, signedIn } from "@/lib/web/state.ts";

/** Responds with the data of the palette on the project's pages. */
export const handler = define.handlers({
  GET({ state }) {
    const { ui, shell } = state;
    const reader = { shell, viewer: signedIn(state), projects: shell.projects };
    return Response.json(paletteProps(ui, reader, sheetsOf(ui, DIALOG_HTML)));
  },
});
