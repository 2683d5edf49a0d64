import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { ToolchainFields, toolchainLabels } from "@/components/toolchains/ToolchainFields.tsx";
import { toolchainForm } from "@/lib/resources/toolchains/schema.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { define } from "@/lib/web/state.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resource_form.ts";

export const handler = resourceFormHandlers({
  noun: "toolchains",
  param: "toolchainId",
  service: toolchainService,
  form: toolchainForm,
  changeForm: () => toolchainForm,
  shown: (stored) => stored ?? { kind: "built" },
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
    <ToolchainFields ui={ui} {...data} />
  </ResourceForm>
));
