import { page } from "fresh";
import { ServerToolchainUses } from "@/components/toolchains/ServerToolchainUses.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import {
  deleteServerToolchain,
  getServerToolchain,
  listServerUses,
} from "@/lib/resources/toolchains/server.ts";
import { newForm, saveForm } from "@/lib/web/forms/form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, type State, userScope } from "@/lib/web/state.ts";

async function find(state: State, idText: string) {
  const scope = requireAdmin(userScope(state));
  const id = pageId(idText);
  const [toolchain, uses] = await Promise.all([
    getServerToolchain(scope, id),
    listServerUses(scope, id),
  ]);
  return { toolchain, uses };
}

export const handler = define.handlers({
  GET: async ({ state, params }) =>
    page({ ...await find(state, params.toolchainId), form: newForm() }),

  async POST(ctx) {
    const found = await find(ctx.state, ctx.params.toolchainId);
    const { name } = found.toolchain;
    const form = await saveForm(
      { ok: true, value: found.toolchain, values: {}, errors: {} },
      ({ id }) => deleteServerToolchain(requireAdmin(userScope(ctx.state)), id),
    );
    if (!form.ok) return page({ ...found, form }, { status: 409 });
    return seeOther(ctx, paths.serverToolchains(), "flash.toolchains.deleted", { name });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => {
  const { toolchain: { id, name }, uses, form } = data;
  if (uses.length > 0) {
    return (
      <ServerToolchainUses
        ui={ui}
        title={ui.t("references.cannot_delete", { name })}
        sentence={ui.t("references.sentence", { name })}
        uses={uses}
      />
    );
  }
  const title = ui.t("resources.toolchains.delete");
  return (
    <>
      <Title ui={ui} parts={[title, name, ui.t("admin.title")]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("resources.toolchains.question", { name })}
        action={ui.href(paths.serverToolchain(id, "/delete"))}
        cancel={ui.href(paths.serverToolchains())}
        yes={ui.t("actions.delete")}
        form={form}
      />
    </>
  );
});
