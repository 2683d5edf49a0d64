import type { HostResult } from "@/lib/results/schema.ts";

/** A sign for each state, so that none is told by its colour alone; colours are in results.css. */
export const RESULT_LOOKS: Record<HostResult["status"], string> = {
  ok: "✓",
  changed: "Δ",
  skipped: "–",
  failed: "✗",
  unreachable: "⊘",
  rescued: "↺",
  ignored: "!",
  included: "+",
};
