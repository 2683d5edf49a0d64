import { CONDITIONS, type Step } from "@/lib/workflows/schema.ts";
import type { FinalState } from "@/lib/workflows/step_state.ts";

/** A random number generator that repeats itself, so that a failure can be repeated. */
export function dice(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (max: number) => Math.floor(next() * max),
    one: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)],
  };
}
type Dice = ReturnType<typeof dice>;

export type Outcome = {
  state: Extract<FinalState, "success" | "failed" | "stopped">;
  changed?: boolean;
};
export const OUTCOMES: Outcome[] = [
  { state: "success", changed: true },
  { state: "success", changed: false },
  { state: "failed" },
  { state: "failed" },
  { state: "stopped" },
];

/** Steps in random order whose conditions lead only to steps that were made before them. */
export function randomSteps({ below, one }: Dice, count: number): Step[] {
  const isShuffled = one([true, false]);
  const made: Step[] = [];
  for (let id = 1; id <= count; id++) {
    const sources = new Set(Array.from({ length: below(4) }, () => 1 + below(Math.max(1, id - 1))));
    sources.delete(id);
    made.push({
      id,
      name: `Step ${id}`,
      kind: "wait",
      minutes: 1,
      join: one(["all", "any"] as const),
      after: !isShuffled && one([true, false, false])
        ? null
        : [...sources].map((step) => ({ step, when: one(CONDITIONS) })),
    });
  }
  // "The step above" must stay the step above.
  return isShuffled ? made.toSorted(() => one([-1, 1])) : made;
}

/**
 * The reference: the end of each step as the rules of a workflow say it, from the outcome that it
 * would have. The order of events only decides whether a step has ended before another started.
 */
export function reference(
  steps: Step[],
  outcomes: Map<number, Outcome>,
  isBefore: (ended: number, started: number) => boolean,
) {
  const ends = new Map<number, string>();
  const above = (n: number) => n === 0 ? [] : [{ step: steps[n - 1].id, when: "success" }];
  const endOf = (id: number): string => {
    if (!ends.has(id)) {
      const n = steps.findIndex((step) => step.id === id);
      const links = steps[n].after ?? above(n);
      const met = links.map(({ step, when }) => {
        const end = endOf(step);
        if (when === "success") return end === "success" || end === "changed";
        if (when === "changed") return end === "changed";
        if (when === "failure") return end === "failed";
        return ["success", "changed", "failed"].includes(end);
      });
      const starts = links.length === 0 ||
        (steps[n].join === "any" ? met.includes(true) : !met.includes(false));
      const { state, changed } = outcomes.get(id)!;
      ends.set(id, starts ? changed ? "changed" : state : "skipped");
    }
    return ends.get(id)!;
  };
  for (const { id } of steps) endOf(id);
  const rescued = (id: number) =>
    steps.some((step, n) =>
      ["success", "changed"].includes(ends.get(step.id)!) &&
      (step.after ?? above(n)).some((link) => link.step === id && link.when === "failure") &&
      isBefore(id, step.id)
    );
  const bad = steps.find(({ id }) => {
    const end = ends.get(id);
    return end === "stopped" || end === "failed" && !rescued(id);
  });
  return { ends, bad: bad?.id, result: bad ? "failed" : "success" };
}
