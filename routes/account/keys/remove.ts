import { define, userScope } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { deleteOwnKey } from "@/lib/resources/own_keys/service.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account("keys")), 303),

  /** Removes the named key. */
  async POST(ctx) {
    const { key = "" } = await readForm(ctx.req);
    await deleteOwnKey(userScope(ctx.state), pageId(key));
    return seeOther(ctx, paths.account("keys"), "flash.account.own_key_removed");
  },
});
