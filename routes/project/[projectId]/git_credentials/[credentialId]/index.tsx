import {
  GitCredentialFields,
  gitCredentialLabels,
} from "@/components/git_credentials/GitCredentialFields.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { gitCredentialForm } from "@/lib/resources/git_credentials/schema.ts";
import { namedGitCredentials } from "@/lib/resources/git_credentials/service.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { define } from "@/lib/web/state.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resources/form.ts";

export const handler = resourceFormHandlers({
  noun: "git_credentials",
  param: "credentialId",
  service: namedGitCredentials,
  form: gitCredentialForm(),
  changeForm: ({ host }) => gitCredentialForm(host),
  shown: (credential) => credential ?? { type: "url" },
  beside: async (scope) => ({ keys: await keyService.list(scope) }),
  choices: ({ keys }) => ({ ssh_key_id: keys }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="git_credentials"
    labels={gitCredentialLabels(ui)}
    {...data}
  >
    <GitCredentialFields ui={ui} form={data.form} keys={data.keys} />
  </ResourceForm>
));
