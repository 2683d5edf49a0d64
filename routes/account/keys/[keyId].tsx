import { OwnKeyDialog } from "@/components/account/OwnKeys.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { ownKeyChangeForm, ownKeyForm } from "@/lib/resources/own_keys/schema.ts";
import { createOwnKey, getOwnKey, updateOwnKey } from "@/lib/resources/own_keys/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asUser } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asUser,
  find: async (scope, { params }) => ({
    item: params.keyId === "new" ? null : await getOwnKey(scope, pageId(params.keyId)),
  }),
  shown: ({ item }) =>
    formOf(item, item ? { name: item.name, ssh: { login: item.ssh.login } } : {}),
  parse: (typed, { item }) => parseValues(typed, item ? ownKeyChangeForm : ownKeyForm),
  async save({ scope, value, found: { item }, expected }) {
    if (!item) return (await createOwnKey(scope, value)).id;
    await updateOwnKey(scope, item.id, value, expected);
    return item.id;
  },
  // The public half of a generated pair is needed next.
  next: ({ typed, result }) => [
    typed.generate ? paths.ownKey(result) : paths.account("keys"),
    "flash.account.own_key_saved",
  ],
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t("own_keys.title")]} />
    <OwnKeyDialog ui={ui} {...data} />
  </>
));
