import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { RepositoryFields, repositoryLabels } from "@/components/repositories/RepositoryFields.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { type FormState, newForm, parseValues, readForm, saveForm } from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { keyService } from "@/lib/parts/keys/service.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { repositoryForm } from "@/lib/parts/repositories/schema.ts";
import { repositoryService } from "@/lib/parts/repositories/service.ts";
import { REPOSITORY_KINDS } from "@/lib/execution/git/url.ts";
import { withKind } from "@/lib/execution/git/url_kind.ts";

/** The repository that is edited, with what uses it; null for a new one. */
async function readRepository(state: State, idText: string) {
  requirePermission(state.shell, "manage_resources");
  if (idText === "new") return null;
  const id = pageId(idText);
  const [repository, references] = await Promise.all([
    repositoryService.get(state.scope, id),
    referencesTo(state.scope, ["repositories", id]),
  ]);
  return { ...repository, references };
}
type Repository = Awaited<ReturnType<typeof readRepository>>;

async function formPage(state: State, repository: Repository, form: FormState, status = 200) {
  const keys = await keyService.list(state.scope);
  return page({ repository, form, keys }, { status });
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const repository = await readRepository(state, params.repositoryId);
    return await formPage(state, repository, newForm(repository ?? { git_branch: "main" }));
  },

  async POST(ctx) {
    const { state, params } = ctx;
    const repository = await readRepository(state, params.repositoryId);
    const { kind: kindText = "", ...values } = await readForm(ctx.req);
    const kind = REPOSITORY_KINDS.find((one) => one === kindText);
    if (kind) {
      const rewritten = { ...values, git_url: withKind(values.git_url ?? "", kind) };
      return await formPage(state, repository, { values: rewritten, errors: {} });
    }
    const { shell: { project } } = state;
    const schema = repositoryForm(repository?.git_url);
    const form = await saveForm(parseValues(values, schema), async (value) => {
      if (repository) {
        await repositoryService.update(
          await reopen(state.scope, "manage_resources"),
          repository.id,
          value,
        );
      } else await repositoryService.create(await reopen(state.scope, "manage_resources"), value);
      return value;
    });
    if (!form.ok) return await formPage(state, repository, form, 422);
    const done = repository ? "flash.repositories.saved" : "flash.repositories.created";
    const { name } = form.result;
    return seeOther(ctx, paths.section(project.id, "repositories"), done, { name });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="repositories"
    item={data.repository}
    form={data.form}
    labels={repositoryLabels(ui)}
    references={data.repository?.references}
  >
    <RepositoryFields ui={ui} form={data.form} keys={data.keys} />
  </ResourceForm>
));
