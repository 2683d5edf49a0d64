import { paletteProps } from "@/components/palette/entries.ts";
import { define, signedIn } from "@/lib/web/state.ts";

/** Responds with the data of the palette on the project's pages. */
export const handler = define.handlers({
  GET({ state }) {
    const { ui, shell } = state;
    return Response.json(
      paletteProps(ui, { shell, viewer: signedIn(state), projects: shell.projects }),
    );
  },
});
