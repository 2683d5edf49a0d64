import { reopen } from "@/lib/access/scope.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { startFix } from "@/lib/triggers/checks/fix.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { chosenHosts } from "@/routes/(_pages)/drift.ts";

export const handler = define.handlers({
  /** Starts a task that fixes the chosen hosts, and shows its output. */
  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.templateId);
    const values = await readForm(ctx.req);
    const hosts = values.all ? [] : chosenHosts(values);
    if (!values.all && hosts.length === 0) throw invalidField("hosts", "errors.drift.none_chosen");
    const commit = values.commit === "latest" ? "latest" : "check";
    const task = await startFix(await reopen(scope, "run_tasks"), id, { hosts, commit });
    return seeOther(ctx, paths.task(scope.projectId, id, task.id));
  },
});
