import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { ToolchainFields, toolchainLabels } from "@/components/toolchains/ToolchainFields.tsx";
import { keyService } from "@/lib/resources/keys/service.ts";
import { toolchainForm } from "@/lib/resources/toolchains/schema.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { define } from "@/lib/web/state.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resources/form.ts";

export const handler = resourceFormHandlers({
  noun: "toolchains",
  param: "toolchainId",
  service: toolchainService,
  form: toolchainForm,
  changeForm: () => toolchainForm,
  shown: (stored) => stored ?? { kind: "built" },
  beside: async (scope) => ({ keys: await keyService.list(scope) }),
  choices: ({ keys }) => ({ galaxy_key_id: keys }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="toolchains"
    labels={toolchainLabels(ui)}
    width="wide"
    {...data}
  >
    <ToolchainFields ui={ui} form={data.form} keys={data.keys} />
  </ResourceForm>
));
