import { page } from "fresh";
import { RegisterDialog } from "@/components/runners/RegisterDialog.tsx";
import { RunnerForm } from "@/components/runners/RunnerForm.tsx";
import { RunnerPage } from "@/components/runners/RunnerPage.tsx";
import { RunnersPage } from "@/components/runners/RunnersPage.tsx";
import { RunnersTitle } from "@/components/runners/place.tsx";
import { Confirm } from "@/components/ui/Confirm.tsx";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/table_state.ts";
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
import { define, type State } from "@/lib/web/state.ts";
import {
  placementErrors,
  placementValues,
  projectChoices,
  readPlacement,
  runnerCommands,
  type Runners,
} from "./runners.tsx";

/** The list of runners. */
export function listPage(runners: Runners) {
  const handler = define.handlers({
    async GET({ state, url }) {
      const [lists, projects] = await Promise.all([
        readRunners(runners.sees(state)),
        projectChoices(runners, state),
      ]);
      const names = new Map((projects ?? []).map(({ id, name }) => [id, name]));
      return page({ ...lists, projects: names, state: readTableState(url.searchParams) });
    },
  });
  const Page = define.page<typeof handler>(({ data: { version, ...data }, state, url }) => (
    <div id="live" data-live={eventsOf(runners.place(state).projectId, version, state)}>
      <RunnersPage
        ui={state.ui}
        place={runners.place(state)}
        {...data}
        commands={runnerCommands(state, url)}
      />
    </div>
  ));
  return { handler, Page };
}

const eventsOf = (projectId: number | null, version: string, { ui }: State) =>
  `${ui.href(paths.runners(projectId, "/events"))}?since=${version}`;

/** Reports changes of the runners and of their tasks, so that their pages reload. */
export const runnerEvents = (runners: Runners) =>
  define.handlers({
    GET(ctx) {
      const scope = runners.sees(ctx.state);
      return openStream(ctx, (gone, since) => followRunners(scope, since, gone));
    },
  });

