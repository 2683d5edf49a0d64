import assert from "node:assert/strict";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { translator } from "@/lib/i18n/translate.ts";
import { createUi } from "@/lib/i18n/ui.ts";
import type { RunnerWait } from "@/lib/tasks/waiting/placement.ts";
import { waitSentence } from "@/lib/tasks/waiting/wait_sentence.ts";
import { WaitReason } from "./WaitReason.tsx";

const now = new Date("2024-05-02T10:12:00Z");
const at = Date.parse("2024-05-02T10:00:00Z");

const SENTENCES: [why: RunnerWait, sentence: string][] = [
  [{ kind: "none" }, "No runner is registered for this project"],
  [{ kind: "label", labels: ["dmz"] }, "No runner has the label dmz"],
  [{ kind: "label", labels: ["a", "b"] }, "No runner has all of the labels a, b"],
  [{ kind: "paused", name: "dmz-1" }, "dmz-1 is paused"],
  [{ kind: "silent", name: "dmz-2", at }, "dmz-2 was last seen 12m ago"],
  [{ kind: "silent", name: "dmz-2", at: 0 }, "dmz-2 has not connected yet"],
  [{ kind: "busy", name: "dmz-1", running: 2, max: 2 }, "dmz-1 is running 2 of 2 tasks"],
  [{ kind: "gone", name: "dmz-1" }, "dmz-1 ran the preview and was removed"],
  [{ kind: "update", name: "dmz-1" }, "dmz-1 must be updated"],
  [{ kind: "tool", tool: { podman: true }, labels: [] }, "No runner has podman"],
  [
    { kind: "tool", tool: { podman: true }, labels: ["dmz"] },
    "No runner with the label dmz has podman",
  ],
  [
    { kind: "tool", tool: { pythons: ["3.11", "3.10"] }, labels: ["dmz", "eu"] },
    "No runner with the labels dmz, eu can build a toolchain with Python 3.11/3.10",
  ],
];

const t = translator("en");
const ui = createUi({ language: "en", theme: "system", basePath: "", t });

function shown(why: RunnerWait, count = 1): string {
  const blocked = { by: "runner", why } as const;
  const link = () => null;
  return renderToString(h(WaitReason, { ui, now, blocked, count, link }));
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "");

Deno.test("a page says why no runner takes a task", () => {
  for (const [why, sentence] of SENTENCES) {
    assert.equal(textOf(shown(why)), sentence);
    assert.equal(textOf(shown(why, 3)), `3 tasks wait. ${sentence}`);
  }
});

Deno.test("the time when a runner was last seen keeps counting", () => {
  assert.match(
    shown({ kind: "silent", name: "dmz-2", at }),
    / data-ago="2024-05-02T10:00:00.000Z"/,
  );
});

Deno.test("the API has the time in the zone of its reader", () => {
  const { key, params } = waitSentence({
    by: "runner",
    why: { kind: "silent", name: "dmz-2", at },
  });
  assert.equal(t(key, params), "dmz-2 was last seen May 2, 2024, 10:00:00 AM UTC");
});
