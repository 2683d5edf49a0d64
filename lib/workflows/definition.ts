import { AppError, type Sentence } from "../base/errors.ts";
import type { SurveyVar } from "../surveys/schema.ts";
import type { After, Step, ValueMapping } from "./schema.ts";

/** Returns the conditions of each step, with the default filled in. */
export function linksOf(steps: readonly Step[]): Map<number, After[]> {
  return new Map(steps.map(({ id, after }, n) => {
    const above: After[] = n === 0 ? [] : [{ step: steps[n - 1].id, when: "success" }];
    return [id, after ?? above];
  }));
}

/** Returns the steps that each step waits for, directly or through others, by its id. */
export function ancestorsOf(steps: readonly Step[]): Map<number, Set<number>> {
  const links = linksOf(steps);
  const found = new Map<number, Set<number>>();
  const visit = (id: number): Set<number> => {
    const known = found.get(id);
    if (known) return known;
    const before = new Set<number>();
    found.set(id, before);
    for (const { step } of links.get(id) ?? []) {
      before.add(step);
      for (const earlier of visit(step)) before.add(earlier);
    }
    return before;
  };
  for (const { id } of steps) visit(id);
  return found;
}

/** The name of a step in sentences. */
export const labelOf = ({ name, kind }: Pick<Step, "name" | "kind">): string | Sentence =>
  name || { key: `workflows.kind.${kind}` };

/**
 * Returns the steps with ids that are unique in the workflow and never used again. Ids of `stored`
 * steps stay. References to the others are rewritten. Throws 400 for an id that is sent twice.
 */
export function withIds(
  sent: readonly Step[],
  stored: readonly Step[],
  nextId: number,
): { steps: Step[]; next_step_id: number } {
  const known = new Set(stored.map(({ id }) => id));
  const ids = new Map<number, number>();
  const fields: Record<string, Sentence> = {};
  const own = sent.map(({ id }, n) => {
    if (id !== 0 && ids.has(id)) fields[`steps.${n}.id`] = { key: "errors.workflows.same_id" };
    const kept = known.has(id) ? id : nextId++;
    if (id !== 0) ids.set(id, kept);
    return kept;
  });
  refuse(fields);
  // An unknown id stays unknown: below 0, where no step is.
  const mapped = (id: number) => ids.get(id) ?? -Math.abs(id);
  const steps = sent.map((step, n): Step => ({
    ...step,
    id: own[n],
    after: step.after && step.after.map(({ step, when }) => ({ step: mapped(step), when })),
    ..."values" in step && { values: step.values.map((value) => mappedValue(value, mapped)) },
  }));
  return { steps, next_step_id: nextId };
}

const mappedValue = ({ var: name, from }: ValueMapping, mapped: (id: number) => number) => ({
  var: name,
  from: "step" in from ? { ...from, step: mapped(from.step) } : from,
});

/**
 * Throws 400 with the fields that are wrong, unless each condition names another step, no step
 * waits for itself through others, and values come from steps and questions that have them.
 */
export function validateSteps(steps: readonly Step[], survey: readonly SurveyVar[]): void {
  const fields: Record<string, Sentence> = {};
  const known = new Map(steps.map((step) => [step.id, step]));
  for (const [n, { after }] of steps.entries()) {
    const wanted = (after ?? []).map(({ step }) => step);
    if (!wanted.every((id) => known.has(id))) {
      fields[`steps.${n}.after`] = { key: "errors.workflows.unknown_step" };
    } else if (new Set(wanted).size < wanted.length) {
      fields[`steps.${n}.after`] = { key: "errors.workflows.same_step" };
    }
  }
  refuse(fields);
  const links = linksOf(steps);
  for (const [n, { id }] of steps.entries()) {
    if (reaches(id, links)) fields[`steps.${n}.after`] = { key: "errors.workflows.cycle" };
  }
  refuse(fields);
  const before = ancestorsOf(steps);
  for (const [n, step] of steps.entries()) {
    if (!("values" in step)) continue;
    for (const [m, { var: name, from }] of step.values.entries()) {
      const field = `steps.${n}.values.${m}`;
      if (step.values.findIndex((other) => other.var === name) < m) {
        fields[`${field}.var`] = { key: "errors.workflows.same_var", params: { name } };
      }
      const key = "answer" in from
        ? survey.some((question) => question.name === from.answer) ? null : "answer"
        : !before.get(step.id)!.has(from.step)
        ? "not_before"
        : known.get(from.step)!.kind !== "template"
        ? "no_values"
        : null;
      if (key) fields[`${field}.from`] = { key: `errors.workflows.${key}` };
    }
  }
  refuse(fields);
}

/** Whether a step comes after itself. */
function reaches(id: number, links: Map<number, After[]>): boolean {
  const seen = new Set<number>();
  const left = [id];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const { step } of links.get(next) ?? []) {
      if (step === id) return true;
      if (seen.has(step)) continue;
      seen.add(step);
      left.push(step);
    }
  }
  return false;
}

/** Throws 400 if a field is wrong. */
export function refuse(fields: Record<string, Sentence>): void {
  const [first] = Object.values(fields);
  if (first) throw new AppError(400, first.key, first.params, { fields });
}
