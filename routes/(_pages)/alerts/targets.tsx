import { page } from "fresh";
import { AlertsPage } from "@/components/alerts/AlertsPage.tsx";
import { ChooseKind } from "@/components/alerts/ChooseKind.tsx";
import { AlertsTitle } from "@/components/alerts/place.tsx";
import { TargetForm } from "@/components/alerts/TargetForm.tsx";
import { TargetPage } from "@/components/alerts/TargetPage.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { listRules } from "@/lib/alerts/rules/service.ts";
import { TARGET_KINDS, type TargetKind } from "@/lib/alerts/schema.ts";
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
import { expectedOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import { alertsOf, readTarget, removedSecrets, targetFormOf } from "./alerts.ts";

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
  return { targets, rules, feed, latest: await latestDeliveries(scope, targets) };
}

/** Returns a kind that the form of a new target was opened for; null for another text. */
const kindOf = (text = ""): TargetKind | null => TARGET_KINDS.find((kind) => kind === text) ?? null;

/** The form of a new target, which asks for its kind first. */
export const newTargetPage = routeOf({
  GET({ state, url }) {
    const kept = restoredForm(state);
    const kind = kindOf(kept?.values.kind ?? url.searchParams.get("kind") ?? "");
    const form = kept ?? newForm({ active: true, language: state.ui.language });
    return page(formData(state, kind, form));
  },

  async POST(ctx) {
    const { state, req } = ctx;
    const alerts = alertsOf(state);
    const place = alerts.place();
    const typed = await readForm(req);
    const kind = kindOf(typed.kind);
    const form = await saveForm(
      parseValues(readTarget(typed, place), targetForm),
      async (value) => await createTarget(await alerts.manages(), value),
    );
    if (!form.ok) {
      return page(formData(state, kind, { values: typed, errors: form.errors }), { status: 422 });
    }
    const { id, name } = form.result;
    const next = paths.alertTarget(place.projectId, id);
    return seeOther(ctx, next, "flash.alert_targets.created", { name });
  },
}, ({ data: { kind, ...data }, state }) => {
  const shown = { ui: state.ui, place: alertsOf(state).place() };
  if (!kind) return <ChooseKind {...shown} />;
  return <TargetForm {...shown} kind={kind} target={null} {...data} />;
});

function formData(state: State, kind: TargetKind | null, form: FormState) {
  const scope = alertsOf(state).sees();
  return { kind, form, fields: kind ? targetSettings(scope, kind) : [] };
}

/** Returns the id in a page's path, which is below 0 for targets of the settings. */
const targetId = (text = ""): number => /^-[1-9]$/.test(text) ? Number(text) : pageId(text);

/** Returns a target that can be changed, with its kind and the fields of that kind. */
async function findTarget(state: State, id: string) {
  const scope = alertsOf(state).sees();
  const target = await getTarget(scope, targetId(id));
  const kind = kindOf(target.kind);
  if (!kind || target.from_environment) throw notFound();
  return { target, kind, fields: targetSettings(scope, kind) };
}

/** The form that changes a target. */
export const editTargetPage = routeOf({
  async GET({ state, params }) {
    const found = await findTarget(state, params.targetId);
    return page({ ...found, form: restoredForm(state) ?? targetFormOf(found.target) });
  },

  async POST(ctx) {
    const { state, req, params } = ctx;
    const alerts = alertsOf(state);
    const place = alerts.place();
    const found = await findTarget(state, params.targetId);
    const { target: { id }, kind } = found;
    const typed = withChoices(await readForm(req), targetFormOf(found.target));
    const values = readTarget({ ...typed, kind }, place);
    const form = await saveForm(parseValues(values, targetForm), async (value) => {
      for (const name of removedSecrets(typed)) value.settings[name] ||= null;
      await updateTarget(await alerts.manages(), id, value, expectedOf(typed));
      return value;
    });
    if (!form.ok) {
      const readNow = async () => targetFormOf((await findTarget(state, params.targetId)).target);
      const refused = await refusedForm(typed, form.errors, readNow);
      return page({ ...found, form: refused.form }, { status: refused.status });
    }
    const { name } = form.result;
    const next = paths.alertTarget(place.projectId, id);
    return seeOther(ctx, next, "flash.alert_targets.saved", { name });
  },
}, ({ data, state }) => <TargetForm ui={state.ui} place={alertsOf(state).place()} {...data} />);

/** The page of a target with its log. */
export const targetPage = routeOf({
  GET: async ({ state, params }) => page(await targetData(state, targetId(params.targetId), null)),
}, TargetView);

/** Sends a test message. Its page shows the result. */
export const testTargetPage = routeOf({
  GET(ctx) {
    const { projectId } = alertsOf(ctx.state).place();
    return seeOther(ctx, paths.alertTarget(projectId, targetId(ctx.params.targetId)));
  },

  async POST({ state, params }) {
    const id = targetId(params.targetId);
    const result = await testTarget(await alertsOf(state).manages(), id);
    return page(await targetData(state, id, result));
  },
}, TargetView);

async function targetData(state: State, id: number, result: TargetTest | null) {
  const scope = alertsOf(state).sees();
  const target = await getTarget(scope, id);
  return { target, deliveries: await listTargetDeliveries(scope, id), result };
}

type TargetData = Awaited<ReturnType<typeof targetData>>;

function TargetView({ data, state }: { data: TargetData; state: State }) {
  return <TargetPage ui={state.ui} place={alertsOf(state).place()} {...data} />;
}

/** Resumes a paused target. */
export const resumeTarget = routeOf({
  async POST(ctx) {
    const alerts = alertsOf(ctx.state);
    const id = targetId(ctx.params.targetId);
    const scope = await alerts.manages();
    await resume(scope, id);
    const { name } = await getTarget(scope, id);
    const next = paths.alertTarget(alerts.place().projectId, id);
    return seeOther(ctx, next, "flash.alert_targets.resumed", { name });
  },
});

/** Asks for confirmation before a target is deleted. */
export const deleteTargetPage = routeOf({
  async GET({ state, params }) {
    const { target } = await findTarget(state, params.targetId);
    return page({ target, form: newForm() });
  },

  async POST(ctx) {
    const { state, params } = ctx;
    const alerts = alertsOf(state);
    const scope = await alerts.manages();
    const target = await getTarget(scope, targetId(params.targetId));
    const form = await saveForm(
      { ok: true, value: target, values: {}, errors: {} },
      ({ id }) => deleteTarget(scope, id),
    );
    if (!form.ok) return page({ target, form }, { status: 409 });
    const { name } = target;
    const next = paths.alerts(alerts.place().projectId);
    return seeOther(ctx, next, "flash.alert_targets.deleted", { name });
  },
}, ({ data: { target: { id, name }, form }, state }) => {
  const { ui } = state;
  const place = alertsOf(state).place();
  const title = ui.t("alert_targets.delete");
  return (
    <>
      <AlertsTitle ui={ui} place={place} parts={[title, name]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("alert_targets.question", { name })}
        action={ui.href(paths.alertTarget(place.projectId, id, "/delete"))}
        cancel={ui.href(paths.alertTarget(place.projectId, id))}
        yes={ui.t("actions.delete")}
        form={form}
      />
    </>
  );
});
