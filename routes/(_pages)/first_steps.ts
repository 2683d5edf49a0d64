import { firstSteps } from "@/lib/maintenance/first_steps/service.ts";
import { areStepsHidden } from "@/lib/web/pages/hidden_steps.ts";
import type { State } from "@/lib/web/state.ts";

/** Loads the steps to the first task, unless the user has hidden them. */
export const loadFirstSteps = async ({ scope }: State, { headers }: Request) =>
  areStepsHidden(headers) ? null : await firstSteps(scope);
