import { ComparePage } from "@/components/compare/ComparePage.tsx";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { compareRuns } from "@/lib/compare/service.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";
import { page } from "fresh";

/** Compares two tasks of a template. `a` is the one that the user asked about. */
export const handler = define.handlers({
  async GET({ state: { scope }, params, url: { searchParams } }) {
    const template = await getTemplate(scope, pageId(params.templateId));
    const numberOf = (name: string) => listNumber().parse(searchParams.get(name) ?? undefined);
    const asked = { run: numberOf("a"), base: numberOf("b"), fetch: searchParams.has("fetch") };
    return page({ template, compared: await compareRuns(scope, template.id, asked) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ComparePage ui={ui} project={shell.project.name} {...data} />
));
