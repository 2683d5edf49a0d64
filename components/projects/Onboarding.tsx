import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import type { FirstStep, FirstSteps } from "../../lib/maintenance/first_steps/service.ts";

interface OnboardingProps {
  ui: Ui;
  projectId: number;
  steps: FirstSteps;
}

/** Steps without a prerequisite. A template needs the others, and a task needs a template. */
const ANYTIME: FirstStep[] = ["keys", "repositories", "inventory", "schedules", "team", "alerts"];

/**
 * Guides a new project to its first task and on from there: the purpose of each step, which are
 * done, and the next one.
 */
export function Onboarding({ ui, projectId, steps: first }: OnboardingProps) {
  const { part, steps, current } = first;
  const done = steps.filter(({ done }) => done).length;
  return (
    <section id="first-steps" class="first-steps" aria-labelledby="first-steps-title">
      <div class="first-steps-head">
        <h2 id="first-steps-title">{ui.t(`first_steps.${part}`)}</h2>
        {steps.length > 1 && <p>{ui.t("first_steps.done", { count: done, of: steps.length })}</p>}
        <form method="post" action={ui.href(paths.firstSteps(projectId))}>
          <Button kind="quiet" data-stay>{ui.t("first_steps.hide")}</Button>
        </form>
      </div>
      <ol>
        {steps.map(({ step, done }, n) => (
          <li
            key={n}
            class={done ? "is-done" : ""}
            aria-current={step === current ? "step" : undefined}
          >
            <span class="first-step-mark" aria-hidden="true">
              {done ? <Icon name="check" /> : n + 1}
            </span>
            <div>
              <h3>
                {ui.t(`first_steps.${step}.title`)}
                {done && <span class="sr-only">{` (${ui.t("first_steps.is_done")})`}</span>}
              </h3>
              <p>{ui.t(`first_steps.${step}.about`)}</p>
            </div>
            {!done && (step === current || ANYTIME.includes(step)) && (
              <ButtonLink
                kind={step === current ? "primary" : "secondary"}
                icon={step === "run" ? "play" : "plus"}
                href={ui.href(wayOf(step, projectId, first))}
                over={step !== "run"}
              >
                {ui.t(`first_steps.${step}.button`)}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function wayOf(
  step: FirstStep,
  projectId: number,
  { templateId, hasTarget }: FirstSteps,
): string {
  // Each step returns to the list of steps. The last one leads to the state of its targets.
  const back = `?back=${encodeURIComponent(paths.section(projectId, "history"))}`;
  switch (step) {
    case "templates":
      return paths.editTemplate(projectId, "new") + back;
    case "run":
      return templateId === null
        ? paths.templates(projectId, null)
        : paths.startTask(projectId, templateId);
    case "schedules":
      return paths.schedule(projectId, "new") + back;
    case "alerts":
      return hasTarget ? paths.alertRule(projectId, "new") : paths.alertTarget(projectId, "new");
  }
  return paths.item(projectId, step, "new") + back;
}
