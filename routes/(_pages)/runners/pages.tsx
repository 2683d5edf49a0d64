import { page } from "fresh";
import { RegisterDialog } from "@/components/runners/RegisterDialog.tsx";
import { type ProjectChoice, RunnerForm } from "@/components/runners/RunnerForm.tsx";
import { RunnerPage } from "@/components/runners/RunnerPage.tsx";
import { RunnersPage } from "@/components/runners/RunnersPage.tsx";
import { RunnersTitle } from "@/components/runners/place.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
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
import { type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { expectedOf, refusedForm, storedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import {
  placementErrors,
  placementValues,
  readPlacement,
  runnerCommands,
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
}, ({ data: { version, ...data }, state, url }) => {
  const { place } = runnersOf(state);
  return (
    <div id="live" data-live={eventsOf(place.projectId, version, state)}>
      <RunnersPage ui={state.ui} place={place} {...data} commands={runnerCommands(state, url)} />
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

interface NewRunner {
  form: FormState;
  projects: ProjectChoice[] | null;
  made?: { id: number; name: string; token: string };
}

/** The form of a new runner. The answer to it shows the registration token once. */
export const newRunnerPage = routeOf({
  async GET({ state }) {
    const runners = runnersOf(state);
    runners.require();
    const form = restoredForm(state) ?? placementValues();
    return page<NewRunner>({ form, projects: await runners.projectChoices() });
  },

  async POST({ state, req }) {
    const runners = runnersOf(state);
    runners.require();
    const typed = await readForm(req);
    const form = await saveForm(
      parseValues(readPlacement(typed), runnerForm),
      async (value) => await createRunner(await runners.manages(), value),
    );
    const projects = await runners.projectChoices();
    if (!form.ok) {
      const errors = placementErrors(form.errors);
      return page<NewRunner>({ form: { values: typed, errors }, projects }, { status: 422 });
    }
    const { runner: { id, name }, registrationToken } = form.result;
    const made = { id, name, token: registrationToken };
    return page<NewRunner>({ form: placementValues(), projects, made });
  },
}, ({ data: { form, projects, made }, state, url }) => {
  const shown = { ui: state.ui, place: runnersOf(state).place };
  if (!made) return <RunnerForm {...shown} runner={null} form={form} projects={projects} />;
  const commands = runnerCommands(state, url);
  return <RegisterDialog {...shown} runner={made} token={made.token} commands={commands} />;
});

const stored = (runner: RunnerView) =>
  storedForm(placementValues({ ...runner, labels: runner.tags }).values, versionOf(runner));

const findRunner = (state: State, id = "") => getRunner(runnersOf(state).sees(), pageId(id));

/** The form that changes a runner. */
export const editRunnerPage = routeOf({
  async GET({ state, params }) {
    runnersOf(state).require();
    const runner = await findRunner(state, params.runnerId);
    const form = restoredForm(state) ?? stored(runner);
    return page({ runner, form, projects: await choicesFor(state, runner) });
  },

  async POST(ctx) {
    const { state, req, params } = ctx;
    const runners = runnersOf(state);
    runners.require();
    const runner = await findRunner(state, params.runnerId);
    const typed = withChoices(await readForm(req), stored(runner));
    const expected = expectedOf(typed);
    const form = await saveForm(
      parseValues(readPlacement(typed), runnerForm),
      async (value) => await updateRunner(await runners.manages(), runner.id, value, expected),
    );
    if (!form.ok) {
      const projects = await choicesFor(state, runner);
      const readNow = async () => stored(await findRunner(state, params.runnerId));
      const errors = placementErrors(form.errors);
      const refused = await refusedForm(typed, errors, readNow);
      return page({ runner, form: refused.form, projects }, { status: refused.status });
    }
    const { name = runner.name } = typed;
    const next = paths.runner(runners.place.projectId, runner.id);
    return seeOther(ctx, next, "flash.runners.saved", { name });
  },
}, ({ data, state }) => <RunnerForm ui={state.ui} place={runnersOf(state).place} {...data} />);

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
    commands={runnerCommands(state, url)}
  />
));

/** Asks for confirmation before a runner is revoked or deleted. */
const endRunnerPage = (part: "revoke" | "delete") =>
  routeOf({
    async GET({ state, params }) {
      runnersOf(state).require();
      return page({ runner: await findRunner(state, params.runnerId) });
    },

    async POST(ctx) {
      const { state, params } = ctx;
      const runners = runnersOf(state);
      const scope = await runners.manages();
      const { id, name } = await getRunner(scope, pageId(params.runnerId));
      await (part === "revoke" ? revokeRunner(scope, id) : deleteRunner(scope, id));
      const { projectId } = runners.place;
      const next = part === "revoke" ? paths.runner(projectId, id) : paths.runners(projectId);
      return seeOther(ctx, next, `flash.runners.${part}`, { name });
    },
  }, ({ data: { runner }, state }) => {
    const { ui } = state;
    const { place } = runnersOf(state);
    const title = ui.t(`runners.${part}_title`);
    return (
      <>
        <RunnersTitle ui={ui} place={place} parts={[title, runner.name]} />
        <Confirm
          ui={ui}
          title={title}
          question={ui.t(`runners.${part}_question`, { name: runner.name })}
          action={ui.href(paths.runner(place.projectId, runner.id, `/${part}`))}
          cancel={ui.href(paths.runner(place.projectId, runner.id))}
          yes={title}
        />
      </>
    );
  });

export const revokeRunnerPage = endRunnerPage("revoke");
export const deleteRunnerPage = endRunnerPage("delete");
