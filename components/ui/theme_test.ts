import assert from "node:assert/strict";
import { THEME, type ThemeColor } from "./theme.ts";

/** Texts and their backgrounds. WCAG AA requires a contrast of 4.5. */
const TEXTS: Record<string, [text: ThemeColor, ...backgrounds: ThemeColor[]][]> = {
  "reads on every surface": [
    ["text", "page", "surface", "raised", "sunken"],
    ["muted", "page", "surface", "raised", "sunken"],
    ["accent", "page", "surface", "raised", "sunken", "accent_soft"],
    ["danger", "page", "surface", "raised", "danger_soft"],
    ["success", "surface", "success_soft"],
    ["warning", "surface", "warning_soft"],
    ["info", "surface", "info_soft"],
    ["text", "accent_soft", "danger_soft", "success_soft", "warning_soft", "info_soft"],
  ],
  "reads on solid buttons and avatars": [
    ["on_solid", "accent_solid", "accent_solid_hover", "danger_solid", "danger_solid_hover"],
    ["on_solid", "avatar_red", "avatar_blue", "avatar_orange", "avatar_green"],
  ],
  "reads in the drawer and in the log": [
    ["drawer_text", "drawer", "drawer_raised", "drawer_active"],
    ["drawer_muted", "drawer", "drawer_raised", "drawer_active"],
    ["log_text", "log", "log_found", "log_failure"],
    ["log_muted", "log", "log_found", "log_failure"],
    ["log_failure_edge", "log", "log_found", "log_failure"],
  ],
};

for (const [promise, pairs] of Object.entries(TEXTS)) {
  Deno.test(`Text ${promise}, light and dark`, () => {
    for (const [text, ...backgrounds] of pairs) {
      for (const background of backgrounds) {
        for (const mode of [0, 1] as const) {
          const ratio = contrast(THEME[text][mode], THEME[background][mode]);
          const where = `${text} on ${background}, ${mode ? "dark" : "light"}`;
          assert.ok(ratio >= 4.5, `${where}: ${ratio.toFixed(2)}`);
        }
      }
    }
  });
}

Deno.test("Edges of fields are visible on every surface, light and dark", () => {
  for (const background of ["page", "surface", "raised"] as const) {
    for (const mode of [0, 1] as const) {
      const ratio = contrast(THEME.edge[mode], THEME[background][mode]);
      assert.ok(ratio >= 3, `edge on ${background}: ${ratio.toFixed(2)}`);
    }
  }
});

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
