import { page } from "fresh";
import { ServerToolchainForm } from "@/components/toolchains/ServerToolchainForm.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { serverToolchainForm } from "@/lib/resources/toolchains/schema.ts";
import {
  createServerToolchain,
  getServerToolchain,
  updateServerToolchain,
} from "@/lib/resources/toolchains/server.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, type State, userScope } from "@/lib/web/state.ts";

const adminOf = (state: State) => requireAdmin(userScope(state));

/** Returns the toolchain to change, or null for a new one, and its form. */
async function find(state: State, idText: string) {
  const item = idText === "new" ? null : await getServerToolchain(adminOf(state), pageId(idText));
  return { item, form: formOf(item, item ?? { kind: "built" }) };
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const { item, form } = await find(state, params.toolchainId);
    return page({ item, form: restoredForm(state) ?? form });
  },

  async POST(ctx) {
    const { state, params, req } = ctx;
    const { item, form: stored } = await find(state, params.toolchainId);
    const typed = withChoices(await readForm(req, LONG_FORM_BYTES_MAX), stored);
    const form = await saveForm(parseValues(typed, serverToolchainForm), async (value) => {
      const scope = adminOf(state);
      if (item) await updateServerToolchain(scope, item.id, value, expectedOf(typed));
      else await createServerToolchain(scope, value);
      return value;
    });
    if (!form.ok) {
      const readNow = async () => (await find(state, params.toolchainId)).form;
      const refused = await refusedForm(typed, form.errors, readNow);
      return page({ item, form: refused.form }, { status: refused.status });
    }
    const { name } = form.result;
    const done = `flash.toolchains.${item ? "saved" : "created"}`;
    return seeOther(ctx, paths.serverToolchains(), done, { name });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <ServerToolchainForm ui={ui} {...data} />
));
