import { localPath } from "@/lib/http/local_path.ts";
import { setFavourite } from "@/lib/templates/favourites/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

/**
 * Handles the star of a row and leads back to the row, whose position in the list may have changed.
 */
export const handler = define.handlers({
  async POST(ctx) {
    const { add, remove, back } = await readForm(ctx.req);
    const id = pageId(add ?? remove);
    await setFavourite(ctx.state.scope, id, add !== undefined);
    return seeOther(ctx, `${localPath(back)}#template-${id}`);
  },
});
