import type { TokenChoices } from "@/components/access/TokenLimits.tsx";
import { openProject } from "@/lib/access/scope.ts";
import { AppError } from "@/lib/base/errors.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { TOKEN_SCOPES } from "@/lib/model/token_limits.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import type { TokenView } from "@/lib/people/tokens/schema.ts";
import { type State, userScope } from "@/lib/web/state.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { idsIn } from "./form.ts";

/** Projects whose templates one page reads. */
const PROJECTS_MAX = 20;

/** Returns what the form of a personal token offers, with the templates of the ticked projects. */
export async function ownChoices(state: State, values: FormValues): Promise<TokenChoices> {
  const projects = await listProjects(userScope(state));
  const ticked = idsIn(values, "project_ids").map(Number);
  const shown = projects.filter(({ id }) => ticked.includes(id)).slice(0, PROJECTS_MAX);
  const templates = await Promise.all(shown.map(async ({ id, name }) => ({
    label: name,
    options: (await templatesOf(state, id)).map(({ id, name }) => ({ value: id, label: name })),
  })));
  return {
    scopes: TOKEN_SCOPES,
    projects: projects.map(({ id, name }) => ({ value: id, label: name })),
    templates: templates.filter(({ options }) => options.length > 0),
  };
}

/** Returns the names of the projects and templates that tokens are limited to. */
export async function limitNames(state: State, tokens: readonly TokenView[]) {
  const projects = await listProjects(userScope(state));
  const limited = tokens.filter(({ template_ids }) => template_ids !== null);
  const ids = new Set(limited.flatMap(({ project_ids }) => project_ids ?? []));
  const lists = await Promise.all(
    [...ids].slice(0, PROJECTS_MAX).map((id) => templatesOf(state, id)),
  );
  return {
    projects: new Map(projects.map(({ id, name }) => [id, name])),
    templates: new Map(lists.flat().map(({ id, name }) => [id, name])),
  };
}

/** Returns the templates of a project; none of one that the person cannot open any more. */
async function templatesOf(state: State, projectId: number) {
  try {
    return await outlinesByName(await openProject(userScope(state), projectId), state.ui.language);
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return [];
    throw error;
  }
}
