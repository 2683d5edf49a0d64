import { ProjectTokens } from "@/components/access/ProjectTokens.tsx";
import { TokenForm } from "@/components/access/TokenForm.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { projectTokenForm } from "@/lib/people/project_tokens/schema.ts";
import { createProjectToken, listProjectTokens } from "@/lib/people/project_tokens/service.ts";
import { withPermission } from "@/lib/access/scope.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { newTokenForm, parseToken } from "@/routes/(_pages)/tokens/form.ts";

/** Creates a token of the project. Does not redirect, because only this response shows it. */
export const handler = formPage({
  rights: asMember("manage_users"),
  find: () => ({}),
  shown: newTokenForm,
  parse: (typed) => parseToken(typed, projectTokenForm),
  save: ({ scope, value }) => createProjectToken(scope, value),
  next: ({ result }) => ({ form: newTokenForm(), extra: result.token }),
  beside: async (_form, _found, { state: { scope, ui } }, made?: string) => ({
    tokens: await listProjectTokens(withPermission(scope, "manage_users")),
    templates: await outlinesByName(scope, ui.language),
    made: made ?? null,
  }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell: { project } } }) => {
  const { form, tokens, templates, made } = data;
  const title = ui.t("project_tokens.title");
  const team = { label: ui.t("sections.team"), href: ui.href(paths.section(project.id, "team")) };
  return (
    <>
      <Title ui={ui} parts={[title, project.name]} />
      <PageHeader title={title} above={<Breadcrumb ui={ui} crumbs={[team]} />} />
      <div class="grid grid-cols-1 gap-4">
        <p class="m-0">{ui.t("project_tokens.about")}</p>
        <ProjectTokens
          ui={ui}
          projectId={project.id}
          tokens={tokens}
          templates={new Map(templates.map(({ id, name }) => [id, name]))}
        />
        <section class="card grid gap-4" aria-labelledby="new-token">
          <h2 id="new-token" class="m-0">{ui.t("project_tokens.new")}</h2>
          <div class="max-w-2xl grid gap-4">
            <TokenForm
              {...{ ui, form, made }}
              action={ui.href(paths.projectTokens(project.id))}
              isNamed
              choices={{
                scopes: ["read", "run", "manage"],
                projects: [],
                templates: templates.map(({ id, name }) => ({ value: id, label: name })),
              }}
            />
          </div>
        </section>
      </div>
    </>
  );
});
