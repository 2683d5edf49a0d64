import { page } from "fresh";
import { WhoPage } from "@/components/access/WhoPage.tsx";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { PEOPLE_MAX } from "@/lib/rights/schema.ts";
import { listObjectAccess, type RuledObject } from "@/lib/rights/service.ts";
import { define } from "@/lib/web/state.ts";

interface Asked {
  object: RuledObject;
  name: string;
  /** Page of the object. */
  path: string;
}

/** Creates the page that says who can see, run and edit an object. */
export function whoPage(
  find: (scope: ProjectScope, params: Record<string, string>) => Promise<Asked>,
) {
  const handler = define.handlers({
    async GET({ state: { scope, ui }, params, url }) {
      const { object, name, path } = await find(scope, params);
      const after = listNumber().parse(url.searchParams.get("after")) ?? 0;
      const { people, hasNext } = await listObjectAccess(scope, object, {
        limit: PEOPLE_MAX,
        after,
      });
      const last = people.at(-1)?.user_id;
      const next = hasNext && last ? `${ui.href(`${path}/who`)}?after=${last}` : null;
      return page({ name, href: ui.href(path), people, next });
    },
  });
  const Page = define.page<typeof handler>(({ data, state: { ui, shell } }) => (
    <WhoPage ui={ui} projectName={shell.project.name} {...data} />
  ));
  return { handler, Page };
}
