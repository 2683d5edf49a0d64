export interface Point {
  x: number;
  y: number;
}

/** Positions in pixels. Boxes are given by their upper left corner. */
export interface GraphLayout {
  width: number;
  height: number;
  boxes: (Point & { id: number })[];
  lines: { from: number; to: number; label: string; points: Point[]; middle: Point }[];
}

/** A step in the drawing of a workflow. */
export interface DrawnLinks {
  id: number;
  /** Steps that it waits for, with the text of the condition; empty for the usual one. */
  after: readonly { step: number; label: string }[];
}

/** Size of a step's box in pixels. */
export const BOX = { width: 208, height: 56 } as const;
/** Space for the text of a condition in pixels. */
export const LABEL_HEIGHT = 18;
/** Space between two boxes of a row, and around the drawing. */
export const GAP = 24;
export const MARGIN = 4;
/** Rounds a position, so that drawings are short. */
export const rounded = (pixel: number): number => Math.round(pixel * 10) / 10;

/** Returns the path of a line: a curve that leaves and enters each point vertically. */
export function curveThrough(points: readonly Point[]): string {
  const [start, ...rest] = points;
  let { x, y } = start;
  let path = `M${x} ${y}`;
  for (const to of rest) {
    const between = rounded((y + to.y) / 2);
    path += `C${x} ${between} ${to.x} ${between} ${to.x} ${to.y}`;
    ({ x, y } = to);
  }
  return path;
}
