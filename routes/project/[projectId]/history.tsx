import { page } from "fresh";
import { DashboardTabs } from "@/components/projects/DashboardTabs.tsx";
import { HistoryFilter, isFiltered } from "@/components/projects/HistoryFilter.tsx";
import { HistoryEmpty } from "@/components/projects/HistoryEmpty.tsx";
import { HistoryTable } from "@/components/projects/HistoryTable.tsx";
import { Onboarding } from "@/components/projects/Onboarding.tsx";
import { Overview } from "@/components/projects/Overview.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { searchOf } from "@/lib/base/lists/list_query.ts";
import { define } from "@/lib/web/state.ts";
import { positionInTasks } from "@/lib/tasks/history/position.ts";
import { readDays } from "@/lib/tasks/trends/service.ts";
import { paths } from "@/lib/base/paths.ts";
import { firstSteps } from "@/lib/maintenance/first_steps/service.ts";
import { listRunnerNames } from "@/lib/runners/service.ts";
import { listStartingPeople } from "@/lib/tasks/people.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { listQuestions } from "@/lib/workflows/runs/asking.ts";
import { listWorkflowNames } from "@/lib/workflows/service.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { areStepsHidden, hideSteps } from "@/lib/web/pages/hidden_steps.ts";
import { rememberVisit, visitAt } from "@/lib/web/pages/last_shown.ts";
import { liveUrl } from "@/lib/web/pages/live.ts";
import { may } from "@/lib/web/shell.ts";
import {
  filterOf,
  HISTORY_LIST,
  mayDeleteTasks,
  PAGE_TASKS,
  readBefore,
  readHistoryQuery,
} from "@/routes/(_pages)/history.ts";
import { wordsFor } from "@/lib/base/lists/find_choice.ts";
import { loadOverview } from "@/routes/(_pages)/overview.ts";

export const handler = define.handlers({
  async GET({ state, url, req }) {
    const { scope, deps, ui } = state;
    const before = readBefore(url.searchParams);
    const isFirst = before === undefined;
    const [templates, people, runners, workflows, overview, questions, days] = await Promise.all([
      outlinesByName(scope, ui.language),
      listStartingPeople(scope),
      listRunnerNames(scope),
      listWorkflowNames(scope),
      isFirst ? loadOverview(scope) : null,
      isFirst ? listQuestions(scope) : [],
      isFirst ? readDays(scope, ui.timeZone) : [],
    ]);
    const query = readHistoryQuery(url.searchParams);
    // A deleted template has no tasks left to filter.
    if (!templates.some(({ id }) => id === query.template)) delete query.template;
    const filter = { ...filterOf(query, ui.timeZone), limit: PAGE_TASKS, before };
    const visit = visitAt(req.headers, deps.clock.now());
    const headers = new Headers();
    const { projectId } = scope;
    rememberVisit(req.headers, headers, deps.config, url, { projectId, ...visit });
    const [list, position, steps] = await Promise.all([
      listStartedTasks(scope, filter),
      positionInTasks(scope, filter),
      !isFirst || areStepsHidden(req.headers) ? null : firstSteps(scope),
    ]);
    // From now on, no page of this browser reads them.
    if (steps?.current === null) hideSteps(headers, deps.config, url, projectId);
    const beside = {
      query,
      templates,
      people,
      runners,
      workflows,
      overview,
      questions,
      days,
      visit,
      steps: steps?.current ? steps : null,
    };
    return page({ ...list, position, before, ...beside }, { headers });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell, deps } = state;
  const { tasks, hasNext, next, position, before, query, ...beside } = data;
  const { overview, questions, days, visit, steps, ...choices } = beside;
  const projectId = shell.project.id;
  const shown = {
    ui,
    projectId,
    now: deps.clock.now(),
    query: searchOf({ ...query, before }),
    mayRun: may(shell, "run_tasks"),
    mayApprove: may(shell, "approve_tasks"),
    mayDelete: mayDeleteTasks(state),
  };
  const live = searchOf({ ...query, before, seen: visit.since });
  const guide = steps && <Onboarding ui={ui} projectId={projectId} steps={steps} />;
  return (
    <>
      <Title ui={ui} parts={[ui.t("dashboard.history"), shell.project.name]} />
      <DashboardTabs ui={ui} shell={shell} current="history" />
      {steps?.part === "first" && guide}
      <div id="live" data-live={liveUrl(state, paths.historyEvents(projectId), live)}>
        {overview && <Overview {...shown} {...{ overview, questions, days }} since={visit.since} />}
        {(isFiltered(query) || tasks.length > 0) && (
          <HistoryFilter
            ui={ui}
            action={url.pathname}
            query={query}
            words={wordsFor(url, "template")}
            {...choices}
          />
        )}
        <HistoryTable
          {...shown}
          tasks={tasks}
          live={before ? undefined : { id: HISTORY_LIST, limit: PAGE_TASKS }}
          empty={<HistoryEmpty ui={ui} clear={url.pathname} query={query} {...choices} />}
        />
      </div>
      <NewestFirst
        {...{ ui, hasNext, next, position }}
        path={url.pathname}
        query={searchOf(query)}
        isFirst={!before}
        rows={tasks}
      />
      {steps?.part === "next" && guide}
    </>
  );
});
