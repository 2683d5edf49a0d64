import type { HostResultView } from "@/lib/results/schema.ts";

/** A sign for each state, so that color is not the only difference. Colors are in results.css. */
export const RESULT_SIGNS: Record<HostResultView["status"], string> = {
  ok: "✓",
  changed: "Δ",
  skipped: "–",
  failed: "✗",
  unreachable: "⊘",
  rescued: "↺",
  ignored: "!",
  included: "+",
};
