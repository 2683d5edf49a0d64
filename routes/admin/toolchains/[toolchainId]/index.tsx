import { ServerToolchainForm } from "@/components/toolchains/ServerToolchainForm.tsx";
import { paths } from "@/lib/base/paths.ts";
import { serverToolchainForm } from "@/lib/resources/toolchains/schema.ts";
import {
  createServerToolchain,
  getServerToolchain,
  updateServerToolchain,
} from "@/lib/resources/toolchains/server.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asAdmin } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asAdmin,
  find: async (scope, { params: { toolchainId } }) => ({
    item: toolchainId === "new" ? null : await getServerToolchain(scope, pageId(toolchainId)),
  }),
  shown: ({ item }) => formOf(item, item ?? { kind: "built" }),
  bytesMax: LONG_FORM_BYTES_MAX,
  parse: (typed) => parseValues(typed, serverToolchainForm),
  async save({ scope, value, found: { item }, expected }) {
    if (item) await updateServerToolchain(scope, item.id, value, expected);
    else await createServerToolchain(scope, value);
  },
  next: ({ value: { name }, found: { item } }) => [
    paths.serverToolchains(),
    `flash.toolchains.${item ? "saved" : "created"}`,
    { name },
  ],
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <ServerToolchainForm ui={ui} {...data} />
));
