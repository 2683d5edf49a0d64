/** What leads to a project's first task, in this order. */
export type FirstStep = "keys" | "repositories" | "inventory" | "templates" | "run";

export interface FirstSteps {
  steps: { step: FirstStep; done: boolean }[];
  /** The template to run, where there is just one. */
  templateId: number | null;
}
