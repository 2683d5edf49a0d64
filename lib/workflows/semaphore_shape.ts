import * as z from "zod";

/** Nodes of other clients. Members that they do not know are in `steps` only. */
const NODE_KINDS = ["task", "approval", "delay", "note", "workflow"] as const;
const EDGE_CONDITIONS = ["on_success", "on_failure", "always"] as const;

const NODES_MAX = 200;
const EDGES_MAX = 2_000;

const optionalInt = z.int().nullish();

const node = z.looseObject({
  id: z.int().nullish().transform((value) => value ?? 0),
  kind: z.enum(NODE_KINDS, "errors.unknown_type").or(z.literal("")).nullish(),
  name: z.string().nullish(),
  template_id: optionalInt,
  workflow_id: optionalInt,
  convergence_mode: z.enum(["all", "any", ""], "errors.unknown_type").nullish(),
  /** In seconds. */
  approval_timeout: optionalInt,
  approval_message: z.string().nullish(),
  inventory_id: optionalInt,
  task_params: z.record(z.string(), z.unknown()).nullish(),
  input_mappings: z.array(z.object({
    var: z.string("errors.required"),
    source_node_id: z.int("errors.required"),
    key: z.string("errors.required"),
  })).max(NODES_MAX, "errors.too_long").nullish(),
  /** Duration of a delay. */
  minutes: optionalInt,
  delay_seconds: optionalInt,
});
type Node = z.output<typeof node>;

const edge = z.object({
  source_node_id: z.int("errors.required"),
  destination_node_id: z.int("errors.required"),
  condition: z.enum(EDGE_CONDITIONS, "errors.unknown_type").nullish(),
  /** Values of the source that answer questions of the destination. */
  input_mappings: z.array(z.object({
    var: z.string("errors.required"),
    key: z.string("errors.required"),
  })).max(NODES_MAX, "errors.too_long").nullish(),
});
type Edge = z.output<typeof edge>;

/** Members of a form that other clients send instead of `steps`. */
export const graphFields = {
  nodes: z.array(node).max(NODES_MAX, "errors.too_long").nullish(),
  edges: z.array(edge).max(EDGES_MAX, "errors.too_long").nullish(),
};

/** The same members in answers. */
export const graphSchema = {
  nodes: z.array(z.looseObject({ id: z.int(), kind: z.enum(NODE_KINDS) })),
  edges: z.array(z.object({
    id: z.int(),
    workflow_template_id: z.int(),
    source_node_id: z.int(),
    destination_node_id: z.int(),
    condition: z.enum(EDGE_CONDITIONS),
    /** Values go on only where a mapping says so. */
    input_mode: z.literal("explicit"),
    input_mappings: z.array(z.object({ var: z.string(), key: z.string() })),
  })),
};

/** An annotation of a canvas. It is stored and answered as it was sent. */
export type Note = Record<string, unknown> & { id: number; kind: "note" };

const WHEN = { on_success: "success", on_failure: "failure", always: "always" } as const;

const KINDS = {
  task: "template",
  approval: "approval",
  delay: "wait",
  workflow: "workflow",
} as const;

/** Returns the steps that nodes and edges stand for, as `steps` would be sent, and the notes. */
export function fromNodes(nodes: readonly Node[], edges: readonly Edge[]) {
  const steps: Record<string, unknown>[] = [];
  const notes: Note[] = [];
  for (const [n, { kind, ...node }] of nodes.entries()) {
    if (kind === "note") {
      notes.push({ ...node, kind });
      continue;
    }
    const id = node.id || -(n + 1);
    steps.push({
      id,
      kind: KINDS[kind || "task"],
      name: node.name ?? "",
      after: edges.filter(({ destination_node_id }) => destination_node_id === id)
        .map(({ source_node_id, condition }) => ({
          step: source_node_id,
          when: WHEN[condition ?? "on_success"],
        })),
      join: node.convergence_mode || "all",
      template_id: node.template_id || null,
      workflow_id: node.workflow_id || null,
      minutes: node.minutes ?? (node.delay_seconds && Math.ceil(node.delay_seconds / 60)),
      approval: {
        message: node.approval_message,
        timeout_minutes: node.approval_timeout && Math.ceil(node.approval_timeout / 60),
      },
      params: node.inventory_id
        ? { ...node.task_params, inventory_id: node.inventory_id }
        : node.task_params,
      values: valuesOf(id, node, edges),
    });
  }
  return { steps, notes };
}

/** Values of a node. Semaphore sends them with edges. Answers have them in both places. */
function valuesOf(
  id: number,
  { input_mappings }: Pick<Node, "input_mappings">,
  edges: readonly Edge[],
) {
  const ofEdges = edges.filter(({ destination_node_id }) => destination_node_id === id)
    .flatMap(({ source_node_id, input_mappings }) =>
      (input_mappings ?? []).map((mapping) => ({ ...mapping, source_node_id }))
    );
  const byVar = new Map([...ofEdges, ...input_mappings ?? []].map((one) => [one.var, one]));
  return [...byVar.values()].map(({ var: name, source_node_id, key }) => ({
    var: name,
    from: { step: source_node_id, name: key },
  }));
}
