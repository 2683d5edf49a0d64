import { chosenInventory } from "../tasks/start_params.ts";
import { linksOf } from "./definition.ts";
import type { After, Step, WorkflowRow } from "./schema.ts";

const CONDITION = {
  success: "on_success",
  failure: "on_failure",
  always: "always",
  // Other clients do not know it.
  changed: "on_success",
} as const satisfies Record<After["when"], string>;

/** Returns the steps of a workflow as the nodes and edges that other clients know. */
export function graphOf({ id: workflow_template_id, steps, notes = [] }: WorkflowRow) {
  const links = linksOf(steps);
  const edges = steps.flatMap((target) =>
    links.get(target.id)!.map(({ step, when }) => ({
      workflow_template_id,
      source_node_id: step,
      destination_node_id: target.id,
      condition: CONDITION[when],
      input_mode: "explicit" as const,
      input_mappings: mappingsOf(target).flatMap(({ source_node_id, ...mapping }) =>
        source_node_id === step ? [mapping] : []
      ),
    }))
  );
  return {
    nodes: [
      ...steps.map((step) => ({ workflow_template_id, ...nodeOf(step) })),
      ...notes.map((note) => ({ ...note, workflow_template_id })),
    ],
    edges: edges.map((edge, n) => ({ id: n + 1, ...edge })),
  };
}

function nodeOf(step: Step) {
  const { id, name, join: convergence_mode } = step;
  const node = { id, name, convergence_mode };
  switch (step.kind) {
    case "template":
      return {
        ...node,
        kind: "task" as const,
        template_id: step.template_id,
        inventory_id: chosenInventory(step.params),
        task_params: step.params,
        input_mappings: mappingsOf(step),
      };
    case "approval": {
      const { message, timeout_minutes } = step.approval;
      return {
        ...node,
        kind: "approval" as const,
        approval_message: message,
        approval_timeout: timeout_minutes && timeout_minutes * 60,
      };
    }
    case "wait":
      return {
        ...node,
        kind: "delay" as const,
        minutes: step.minutes,
        delay_seconds: step.minutes * 60,
      };
    case "workflow":
      return { ...node, kind: "workflow" as const, workflow_id: step.workflow_id };
  }
}

/** The values that a step gets from other steps. */
const mappingsOf = (step: Step) =>
  "values" in step
    ? step.values.flatMap(({ var: name, from }) =>
      "step" in from ? [{ var: name, source_node_id: from.step, key: from.name }] : []
    )
    : [];
