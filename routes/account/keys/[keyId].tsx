import { page } from "fresh";
import { OwnKeyDialog } from "@/components/account/OwnKeys.tsx";
import { Frame } from "@/components/shell/Frame.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { ownKeyChangeForm, ownKeyForm, type OwnKeyView } from "@/lib/resources/own_keys/schema.ts";
import { createOwnKey, getOwnKey, updateOwnKey } from "@/lib/resources/own_keys/service.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, signedIn, type State, userScope } from "@/lib/web/state.ts";

/** Returns the key to edit; null for a new one. */
const readKey = async (state: State, idText: string): Promise<OwnKeyView | null> =>
  idText === "new" ? null : await getOwnKey(userScope(state), pageId(idText));

const keyForm = (item: OwnKeyView | null): FormState =>
  formOf(item, item ? { name: item.name, ssh: { login: item.ssh.login } } : {});

async function keyPage(state: State, item: OwnKeyView | null, form: FormState, status = 200) {
  return page({ item, form, projects: await listProjects(userScope(state)) }, { status });
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const item = await readKey(state, params.keyId);
    return await keyPage(state, item, restoredForm(state) ?? keyForm(item));
  },

  /** Saves the key. The public half of a generated pair is needed next. */
  async POST(ctx) {
    const { state, params, req } = ctx;
    const scope = userScope(state);
    const item = await readKey(state, params.keyId);
    const values = withChoices(await readForm(req), keyForm(item));
    const parsed = parseValues(values, item ? ownKeyChangeForm : ownKeyForm);
    const form = await saveForm(parsed, async (value) => {
      if (!item) return (await createOwnKey(scope, value)).id;
      await updateOwnKey(scope, item.id, value, expectedOf(values));
      return item.id;
    });
    if (!form.ok) {
      const readNow = async () => keyForm(await readKey(state, params.keyId));
      const refused = await refusedForm(values, form.errors, readNow);
      return await keyPage(state, item, refused.form, refused.status);
    }
    const next = values.generate ? paths.ownKey(form.result) : paths.account();
    return seeOther(ctx, next, "flash.account.own_key_saved");
  },
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
