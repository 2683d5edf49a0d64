import { OwnKeyDialog } from "@/components/account/OwnKeys.tsx";
import { Frame } from "@/components/shell/Frame.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { ownKeyChangeForm, ownKeyForm } from "@/lib/resources/own_keys/schema.ts";
import { createOwnKey, getOwnKey, updateOwnKey } from "@/lib/resources/own_keys/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asUser } from "@/lib/web/rights.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";

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
    typed.generate ? paths.ownKey(result) : paths.account(),
    "flash.account.own_key_saved",
  ],
  beside: async (_form, _found, { state }) => ({ projects: await listProjects(userScope(state)) }),
});

export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { ui, deps } = state;
  const { projects, ...dialog } = data;
  return (
    <Frame
      {...frameOf(deps, signedIn(state), { url, req })}
      ui={ui}
      shell={null}
      projects={projects}
    >
      <Title ui={ui} parts={[ui.t("own_keys.title")]} />
      <OwnKeyDialog ui={ui} {...dialog} />
    </Frame>
  );
});
