import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { KeyFields, keyLabels } from "@/components/keys/KeyFields.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { LONG_FORM_BYTES_MAX, newForm, submitForm } from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { keyChangeForm, keyForm } from "@/lib/parts/keys/schema.ts";
import { keyService } from "@/lib/parts/keys/service.ts";
import { referencesTo } from "@/lib/references/service.ts";

/** Private keys are long. */
const LONG_FORM = { bytesMax: LONG_FORM_BYTES_MAX };

/** The key that is edited, with what uses it; null for a new one. */
async function readKey(state: State, idText: string) {
  requirePermission(state.shell, "manage_resources");
  if (idText === "new") return null;
  const id = pageId(idText);
  const [key, references] = await Promise.all([
    keyService.get(state.scope, id),
    referencesTo(state.scope, ["keys", id]),
  ]);
  return { ...key, references };
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const key = await readKey(state, params.keyId);
    const shown = key
      ? { name: key.name, type: key.type, override_secret: key.empty }
      : { type: "ssh" };
    return page({ key, form: newForm(shown) });
  },

  async POST(ctx) {
    const { shell } = ctx.state;
    const key = await readKey(ctx.state, ctx.params.keyId);
    const projectId = shell.project.id;
    const form = key
      ? await submitForm(ctx.req, keyChangeForm, async (value) => {
        await keyService.update(await reopen(ctx.state.scope, "manage_resources"), key.id, value);
        return value;
      }, LONG_FORM)
      : await submitForm(
        ctx.req,
        keyForm,
        async (value) =>
          keyService.create(await reopen(ctx.state.scope, "manage_resources"), value),
        LONG_FORM,
      );
    if (!form.ok) return page({ key, form }, { status: 422 });
    const done = key ? "flash.keys.saved" : "flash.keys.created";
    return seeOther(ctx, paths.section(projectId, "keys"), done, { name: form.result.name });
  },
});

export default define.page<typeof handler>(({ data: { key, form }, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="keys"
    item={key}
    form={form}
    labels={keyLabels(ui)}
    references={key?.references}
  >
    {key?.empty && <Alert kind="warning">{ui.t("keys.empty_hint")}</Alert>}
    <KeyFields ui={ui} form={form} stored={key !== null} />
  </ResourceForm>
));
