import { reopen } from "@/lib/access/scope.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { unacceptDrift } from "@/lib/drift/accept.ts";
import { unacceptDriftForm } from "@/lib/drift/schema.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { chosenHosts } from "@/routes/(_pages)/drift.ts";

export const handler = define.handlers({
  /** Ends the acceptance of the differences of the chosen hosts. */
  async POST(ctx) {
    const id = pageId(ctx.params.templateId);
    const hosts = chosenHosts(await readForm(ctx.req));
    if (hosts.length === 0) throw invalidField("hosts", "errors.drift.none_chosen");
    const scope = await reopen(ctx.state.scope, "run_tasks");
    await unacceptDrift(scope, id, parseWith(unacceptDriftForm, { hosts }).hosts);
    return seeOther(ctx, paths.templateDrift(scope.projectId, id), "flash.drift.unaccepted");
  },
});
