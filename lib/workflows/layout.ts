import type { ProjectScope } from "../access/scope.ts";
import { cachedWhile } from "../store/cached.ts";
import {
  BOX,
  type DrawnLinks,
  GAP,
  type GraphLayout,
  LABEL_HEIGHT,
  MARGIN,
  type Point,
  rounded,
} from "./drawing.ts";
import { gridOf, levelsOf } from "./grid.ts";

const CHARACTER_WIDTH = 7;
/** Above these numbers, a graph is drawn as a grid. */
const LEVEL_MAX = 8;
const SPAN_MAX = 250;

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
 * loaded on first use. It takes minutes for a hundred steps with all possible links, and would draw
 * a hundred parallel steps beside each other, so large graphs are drawn as a grid.
 */
async function layOut(steps: readonly DrawnLinks[]): Promise<GraphLayout> {
  const levels = levelsOf(steps);
  if (isLarge(steps, levels)) return gridOf(steps, levels);
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph = new Graph({ directed: true });
  graph.setGraph({ rankdir: "TB", nodesep: GAP, ranksep: 32, marginx: MARGIN, marginy: MARGIN });
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

/**
 * Whether a level has too many steps to be read, or the links pass so many levels in all that the
 * library takes more than 0.1 s.
 */
function isLarge(steps: readonly DrawnLinks[], levels: ReadonlyMap<number, number>): boolean {
  const counts = Map.groupBy(levels.values(), (level) => level);
  if (counts.values().some(({ length }) => length > LEVEL_MAX)) return true;
  const spans = steps.flatMap(({ id, after }) =>
    after.map(({ step }) => levels.get(id)! - levels.get(step)!)
  );
  return spans.reduce((sum, span) => sum + span, 0) > SPAN_MAX;
}

const pixels = ({ x, y }: Point): Point => ({ x: rounded(x), y: rounded(y) });
