import { RepositoryTest } from "@/components/connection_tests/RepositoryTest.tsx";
import { RepositoryFields, repositoryLabels } from "@/components/repositories/RepositoryFields.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import { findRefNames } from "@/lib/connection_tests/ref_names.ts";
import { REPOSITORY_KINDS } from "@/lib/execution/git/url.ts";
import { withKind } from "@/lib/execution/git/url_kind.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { repositoryForm } from "@/lib/resources/repositories/schema.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { define } from "@/lib/web/state.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resources/form.ts";
import { repositoryTest } from "@/routes/(_pages)/resources/connection_tests.ts";

const requirementsPath = (projectId: number, id: number) =>
  `${paths.item(projectId, "repositories", id)}/requirements`;

export const handler = resourceFormHandlers({
  noun: "repositories",
  param: "repositoryId",
  service: repositoryService,
  form: repositoryForm(),
  changeForm: ({ git_url }) => repositoryForm(git_url),
  shown: (repository) => repository ?? { git_branch: "main", git_depth: 1 },
  beside: async (scope, item, values) => {
    const [keys, test, known] = await Promise.all([
      keyService.list(scope),
      repositoryTest(scope, item, values),
      item && findRefNames(scope, item),
    ]);
    const { branches = [], tags = [] } = (test?.ok ? test.result : known) ?? {};
    return { keys, test, branches: [...branches, ...tags] };
  },
  choices: ({ keys }) => ({ ssh_key_id: keys }),
  redrawn({ kind: kindText, ...values }) {
    if (values.test) return { values };
    const kind = REPOSITORY_KINDS.find((one) => one === kindText);
    return kind ? { values: { ...values, git_url: withKind(values.git_url ?? "", kind) } } : null;
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm ui={ui} shell={shell} noun="repositories" labels={repositoryLabels(ui)} {...data}>
    <RepositoryFields
      ui={ui}
      form={data.form}
      keys={data.keys}
      branches={data.branches}
    />
    <RepositoryTest
      ui={ui}
      form={data.form}
      keys={data.keys}
      test={data.test}
    />
    {data.item && (
      <p>
        <ButtonLink href={ui.href(requirementsPath(shell.project.id, data.item.id))} over>
          {ui.t("start_task.force_galaxy_install")}
        </ButtonLink>
      </p>
    )}
  </ResourceForm>
));
