import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { StorageFields, storageLabels } from "@/components/secret_storages/StorageFields.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { paths } from "@/lib/base/paths.ts";
import { askPrivateStorage } from "@/lib/resources/secret_storages/ask_private.ts";
import { secretStorageForm, WAIT_SECONDS } from "@/lib/resources/secret_storages/schema.ts";
import { secretStorageService, storageFields } from "@/lib/resources/secret_storages/service.ts";
import { define } from "@/lib/web/state.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resources/form.ts";

export const handler = resourceFormHandlers({
  noun: "secret_storages",
  param: "storageId",
  service: secretStorageService,
  form: secretStorageForm,
  changeForm: () => secretStorageForm,
  shown: (storage) =>
    storage ?? {
      type: "vault",
      params: { auth_method: "token" },
      unavailable: "wait",
      wait_seconds: WAIT_SECONDS,
    },
  beside: (scope) => Promise.resolve({ types: storageFields(scope) }),
  redrawn: ({ redraw = "", ...values }) => redraw === "" ? null : { values },
  read: ({ test_path: _, ...values }) => ({
    // A box that is not ticked is not sent.
    values: { ...values, allow_private: values.allow_private ?? "false" },
  }),
  check(scope, storage, item, { private_asked }) {
    if (!private_asked) askPrivateStorage(scope, storage, item);
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell, actor } }) => {
  const { item, form, types } = data;
  const test = item && ui.href(paths.testStorage(shell.project.id, item.id));
  return (
    <ResourceForm
      ui={ui}
      shell={shell}
      noun="secret_storages"
      labels={storageLabels(ui, types)}
      {...data}
    >
      {item?.empty && <Alert kind="warning">{ui.t("secret_storages.empty_hint")}</Alert>}
      <StorageFields
        ui={ui}
        form={form}
        types={types}
        item={item}
        mayAllowPrivate={actor?.kind === "user" && actor.admin}
        test={test}
      />
    </ResourceForm>
  );
});
