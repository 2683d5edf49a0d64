import { reopen } from "@/lib/access/scope.ts";
import { define } from "@/lib/web/state.ts";
import { AppError } from "@/lib/base/errors.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { SWITCHES } from "@/lib/triggers/integrations/schema.ts";
import { switchIntegration } from "@/lib/triggers/integrations/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { shell: { project } } = ctx.state;
    const id = pageId(ctx.params.integrationId);
    const sent = await readForm(ctx.req);
    const name = SWITCHES.find((one) => one in sent);
    if (!name) throw new AppError(400, "errors.invalid_form");
    await switchIntegration(
      await reopen(ctx.state.scope, "manage_triggers"),
      id,
      name,
      sent[name] === "true",
    );
    return seeOther(ctx, `${paths.integration(project.id, id)}#${name}`, "flash.switched");
  },
});
