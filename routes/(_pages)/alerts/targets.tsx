import { type Context, page } from "fresh";
import { AlertsPage } from "@/components/alerts/AlertsPage.tsx";
import { ChooseKind } from "@/components/alerts/ChooseKind.tsx";
import { afterTarget, TargetForm } from "@/components/alerts/TargetForm.tsx";
import { TargetPage } from "@/components/alerts/TargetPage.tsx";
import type { RuleView } from "@/lib/alerts/rules/schema.ts";
import { listRules } from "@/lib/alerts/rules/service.ts";
import type { AlertsScope } from "@/lib/alerts/scope.ts";
import { TARGET_KINDS, type TargetKind } from "@/lib/alerts/schema.ts";
import { askPrivateTarget } from "@/lib/alerts/targets/ask_private.ts";
import { targetForm, type TargetTest } from "@/lib/alerts/targets/schema.ts";
import {
  createTarget,
  deleteTarget,
  getTarget,
  latestDeliveries,
  listTargetDeliveries,
  listTargets,
  resumeTarget as resume,
  targetSettings,
  testTarget,
  updateTarget,
} from "@/lib/alerts/targets/service.ts";
import { notFound } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import { confirmRoute } from "../confirm_page.tsx";
import {
  alertRights,
  alertsOf,
  alertsPath,
  readTarget,
  removedSecrets,
  targetFormOf,
} from "./alerts.ts";

/** The list of targets and rules. */
export const alertsPage = routeOf({
  GET: async ({ state }) => page({ ...await alertsData(state), address: null }),
}, ({ data, state }) => <AlertsPage ui={state.ui} place={alertsOf(state).place()} {...data} />);

/** Loads what the list of targets and rules shows. */
export async function alertsData(state: State) {
  const alerts = alertsOf(state);
  const scope = alerts.sees();
  const [targets, rules, feed] = await Promise.all([
    listTargets(scope),
    listRules(scope),
    alerts.feed(),
  ]);
  return {
    targets,
    rules,
    used: usedBy(rules),
    feed,
    latest: await latestDeliveries(scope, targets),
  };
}

/** Returns the ids of the targets that rules send alerts to. */
const usedBy = (rules: readonly RuleView[]): ReadonlySet<number> =>
  new Set(rules.filter(({ active }) => active).map(({ target_id }) => target_id));

/** Returns a kind that the form of a new target was opened for; null for another text. */
const kindOf = (text = ""): TargetKind | null => TARGET_KINDS.find((kind) => kind === text) ?? null;

const newTarget = formPage({
  rights: alertRights,
  find: () => ({}),
  shown: (_found, { state: { ui } }) => newForm({ active: true, language: ui.language }),
  parse: (typed, _found, { state }) =>
    parseValues(readTarget(typed, alertsOf(state).place()), targetForm),
  save({ scope, value, typed }) {
    if (!typed.private_asked) askPrivateTarget(scope, value, null);
    return createTarget(scope, value);
  },
  // A target gets nothing before there is a rule. A message would cover the button of its form.
  next: ({ result: { id }, ctx: { state } }) => [
    `${paths.alertRule(alertsOf(state).place().projectId, "new")}?target=${id}`,
  ],
  beside({ values }, _found, { state, url }) {
    const kind = kindOf(values.kind ?? url.searchParams.get("kind") ?? "");
    return { kind, fields: kind ? targetSettings(alertsOf(state).sees(), kind) : [] };
  },
});

/** The form of a new target, which asks for its kind first. */
export const newTargetPage = routeOf(newTarget, ({ data: { kind, ...data }, state }) => {
  const shown = { ui: state.ui, place: alertsOf(state).place() };
  if (!kind) return <ChooseKind {...shown} />;
  return <TargetForm {...shown} kind={kind} target={null} {...data} />;
});

const targetPath = (state: State, id: number) =>
  paths.alertTarget(alertsOf(state).place().projectId, id);

/** Returns the id in a page's path, which is below 0 for targets of the settings. */
const targetId = (text = ""): number => /^-[1-9]$/.test(text) ? Number(text) : pageId(text);

