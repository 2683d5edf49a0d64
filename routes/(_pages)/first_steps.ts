import { firstSteps } from "@/lib/maintenance/first_steps/service.ts";
import { areStepsHidden } from "@/lib/web/pages/hidden_steps.ts";
import type { State } from "@/lib/web/state.ts";

/** What is to be done until the first task, unless who asks does not want to see it. */
export const loadFirstSteps = async ({ scope }: State, { headers }: Request) =>
  areStepsHidden(headers) ? null : await firstSteps(scope);
