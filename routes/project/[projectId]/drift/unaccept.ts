import { reopen } from "@/lib/access/scope.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { unacceptDrift } from "@/lib/drift/accept.ts";
import { ACCEPTED_MAX, unacceptDriftForm } from "@/lib/drift/schema.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { chosenHosts, driftPageOfForm, sentTexts } from "@/routes/(_pages)/drift.ts";

export const handler = define.handlers({
  /** Ends the acceptance of the differences of the chosen hosts. */
  async POST(ctx) {
    const { scope } = ctx.state;
    const values = await readForm(ctx.req);
    const page = driftPageOfForm(scope.projectId, values.template);
    return await orBack(ctx, page, async () => {
      const runner = await reopen(scope, "run_tasks");
      for (
        const { template, hosts: chosen } of await chosenHosts(
          scope,
          sentTexts(values),
          ACCEPTED_MAX,
        )
      ) {
        const { hosts } = parseWith(unacceptDriftForm, { hosts: chosen });
        await unacceptDrift(runner, template, hosts);
      }
      return seeOther(ctx, page, "flash.drift.unaccepted");
    });
  },
});
