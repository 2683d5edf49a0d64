import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { define } from "@/lib/web/state.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { type Noun, SECTION_OF } from "@/lib/base/nouns.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";

interface Deletion {
  noun: Noun;
  /** The part of the address that is the id. */
  param: string;
  get(scope: ProjectScope, id: number): Promise<{ id: number; name: string }>;
  remove(scope: ProjectScope<"manage_resources">, id: number): Promise<void>;
}

/** Shows what uses a resource, or else asks; and deletes it when told to. */
export const deleteHandlers = ({ noun, param, get, remove }: Deletion) =>
  define.handlers({
    async GET({ state, params }) {
      requirePermission(state.shell, "manage_resources");
      const id = pageId(params[param]);
      const item = await get(state.scope, id);
      const references = await referencesTo(state.scope, [noun, id]);
      return page({ item, references });
    },

    async POST(ctx) {
      const { scope } = ctx.state;
      const id = pageId(ctx.params[param]);
      const { name } = await get(scope, id);
      await remove(await reopen(scope, "manage_resources"), id);
      const list = paths.section(scope.projectId, SECTION_OF[noun]);
      return seeOther(ctx, list, `flash.${noun}.deleted`, { name });
    },
  });
