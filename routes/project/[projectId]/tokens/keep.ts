import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { keepProjectToken } from "@/lib/people/project_tokens/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => seeOther(ctx, paths.projectTokens(ctx.state.scope.projectId)),

  /** Keeps the named token without its creator. */
  async POST(ctx) {
    const { token } = await readForm(ctx.req);
    const scope = await reopen(ctx.state.scope, "manage_users");
    await keepProjectToken(scope, pageId(token));
    return seeOther(ctx, paths.projectTokens(scope.projectId), "flash.project_tokens.kept");
  },
});
