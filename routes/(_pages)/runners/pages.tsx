import { page } from "fresh";
import { RegisterDialog } from "@/components/runners/RegisterDialog.tsx";
import { RunnerForm } from "@/components/runners/RunnerForm.tsx";
import { RunnerPage } from "@/components/runners/RunnerPage.tsx";
import { RunnersPage } from "@/components/runners/RunnersPage.tsx";
import { RunnerWait } from "@/components/runners/RunnerWait.tsx";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { versionOf } from "@/lib/base/version.ts";
import { runnerForm, runnerStateBody, type RunnerView } from "@/lib/runners/schema.ts";
import {
  createRunner,
  deleteRunner,
  getRunner,
  newRegistrationToken,
  revokeRunner,
  setRunnerState,
  updateRunner,
} from "@/lib/runners/service.ts";
import {
  findBusyRunner,
  followRunners,
  listRunnerTasks,
  readRunners,
} from "@/lib/uses/runner_tasks.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { storedForm } from "@/lib/web/forms/conflict.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import { confirmRoute } from "../confirm_page.tsx";
import {
  placementErrors,
  placementValues,
  readPlacement,
  runnerInstall,
  runnerRights,
  runnersOf,
} from "./runners.ts";

/** The list of runners. */
export const listPage = routeOf({
  async GET({ state, url }) {
    const runners = runnersOf(state);
    const [lists, projects] = await Promise.all([
      readRunners(runners.sees()),
      runners.projectChoices(),
    ]);
    const names = new Map((projects ?? []).map(({ id, name }) => [id, name]));
    return page({ ...lists, projects: names, state: readTableState(url.searchParams) });
  },
}, ({ data: { version, ...data }, state }) => {
  const { place } = runnersOf(state);
  return (
    <div id="live" data-live={eventsOf(place.projectId, version, state)}>
      <RunnersPage ui={state.ui} place={place} {...data} />
    </div>
  );
});

const eventsOf = (projectId: number | null, version: string, { ui }: State) =>
  `${ui.href(paths.runners(projectId, "/events"))}?since=${version}`;

/** Reports changes of the runners and of their tasks, so that their pages reload. */
export const runnerEvents = routeOf({
  GET(ctx) {
    const scope = runnersOf(ctx.state).sees();
    return openStream(ctx, (gone, since) => followRunners(scope, since, gone));
  },
});

/** The page of a runner. */
export const runnerPage = routeOf({
  async GET({ state, params }) {
    const runners = runnersOf(state);
    const scope = runners.sees();
    const [{ runner, version }, projects] = await Promise.all([
      findBusyRunner(scope, pageId(params.runnerId)),
      runners.projectChoices(),
    ]);
    const names = (projects ?? []).filter(({ id }) => runner.project_ids.includes(id))
      .map(({ name }) => name);
    return page({
      runner,
      version,
      tasks: await listRunnerTasks(scope, runner),
      projects: names,
    });
  },
}, ({ data: { version, ...data }, state }) => {
  const { place } = runnersOf(state);
  // Managers of a project do not change the runners of the server.
  const mayManage = place.mayManage &&
    (place.projectId === null || data.runner.project_id === place.projectId);
  return (
    <div id="live" data-live={eventsOf(place.projectId, version, state)}>
      <RunnerPage
        ui={state.ui}
        place={{ ...place, mayManage }}
        {...data}
        now={state.deps.clock.now()}
      />
    </div>
  );
});

/** Streams whether a runner has connected, for the dialog that waits for it. */
export const runnerConnection = routeOf({
  GET(ctx) {
    const { ui } = ctx.state;
    const { place, sees } = runnersOf(ctx.state);
    const scope = sees();
    const id = pageId(ctx.params.runnerId);
    return openStream(ctx, (gone) => followRunners(scope, "", gone), {
      async events() {
        const { runner } = await findBusyRunner(scope, id);
        return htmlEvents(ui, [RunnerWait({ ui, projectId: place.projectId, runner })]);
      },
    });
  },
});

const newRunner = formPage({
  rights: runnerRights,
  find: () => ({}),
  shown: () => placementValues(),
  parse: (typed) => parseValues(readPlacement(typed), runnerForm),
  errorsAt: placementErrors,
  save: ({ scope, value }) => createRunner(scope, value),
  next: ({ result: { runner: { id, name }, registrationToken: token } }) => ({
    form: placementValues(),
    extra: { id, name, token },
  }),
  beside: async (_form, _found, { state }, made?: { id: number; name: string; token: string }) => ({
    projects: await runnersOf(state).projectChoices(),
    made,
  }),
});