/** Returns a target that can be changed, with its kind and the fields of that kind. */
async function findTarget(scope: AlertsScope, { params }: Context<State>) {
  const target = await getTarget(scope, targetId(params.targetId));
  const kind = kindOf(target.kind);
  if (!kind || target.from_environment) throw notFound();
  return { target, kind, fields: targetSettings(scope, kind) };
}

const changedTarget = formPage({
  rights: alertRights,
  find: findTarget,
  shown: ({ target }) => targetFormOf(target),
  parse: (typed, { kind }, { state }) =>
    parseValues(readTarget({ ...typed, kind }, alertsOf(state).place()), targetForm),
  async save({ scope, value, typed, found: { target }, expected }) {
    for (const name of removedSecrets(typed)) value.settings[name] ||= null;
    if (!typed.private_asked) askPrivateTarget(scope, value, target);
    await updateTarget(scope, target.id, value, expected);
  },
  next: ({ value: { name }, found: { target }, ctx: { state, url } }) => [
    afterTarget(alertsOf(state).place(), target.id, ruleIn(url)),
    "flash.alert_targets.saved",
    { name },
  ],
  beside: (_form, _found, { url }) => ({ rule: ruleIn(url) }),
});

/** Returns the rule whose form led to the form of a target; null for none. */
function ruleIn(url: URL): number | "new" | null {
  const rule = url.searchParams.get("rule") ?? "";
  return rule === "new" ? rule : /^[1-9]\d{0,15}$/.test(rule) ? Number(rule) : null;
}

/** The form that changes a target. */
export const editTargetPage = routeOf(
  changedTarget,
  ({ data, state }) => <TargetForm ui={state.ui} place={alertsOf(state).place()} {...data} />,
);

/** The page of a target with its log. */
export const targetPage = routeOf({
  GET: async ({ state, params }) => page(await targetData(state, targetId(params.targetId), null)),
}, TargetView);

/** Sends a test message. Its page shows the result. */
export const testTargetPage = routeOf({
  GET: (ctx) => seeOther(ctx, targetPath(ctx.state, targetId(ctx.params.targetId))),

  async POST({ state, params }) {
    const id = targetId(params.targetId);
    const result = await testTarget(await alertsOf(state).manages(), id);
    return page(await targetData(state, id, result));
  },
}, TargetView);

async function targetData(state: State, id: number, result: TargetTest | null) {
  const scope = alertsOf(state).sees();
  const target = await getTarget(scope, id);
  const [deliveries, rules] = await Promise.all([
    listTargetDeliveries(scope, id),
    listRules(scope),
  ]);
  return { target, hasRule: usedBy(rules).has(id), deliveries, result };
}

type TargetData = Awaited<ReturnType<typeof targetData>>;

function TargetView({ data, state }: { data: TargetData; state: State }) {
  return <TargetPage ui={state.ui} place={alertsOf(state).place()} {...data} />;
}

/** Resumes a paused target. */
export const resumeTarget = routeOf({
  async POST(ctx) {
    const id = targetId(ctx.params.targetId);
    const scope = await alertsOf(ctx.state).manages();
    await resume(scope, id);
    const { name } = await getTarget(scope, id);
    return seeOther(ctx, targetPath(ctx.state, id), "flash.alert_targets.resumed", { name });
  },
});

export const deleteTargetPage = confirmRoute({
  rights: alertRights,
  // Targets of the settings have no such page. A form that is sent anyway says why they stay.
  find: async (scope, ctx) =>
    ctx.req.method === "POST"
      ? { target: await getTarget(scope, targetId(ctx.params.targetId)) }
      : await findTarget(scope, ctx),
  ask: (ui, { target: { id, name } }, state) => ({
    title: ui.t("alert_targets.delete"),
    parts: [name, ui.t("sections.alerts")],
    question: ui.t("alert_targets.question", { name }),
    cancel: targetPath(state, id),
  }),
  act: (scope, { target: { id } }) => deleteTarget(scope, id),
  next: ({ target: { name } }, { state }) => [
    alertsPath(state),
    "flash.alert_targets.deleted",
    { name },
  ],
  refusedStatus: 409,
});
