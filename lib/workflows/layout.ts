import type { ProjectScope } from "../access/scope.ts";
import { cachedWhile } from "../kv/cached.ts";
import { BOX, type GraphLayout, LABEL_HEIGHT, type Point, rounded } from "./drawing.ts";

/** A step in the drawing of a workflow. */
interface DrawnLinks {
  id: number;
  /** Steps that it waits for, with the text of the condition; empty for the usual one. */
  after: readonly { step: number; label: string }[];
}

const CHARACTER_WIDTH = 7;
const MARGIN = 4;

/**
 * Returns the drawing of a workflow's definition. It is computed once for each version and
 * language, because conditions are as long as their texts.
 */
export const layoutOf = (
  { deps, projectId }: ProjectScope,
  { id, version, language }: { id: number; version: number; language: string },
  steps: readonly DrawnLinks[],
): Promise<GraphLayout> =>
  cachedWhile(
    deps.kv,
    [],
    `workflow_layout/${projectId}/${id}/${version}/${language}`,
    () => layOut(steps),
  );

/**
 * Places the steps from top to bottom, each below those that it waits for. The drawing library is
 * loaded on first use. 100 steps take about 0.1 s.
 */
async function layOut(steps: readonly DrawnLinks[]): Promise<GraphLayout> {
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph = new Graph({ directed: true });
  graph.setGraph({ rankdir: "TB", nodesep: 24, ranksep: 32, marginx: MARGIN, marginy: MARGIN });
  for (const { id } of steps) graph.setNode(String(id), { ...BOX });
  for (const { id, after } of steps) {
    for (const { step, label } of after) {
      const size = label === ""
        ? {}
        : { width: label.length * CHARACTER_WIDTH, height: LABEL_HEIGHT };
      graph.setEdge(String(step), String(id), { ...size, labelpos: "c" });
    }
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: steps.map(({ id }) => {
      const { x, y } = graph.node(String(id));
      return { id, x: rounded(x - BOX.width / 2), y: rounded(y - BOX.height / 2) };
    }),
    lines: steps.flatMap(({ id, after }) =>
      after.map(({ step, label }) => {
        const { points, x, y } = graph.edge(String(step), String(id));
        const middle = label === "" ? points[Math.floor(points.length / 2)] : { x, y };
        return { from: step, to: id, label, points: points.map(pixels), middle: pixels(middle) };
      })
    ),
  };
}

const pixels = ({ x, y }: Point): Point => ({ x: rounded(x), y: rounded(y) });