/** The form of a new runner. The answer to it shows the registration token once. */
export const newRunnerPage = routeOf(newRunner, ({ data, state, url }) => {
  const { form, projects, made } = data;
  const shown = { ui: state.ui, place: runnersOf(state).place };
  if (!made) return <RunnerForm {...shown} runner={null} form={form} projects={projects} />;
  const runner = { ...made, online: false };
  const install = runnerInstall(state, url);
  return <RegisterDialog {...shown} runner={runner} token={made.token} install={install} />;
});

const changedRunner = formPage({
  rights: runnerRights,
  find: async (scope, { params }) => ({ runner: await getRunner(scope, pageId(params.runnerId)) }),
  shown: ({ runner }) =>
    storedForm(placementValues({ ...runner, labels: runner.tags }).values, versionOf(runner)),
  parse: (typed) => parseValues(readPlacement(typed), runnerForm),
  errorsAt: placementErrors,
  save: ({ scope, value, found: { runner }, expected }) =>
    updateRunner(scope, runner.id, value, expected),
  next: ({ typed, found: { runner }, ctx: { state } }) => [
    paths.runner(runnersOf(state).place.projectId, runner.id),
    "flash.runners.saved",
    { name: typed.name ?? runner.name },
  ],
  beside: async (_form, { runner }, { state }) => ({ projects: await choicesFor(state, runner) }),
});

/** The form that changes a runner. */
export const editRunnerPage = routeOf(
  changedRunner,
  ({ data, state }) => <RunnerForm ui={state.ui} place={runnersOf(state).place} {...data} />,
);

/** An admin may change the runner of a project, which is for that project only. */
const choicesFor = async (state: State, { project_id }: RunnerView) =>
  project_id === null ? await runnersOf(state).projectChoices() : null;

/** Pauses, drains or resumes a runner. */
export const changeState = routeOf({
  async POST(ctx) {
    const { state, req, params } = ctx;
    const runners = runnersOf(state);
    const id = pageId(params.runnerId);
    const scope = await runners.manages();
    const { state: wanted } = parseWith(runnerStateBody, await readForm(req));
    await setRunnerState(scope, id, wanted);
    const { name } = await getRunner(scope, id);
    const next = paths.runner(runners.place.projectId, id);
    return seeOther(ctx, next, `flash.runners.${wanted}`, { name });
  },
});

/** Creates a registration token, which only the answer shows. */
export const registrationPage = routeOf({
  GET: (ctx) =>
    seeOther(ctx, paths.runner(runnersOf(ctx.state).place.projectId, pageId(ctx.params.runnerId))),

  async POST({ state, params }) {
    const scope = await runnersOf(state).manages();
    const id = pageId(params.runnerId);
    const { token } = await newRegistrationToken(scope, id);
    return page({ runner: await getRunner(scope, id), token });
  },
}, ({ data, state, url }) => (
  <RegisterDialog
    ui={state.ui}
    place={runnersOf(state).place}
    {...data}
    install={runnerInstall(state, url)}
  />
));

/** Asks for confirmation before a runner is revoked or deleted. */
const endRunnerPage = (part: "revoke" | "delete") =>
  confirmRoute({
    rights: runnerRights,
    find: (scope, { params }) => getRunner(scope, pageId(params.runnerId)),
    ask(ui, { id, name }, state) {
      const title = ui.t(`runners.${part}_title`);
      return {
        title,
        parts: [name, ui.t("runners.title")],
        question: ui.t(`runners.${part}_question`, { name }),
        cancel: paths.runner(runnersOf(state).place.projectId, id),
        yes: title,
      };
    },
    act: (scope, { id }) => part === "revoke" ? revokeRunner(scope, id) : deleteRunner(scope, id),
    next({ id, name }, { state }) {
      const { projectId } = runnersOf(state).place;
      const next = part === "revoke" ? paths.runner(projectId, id) : paths.runners(projectId);
      return [next, `flash.runners.${part}`, { name }];
    },
  });

export const revokeRunnerPage = endRunnerPage("revoke");
export const deleteRunnerPage = endRunnerPage("delete");
