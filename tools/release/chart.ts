import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../package/application.ts";
import { writeArchive } from "../package/archive.ts";
import { report } from "../package/packages.ts";

/** Writes the chart as Helm packages it. The version must be that of `Chart.yaml`. */
export async function writeChart(folder: string, version: string, time: Date): Promise<void> {
  const stage = await mkdtemp(join(tmpdir(), "callboard_chart_"));
  try {
    const chart = join(stage, "callboard");
    // The alert rules are a link to a file outside of the chart.
    await cp(join(ROOT, "packaging/helm/callboard"), chart, { recursive: true, dereference: true });
    const file = join(folder, `callboard-chart-${version}.tgz`);
    await writeArchive(chart, file, time);
    await report(file);
  } finally {
    await rm(stage, { recursive: true });
  }
}
