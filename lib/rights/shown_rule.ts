import { isRoleOf } from "../access/rules/roles.ts";
import { grants } from "../access/permissions.ts";
import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { approversOf } from "../approvals/people.ts";
import type { ApprovalPerson } from "../approvals/schema.ts";
import {
  type AccessRule,
  accessRuleOf,
  type Audience,
  RULED_ACTIONS,
  type RuledAction,
} from "../model/access_rule.ts";
import { viewService } from "../templates/views/service.ts";
import { mayAskAbout, type RuledObject } from "./service.ts";

/** An audience with the names of its people. */
export interface ShownAudience {
  action: RuledAction;
  roles: { slug: string; isGone: boolean }[];
  people: ApprovalPerson[];
}

/** The rules that hold for an object, as its page shows them. */
export interface ShownRules {
  own: ShownAudience[];
  /** The view with a rule that holds for a template; null without one. */
  view: { id: number; title: string; audiences: ShownAudience[]; mayEdit: boolean } | null;
  /** Whether a rule names someone or something that is gone. */
  isStale: boolean;
  /** Whether the reader may ask who can run it. */
  mayAsk: boolean;
  /** Whether rules let the reader run and edit it, if their role does. */
  mayRun: boolean;
  mayEdit: boolean;
}

/** Returns the rules that hold for a template or a workflow that the actor sees. */
export async function readShownRules(
  scope: ProjectScope,
  object: RuledObject,
  rule: AccessRule & { view_id?: number | null },
): Promise<ShownRules> {
  const [sight, own, view, mayAsk] = await Promise.all([
    sightOf(scope),
    audiencesOf(scope, rule),
    rule.view_id ? ruledView(scope, rule.view_id) : null,
    mayAskAbout(scope, object),
  ]);
  const isStale = [...own, ...view?.audiences ?? []].some(({ roles, people }) =>
    roles.some(({ isGone }) => isGone) || people.some(({ name }) => name === null)
  );
  const [mayRun, mayEdit] = [sight.mayRun(...object), sight.mayEdit(...object)];
  return { own, view, isStale, mayAsk, mayRun, mayEdit };
}

async function ruledView(scope: ProjectScope, id: number): Promise<ShownRules["view"]> {
  const [view, sight] = await Promise.all([viewService.get(scope, id), sightOf(scope)]);
  if (!accessRuleOf(view)) return null;
  const mayEdit = grants(scope.permissions, "manage_resources") && sight.mayEdit("views", id);
  return { id, title: view.title, audiences: await audiencesOf(scope, view), mayEdit };
}

const audiencesOf = async (scope: ProjectScope, rule: AccessRule): Promise<ShownAudience[]> =>
  (await Promise.all(RULED_ACTIONS.map(async (action) => {
    const audience = rule[action];
    return audience ? [{ action, ...await namedAudience(scope, audience) }] : [];
  }))).flat();

async function namedAudience(
  { deps: { kv }, projectId }: ProjectScope,
  { roles, user_ids }: Audience,
) {
  const isThere = await Promise.all(roles.map((role) => isRoleOf(kv, projectId, role)));
  return {
    roles: roles.map((slug, n) => ({ slug, isGone: !isThere[n] })),
    people: await approversOf(kv, projectId, user_ids),
  };
}
