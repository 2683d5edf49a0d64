import { page } from "fresh";
import { SearchPage } from "@/components/search/SearchPage.tsx";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { QUERY_LENGTH_MAX, searchQuery } from "@/lib/search/schema.ts";
import { searchProject } from "@/lib/search/service.ts";
import { define } from "@/lib/web/state.ts";

/** Number of hits of a kind on a page with several kinds, and on a page of its own. */
const HITS_BESIDE = 6;
const HITS_ALONE = 50;

/** Invalid query parameters are ignored. */
const query = searchQuery.extend({
  kind: searchQuery.shape.kind.catch(undefined),
  skip: listNumber(0),
  before: listNumber(),
}).omit({ limit: true, count: true });

export const handler = define.handlers({
  async GET(ctx) {
    const { q = "", ...asked } = Object.fromEntries(ctx.url.searchParams);
    const search = query.parse({ ...asked, q: q.slice(0, QUERY_LENGTH_MAX) });
    const limit = search.kind ? HITS_ALONE : HITS_BESIDE;
    const found = await searchProject(ctx.state.scope, { ...search, limit });
    return page({ ...search, skip: search.skip ?? 0, limit, found });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <SearchPage ui={ui} project={shell.project} {...data} />
));
