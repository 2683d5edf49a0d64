import { page } from "fresh";
import { ResourceUses } from "@/components/resources/ResourceUses.tsx";
import type { Noun } from "@/lib/base/nouns.ts";
import type { ResourceService } from "@/lib/resources/common/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Returns the page that lists what uses a resource. */
export function usesPage(
  noun: Noun,
  param: string,
  service: Pick<ResourceService<{ name: string }, never>, "get" | "references">,
) {
  const handler = define.handlers({
    async GET({ state: { scope }, params }) {
      const id = pageId(params[param]);
      const [item, references] = await Promise.all([
        service.get(scope, id),
        service.references(scope, id),
      ]);
      return page({ item, references });
    },
  });
  const UsesPage = define.page<typeof handler>(({ data, state: { ui, shell } }) => (
    <ResourceUses ui={ui} shell={shell} noun={noun} {...data} />
  ));
  return { handler, UsesPage };
}
