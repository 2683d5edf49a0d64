import { page } from "fresh";
import type { Actor } from "@/lib/access/actor.ts";
import type { Deps } from "@/lib/access/deps.ts";
import { define, signedIn } from "@/lib/web/state.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { type Noun, SECTION_OF } from "@/lib/base/nouns.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";

type Call<Answer> = (deps: Deps, actor: Actor, projectId: number, id: number) => Promise<Answer>;

interface Deletion {
  noun: Noun;
  /** The part of the address that is the id. */
  param: string;
  get: Call<{ id: number; name: string }>;
  remove: Call<void>;
}

/** Shows what uses a resource, or else asks; and deletes it when told to. */
export const deleteHandlers = ({ noun, param, get, remove }: Deletion) =>
  define.handlers({
    async GET({ state, params }) {
      requirePermission(state.shell, "manage_resources");
      const { deps, shell: { project } } = state;
      const id = pageId(params[param]);
      const item = await get(deps, signedIn(state), project.id, id);
      const references = await referencesTo(deps, signedIn(state), project.id, [noun, id]);
      return page({ item, references });
    },

    async POST(ctx) {
      const { deps, shell: { project } } = ctx.state;
      const actor = signedIn(ctx.state);
      const id = pageId(ctx.params[param]);
      const { name } = await get(deps, actor, project.id, id);
      await remove(deps, actor, project.id, id);
      const list = paths.section(project.id, SECTION_OF[noun]);
      return seeOther(ctx, list, `flash.${noun}.deleted`, { name });
    },
  });
