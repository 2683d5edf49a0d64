import { serverUseGroups } from "@/components/toolchains/server_use_groups.ts";
import { paths } from "@/lib/base/paths.ts";
import {
  deleteServerToolchain,
  getServerToolchain,
  listServerUses,
} from "@/lib/resources/toolchains/server.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asAdmin } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asAdmin,
  async find(scope, { params }) {
    const id = pageId(params.toolchainId);
    const [toolchain, uses] = await Promise.all([
      getServerToolchain(scope, id),
      listServerUses(scope, id),
    ]);
    return { ...toolchain, uses };
  },
  ask: (ui, { name, uses }) => ({
    title: ui.t("resources.toolchains.delete"),
    parts: [name],
    question: ui.t("resources.toolchains.question", { name }),
    cancel: paths.serverToolchains(),
    uses: {
      title: ui.t("references.cannot_delete", { name }),
      sentence: ui.t("references.sentence", { name }),
      groups: serverUseGroups(ui, uses),
    },
  }),
  act: (scope, { id }) => deleteServerToolchain(scope, id),
  next: ({ name }) => [paths.serverToolchains(), "flash.toolchains.deleted", { name }],
  refusedStatus: 409,
});
export { handler, Page as default };
