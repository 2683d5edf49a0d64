import { define, signedIn } from "@/lib/deps.ts";
import { AppError } from "@/lib/errors.ts";
import { readForm } from "@/lib/http/form.ts";
import { pageId } from "@/lib/http/page_ids.ts";
import { paths } from "@/lib/http/paths.ts";
import { seeOther } from "@/lib/http/see_other.ts";
import { SWITCHES } from "@/lib/integrations/schema.ts";
import { switchIntegration } from "@/lib/integrations/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, shell: { project } } = ctx.state;
    const id = pageId(ctx.params.integrationId);
    const sent = await readForm(ctx.req);
    const name = SWITCHES.find((one) => one in sent);
    if (!name) throw new AppError(400, "errors.invalid_form");
    await switchIntegration(deps, signedIn(ctx.state), project.id, id, name, sent[name] === "true");
    return seeOther(ctx, `${paths.integration(project.id, id)}#${name}`, "flash.switched");
  },
});
