import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { catalogs } from "@/lib/i18n/catalogs.ts";
import { assertFitsWidth, lookAt } from "@/tests/support/browser.ts";
import { newEverything } from "@/tests/support/everything.ts";
import { PSEUDO, speakPseudo } from "@/tests/support/pseudo.ts";

/** Below the project's address. */
const PAGES = [
  ...["", "/activity", "/settings", "/templates", "/templates/1", "/templates/1/edit"],
  ...["/templates/1/tasks", "/hosts", "/schedules", "/schedules/new", "/inventory", "/inventory/1"],
  ...["/environment", "/environment/1", "/keys", "/keys/1", "/repositories", "/integrations"],
  ...["/team", "/views", "/search?q=shop", "/tasks/1", "/templates/1?t=1"],
];
const SIZES = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];

/** What a person is to press, or finds their way by, and cannot read to its end. */
const cutLabels = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const overflow = (element: Element) => getComputedStyle(element).overflowX;
    /** Where a text ends to be seen: at what clips it, or the window; null where it can be scrolled to. */
    function edgeOf(
      element: Element | null,
    ): { left: number; right: number; bottom: number } | null {
      if (element === null) return { left: 0, right: innerWidth, bottom: Infinity };
      if (/auto|scroll/.test(overflow(element))) return null;
      if (/hidden|clip/.test(overflow(element))) return element.getBoundingClientRect();
      return edgeOf(element.parentElement);
    }
    function isCut(text: Text): boolean {
      const parent = text.parentElement!;
      if (text.data.trim() === "" || parent.closest(".sr-only")) return false;
      if (!parent.checkVisibility({ visibilityProperty: true })) return false;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, bottom } = range.getBoundingClientRect();
      const edge = edgeOf(parent);
      // A line that is clamped goes on below it.
      return edge !== null &&
        (left < edge.left - 1 || right > edge.right + 1 || bottom > edge.bottom + 4);
    }
    const labels = ".drawer nav a, .drawer-search, .drawer-foot, .tabs a, button, .button, th";
    return [...document.querySelectorAll(labels)].flatMap((label) => {
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      const cut: string[] = [];
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        if (isCut(text)) cut.push(`${label.tagName} ${label.className}: ${text.data}`);
      }
      return cut;
    });
  });

Deno.test("in each language no label of the drawer, of buttons and of tables is cut", async (t) => {
  using _ = speakPseudo();
  await using world = await newEverything();
  for (
    const language of [PSEUDO, ...catalogs.keys()].filter((id, n, all) => all.indexOf(id) === n)
  ) {
    await world.post("alice", "/auth/preferences", { lang: language });
    for (const viewport of SIZES) {
      await t.step(`${language} at ${viewport.width} pixels`, async () => {
        await using visit = await lookAt(world, "alice", { viewport });
        const { page } = visit;
        const cut: string[] = [];
        for (const below of PAGES) {
          await page.goto(`/project/${world.web.id}${below}`);
          await assertFitsWidth(page);
          // On phones the drawer is behind its button.
          const menu = page.locator(".topbar [popovertarget=drawer]");
          if (below === "" && await menu.isVisible()) await menu.click();
          // Islands know no sentences but those that they are given.
          const text = await page.locator("body").innerText();
          assert.doesNotMatch(text, /\b(errors|tasks|live|task_log|actions)\.[a-z_.]+/);
          cut.push(...(await cutLabels(page)).map((label) => `${below}: ${label}`));
        }
        assert.deepEqual(cut, []);
      });
    }
  }
});
