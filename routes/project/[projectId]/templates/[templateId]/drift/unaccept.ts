import { reopen } from "@/lib/access/scope.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { unacceptDrift } from "@/lib/drift/accept.ts";
import { unacceptDriftForm } from "@/lib/drift/schema.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { chosenHosts, requireHosts } from "@/routes/(_pages)/drift.ts";

export const handler = define.handlers({
  /** Ends the acceptance of the differences of the chosen hosts. */
  async POST(ctx) {
    const id = pageId(ctx.params.templateId);
    const chosen = chosenHosts(await readForm(ctx.req));
    const page = paths.templateDrift(ctx.state.scope.projectId, id);
    return await orBack(ctx, page, async () => {
      const { hosts } = parseWith(unacceptDriftForm, { hosts: requireHosts(chosen) });
      await unacceptDrift(await reopen(ctx.state.scope, "run_tasks"), id, hosts);
      return seeOther(ctx, page, "flash.drift.unaccepted");
    });
  },
});
