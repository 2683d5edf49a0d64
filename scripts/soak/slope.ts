/** Returns the slope of the straight line that fits the points best. */
export function slopeOf(points: [x: number, y: number][]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const sum = (of: (dx: number, dy: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x - x0, y - y0), 0);
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx);
}
