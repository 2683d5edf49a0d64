import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import type { Sentence } from "@/lib/base/errors.ts";
import type { ResourceService } from "@/lib/resources/common/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

type Service<Item> = Pick<ResourceService<Item, never>, "get" | "delete" | "references">;

interface Deletion<Item> {
  /** Name of the route parameter with the id. */
  param: string;
  service: Service<Item>;
  /** Page to open after the deletion, and the message shown there. */
  done: (projectId: number, item: Item) => [path: string, key: string, params: Sentence["params"]];
}

/** Shows the item to delete and its uses, and deletes it on confirmation. */
export const deleteHandlers = <Item>({ param, service, done }: Deletion<Item>) =>
  define.handlers({
    async GET({ state: { shell, scope }, params }) {
      requirePermission(shell, "manage_resources");
      const id = pageId(params[param]);
      const item = await service.get(scope, id);
      return page({ item, references: await service.references(scope, id) });
    },

    async POST(ctx) {
      const { scope } = ctx.state;
      const id = pageId(ctx.params[param]);
      const item = await service.get(scope, id);
      await service.delete(await reopen(scope, "manage_resources"), id);
      return seeOther(ctx, ...done(scope.projectId, item));
    },
  });
