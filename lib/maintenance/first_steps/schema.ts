/** The steps to a project's first task, in this order. */
export type FirstStep = "keys" | "repositories" | "inventory" | "templates" | "run";

export interface FirstSteps {
  steps: { step: FirstStep; done: boolean }[];
  /** Id of the template to run, if there is exactly one. */
  templateId: number | null;
}
