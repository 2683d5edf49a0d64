import { page } from "fresh";
import { Alert } from "@/components/ui/Alert.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { testSecretStorage } from "@/lib/connection_tests/secret_storages.ts";
import { secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import { storageTestForm } from "@/lib/resources/secret_storages/schema.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET(ctx) {
    const id = pageId(ctx.params.storageId);
    return seeOther(ctx, paths.item(ctx.state.scope.projectId, "secret_storages", id));
  },

  async POST({ state: { scope }, params, req }) {
    const { test_path: path } = await readForm(req);
    const manager = await reopen(scope, "manage_keys");
    const storage = await secretStorageService.get(scope, pageId(params.storageId));
    const form = parseWith(storageTestForm, { path });
    return page({
      storage,
      ...form,
      result: await testSecretStorage(manager, storage.id, form.path),
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { storage: { id, name }, path, result: { ok, names, reason } } = data;
  const title = ui.t("secret_storages.test.title");
  return (
    <>
      <Title ui={ui} parts={[title, name, shell.project.name]} />
      <Dialog
        ui={ui}
        id="storage-test-result"
        title={title}
        width="medium"
        close={ui.href(paths.item(shell.project.id, "secret_storages", id))}
      >
        <div role="status">
          <Alert
            kind={ok ? "success" : "danger"}
            title={ui.t(ok ? "secret_storages.test.works" : "secret_storages.test.failed", {
              path,
            })}
          >
            {reason !== null && ui.tell(reason)}
            {ok && names.length > 0 &&
              ui.labelled(ui.t("secret_storages.test.names"), ui.list(names))}
          </Alert>
        </div>
      </Dialog>
    </>
  );
});
