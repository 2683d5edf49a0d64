import type { Sentence } from "../base/errors.ts";
import { labelOf, linksOf } from "./definition.ts";
import type { After, Step } from "./schema.ts";
import { type FinalState, isEnded, type StepState } from "./step_state.ts";

/** The state of a step, as far as others depend on it. */
interface StepFacts {
  state: StepState;
  /** Whether a successful task changed at least one host. */
  changed?: boolean;
  /** See `failuresBefore`. */
  handles?: readonly number[];
  /** Approvals that are asked for again. The step starts only once they have succeeded. */
  needs?: readonly number[];
}

/** Facts of all steps, by their ids. */
export type Facts = Record<number, StepFacts>;

interface Decision {
  /** Steps to start, in their order in the list. */
  start: number[];
  /** Steps that will never start. */
  skip: { id: number; reason: Sentence }[];
  /** Result of the run, once all steps have ended. */
  end: "success" | "failed" | null;
}

/**
 * Decides how a run goes on, from its definition and the states of its steps. Skips are followed to
 * the end, so that the caller may store all of them together.
 */
export function decideRun(steps: readonly Step[], facts: Facts): Decision {
  const links = linksOf(steps);
  const byId = new Map(steps.map((step) => [step.id, step]));
  const known: Facts = { ...facts };
  const skip: Decision["skip"] = [];
  for (let before = -1; before < skip.length;) {
    before = skip.length;
    for (const { id, join } of steps) {
      if (known[id].state !== "pending") continue;
      const dead = deadLink("all", neededBy(known[id]), known) ??
        deadLink(join, links.get(id)!, known);
      if (!dead) continue;
      known[id] = { state: "skipped" };
      skip.push({ id, reason: reasonOf(dead, byId.get(dead.step)!, known[dead.step]) });
    }
  }
  const start = steps.filter(({ id, join }) =>
    known[id].state === "pending" && mayStart("all", neededBy(known[id]), known) &&
    mayStart(join, links.get(id)!, known)
  );
  return { start: start.map(({ id }) => id), skip, end: endOf(steps, known) };
}

const neededBy = ({ needs = [] }: StepFacts): After[] =>
  needs.map((step) => ({ step, when: "success" }));

/** Whether a link lets its step start, never will, or is not decided. */
function linkState({ step, when }: After, facts: Facts): "open" | "satisfied" | "dead" {
  const { state, changed = false } = facts[step];
  if (!isEnded(state)) return "open";
  return isMet[when](state, changed) ? "satisfied" : "dead";
}

const isMet: Record<After["when"], (state: FinalState, changed: boolean) => boolean> = {
  success: (state) => state === "success",
  changed: (state, changed) => state === "success" && changed,
  failure: (state) => state === "failed",
  always: (state) => state === "success" || state === "failed",
};

function mayStart(join: Step["join"], links: After[], facts: Facts): boolean {
  const isSatisfied = (link: After) => linkState(link, facts) === "satisfied";
  return join === "any" && links.length > 0 ? links.some(isSatisfied) : links.every(isSatisfied);
}

/** Returns the link because of which a step never starts, if there is one. */
function deadLink(join: Step["join"], links: After[], facts: Facts): After | undefined {
  const dead = links.filter((link) => linkState(link, facts) === "dead");
  return join === "any" && dead.length < links.length ? undefined : dead[0];
}

/** Returns why the link from a step is dead. */
const reasonOf = ({ when }: After, step: Step, { state }: StepFacts): Sentence => ({
  key: `workflows.source.${when === "changed" && state === "success" ? "unchanged" : state}`,
  params: { name: labelOf(step) },
});

function endOf(steps: readonly Step[], facts: Facts): Decision["end"] {
  if (!steps.every(({ id }) => isEnded(facts[id].state))) return null;
  return unhandled(steps, facts).length > 0 ? "failed" : "success";
}

/**
 * Returns the failed steps because of which a step starts. It handles these failures if it
 * succeeds, but none that follows while it runs, as one may if the step needs only one condition.
 */
export const failuresBefore = (steps: readonly Step[], id: number, facts: Facts): number[] =>
  linksOf(steps).get(id)!.flatMap(({ step, when }) =>
    when === "failure" && facts[step].state === "failed" ? step : []
  );

/** Returns the steps that failed or were stopped, unless a later step has handled the failure. */
function unhandled(steps: readonly Step[], facts: Facts): Step[] {
  const handled = new Set(
    steps.flatMap(({ id }) => facts[id].state === "success" ? facts[id].handles ?? [] : []),
  );
  return steps.filter(({ id }) =>
    facts[id].state === "stopped" || facts[id].state === "failed" && !handled.has(id)
  );
}

/** Returns the first step because of which a run failed. */
export const failedStep = (steps: readonly Step[], facts: Facts): Step | undefined =>
  unhandled(steps, facts)[0];
