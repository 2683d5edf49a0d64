import { localPath } from "@/lib/base/local_path.ts";
import { setFavourite } from "@/lib/templates/favourites/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

/** The star of a row was pressed: back to the row, wherever it is in the list now. */
export const handler = define.handlers({
  async POST(ctx) {
    const { add, remove, back } = await readForm(ctx.req);
    const id = pageId(add ?? remove);
    await setFavourite(ctx.state.scope, id, add !== undefined);
    return seeOther(ctx, `${localPath(back)}#template-${id}`);
  },
});