/** The page of a runner. */
export function runnerPage(runners: Runners) {
  const handler = define.handlers({
    async GET({ state, params }) {
      const scope = runners.sees(state);
      const [{ runner, version }, projects] = await Promise.all([
        findBusyRunner(scope, pageId(params.runnerId)),
        projectChoices(runners, state),
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
  });
  const Page = define.page<typeof handler>(({ data: { version, ...data }, state }) => {
    const place = runners.place(state);
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
  return { handler, Page };
}

interface Shown {
  form: FormState;
  made?: { id: number; name: string; token: string };
}

/** The form of a new runner. The answer to it shows the registration token once. */
export function newRunnerPage(runners: Runners) {
  const handler = define.handlers({
    async GET({ state }) {
      runners.require(state);
      const form = restoredForm(state) ?? placementValues();
      return page({ form, projects: await projectChoices(runners, state) } as Data);
    },

    async POST({ state, req }) {
      runners.require(state);
      const typed = await readForm(req);
      const form = await saveForm(
        parseValues(readPlacement(typed), runnerForm),
        async (value) => await createRunner(await runners.manages(state), value),
      );
      const projects = await projectChoices(runners, state);
      if (!form.ok) {
        const errors = placementErrors(form.errors);
        return page({ form: { values: typed, errors }, projects } as Data, { status: 422 });
      }
      const { runner: { id, name }, registrationToken } = form.result;
      const made = { id, name, token: registrationToken };
      return page({ form: placementValues(), projects, made } as Data);
    },
  });
  type Data = Shown & { projects: Awaited<ReturnType<typeof projectChoices>> };
  const Page = define.page<typeof handler>(({ data: { form, projects, made }, state, url }) => {
    const shown = { ui: state.ui, place: runners.place(state) };
    if (!made) return <RunnerForm {...shown} runner={null} form={form} projects={projects} />;
    const commands = runnerCommands(state, url);
    return <RegisterDialog {...shown} runner={made} token={made.token} commands={commands} />;
  });
  return { handler, Page };
}

/** The form that changes a runner. */
export function editRunnerPage(runners: Runners) {
  const find = (state: State, id: string) => getRunner(runners.sees(state), pageId(id));
  const stored = (runner: RunnerView) =>
    storedForm(placementValues({ ...runner, labels: runner.tags }).values, versionOf(runner));

  const handler = define.handlers({
    async GET({ state, params }) {
      runners.require(state);
      const runner = await find(state, params.runnerId);
      const form = restoredForm(state) ?? stored(runner);
      return page({ runner, form, projects: await choicesFor(runners, state, runner) });
    },

    async POST(ctx) {
      const { state, req, params } = ctx;
      runners.require(state);
      const runner = await find(state, params.runnerId);
      const typed = withChoices(await readForm(req), stored(runner));
      const expected = expectedOf(typed);
      const form = await saveForm(
        parseValues(readPlacement(typed), runnerForm),
        async (value) =>
          await updateRunner(await runners.manages(state), runner.id, value, expected),
      );
      if (!form.ok) {
        const projects = await choicesFor(runners, state, runner);
        const readNow = async () => stored(await find(state, params.runnerId));
        const errors = placementErrors(form.errors);
        const refused = await refusedForm(typed, errors, readNow);
        return page({ runner, form: refused.form, projects }, { status: refused.status });
      }
      const { projectId } = runners.place(state);
      const { name = runner.name } = typed;
      return seeOther(ctx, paths.runner(projectId, runner.id), "flash.runners.saved", { name });
    },
  });
  const Page = define.page<typeof handler>(({ data, state }) => (
    <RunnerForm ui={state.ui} place={runners.place(state)} {...data} />
  ));
  return { handler, Page };
}

/** An admin may change the runner of a project, which is for that project only. */
const choicesFor = async (
  runners: Runners,
  state: State,
  { project_id }: { project_id: number | null },
) => project_id === null ? await projectChoices(runners, state) : null;

/** Pauses, drains or resumes a runner. */
export const runnerStateHandlers = (runners: Runners) =>
  define.handlers({
    async POST(ctx) {
      const { state, req, params } = ctx;
      const id = pageId(params.runnerId);
      const scope = await runners.manages(state);
      const { state: wanted } = parseWith(runnerStateBody, await readForm(req));
      await setRunnerState(scope, id, wanted);
      const { name } = await getRunner(scope, id);
      const { projectId } = runners.place(state);
      return seeOther(ctx, paths.runner(projectId, id), `flash.runners.${wanted}`, { name });
    },
  });

/** Creates a registration token, which only the answer shows. */
export function runnerTokenPage(runners: Runners) {
  const handler = define.handlers({
    GET: (ctx) => {
      const { projectId } = runners.place(ctx.state);
      const path = paths.runner(projectId, pageId(ctx.params.runnerId));
      return ctx.redirect(ctx.state.ui.href(path), 303);
    },

    async POST({ state, params }) {
      const scope = await runners.manages(state);
      const id = pageId(params.runnerId);
      const { token } = await newRegistrationToken(scope, id);
      return page({ runner: await getRunner(scope, id), token });
    },
  });
  const Page = define.page<typeof handler>(({ data, state, url }) => (
    <RegisterDialog
      ui={state.ui}
      place={runners.place(state)}
      {...data}
      commands={runnerCommands(state, url)}
    />
  ));
  return { handler, Page };
}

/** Asks for confirmation before a runner is revoked or deleted. */
export function endRunnerPage(runners: Runners, part: "revoke" | "delete") {
  const handler = define.handlers({
    async GET({ state, params }) {
      runners.require(state);
      return page({ runner: await getRunner(runners.sees(state), pageId(params.runnerId)) });
    },

    async POST(ctx) {
      const { state, params } = ctx;
      const scope = await runners.manages(state);
      const { id, name } = await getRunner(scope, pageId(params.runnerId));
      await (part === "revoke" ? revokeRunner(scope, id) : deleteRunner(scope, id));
      const { projectId } = runners.place(state);
      const next = part === "revoke" ? paths.runner(projectId, id) : paths.runners(projectId);
      return seeOther(ctx, next, `flash.runners.${part}`, { name });
    },
  });
  const Page = define.page<typeof handler>(({ data: { runner }, state: { ui, ...state } }) => {
    const place = runners.place({ ui, ...state });
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
  return { handler, Page };
}
