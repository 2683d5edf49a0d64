import {
  BOX,
  type DrawnLinks,
  GAP,
  type GraphLayout,
  LABEL_HEIGHT,
  MARGIN,
  type Point,
} from "./drawing.ts";

/** Columns of rows with one, two and three boxes. No box is between two columns. */
const COLUMNS = [[1], [0, 2], [0, 1, 2]];
const COLUMN_WIDTH = BOX.width + GAP;
/** Space between two rows, for lines and the texts of conditions. */
const ROW_GAP = 48;
const WIDTH = COLUMNS.length * COLUMN_WIDTH + 2 * MARGIN;

/** Returns the number of steps on the longest way to each step, by its id. */
export function levelsOf(steps: readonly DrawnLinks[]): Map<number, number> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const levels = new Map<number, number>();
  const levelOf = (id: number): number => {
    const known = levels.get(id);
    if (known !== undefined) return known;
    const level = Math.max(-1, ...byId.get(id)!.after.map(({ step }) => levelOf(step))) + 1;
    levels.set(id, level);
    return level;
  };
  for (const { id } of steps) levelOf(id);
  return levels;
}

/**
 * Places the steps of a large workflow in rows, each below those that it waits for and as near to
 * them as possible. The time is linear in the number of links.
 */
export function gridOf(
  steps: readonly DrawnLinks[],
  levels: ReadonlyMap<number, number>,
): GraphLayout {
  const boxes = new Map<number, GraphLayout["boxes"][number]>();
  let y = MARGIN;
  for (let level = 0; boxes.size < steps.length; level++) {
    const left = steps.filter(({ id }) => levels.get(id) === level)
      .map((step) => ({ step, x: meanX(step, boxes) }))
      .toSorted((a, b) => a.x - b.x);
    while (left.length > 0) {
      const row = left.splice(0, COLUMNS.length);
      const columns = COLUMNS[row.length - 1];
      for (const [n, { step: { id } }] of row.entries()) {
        boxes.set(id, { id, x: MARGIN + GAP / 2 + columns[n] * COLUMN_WIDTH, y });
      }
      y += BOX.height + ROW_GAP;
    }
  }
  return {
    width: WIDTH,
    height: y - ROW_GAP + MARGIN,
    boxes: [...boxes.values()],
    lines: steps.flatMap((step) => linesTo(step, boxes)),
  };
}

type Boxes = ReadonlyMap<number, GraphLayout["boxes"][number]>;

/** Returns the middle of the boxes that a step waits for. */
const meanX = ({ after }: DrawnLinks, boxes: Boxes): number =>
  after.reduce((sum, { step }) => sum + boxes.get(step)!.x, 0) / Math.max(1, after.length);

/** Returns the lines to a step. They end beside each other, with their texts above the ends. */
function linesTo({ id, after }: DrawnLinks, boxes: Boxes): GraphLayout["lines"] {
  const box = boxes.get(id)!;
  const sorted = after.toSorted((a, b) => boxes.get(a.step)!.x - boxes.get(b.step)!.x);
  return sorted.map(({ step, label }, n) => {
    const from = boxes.get(step)!;
    const start = { x: from.x + BOX.width / 2, y: from.y + BOX.height };
    const end = { x: Math.round(box.x + BOX.width * (n + 1) / (after.length + 1)), y: box.y };
    const middle = { x: end.x, y: end.y - LABEL_HEIGHT };
    return { from: step, to: id, label, points: [start, ...wayTo(start, end, box.x), end], middle };
  });
}

/** Returns the way of a line past other rows: left of its box, where lines run together. */
function wayTo(start: Point, end: Point, left: number): Point[] {
  if (end.y - start.y <= ROW_GAP) return [];
  const x = left - GAP / 2;
  return [{ x, y: start.y + ROW_GAP }, { x, y: end.y - ROW_GAP }];
}
