import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { catalogs } from "@/lib/i18n/catalogs.ts";
import { lookAt } from "@/tests/support/browser/browser.ts";
import { newEverything } from "@/tests/support/server/everything.ts";
import { PSEUDO, speakPseudo } from "@/tests/support/house/pseudo.ts";

/** Paths below the project's address. */
const PAGES = [
  ...["", "/activity", "/settings", "/templates", "/templates/1", "/templates/1/edit"],
  ...["/templates/1/tasks", "/schedules", "/schedules/new", "/inventory", "/inventory/1"],
  ...["/environment", "/environment/1", "/keys", "/keys/1", "/repositories", "/integrations"],
  ...["/team", "/views", "/search?q=shop", "/tasks/1", "/templates/1?t=1", "/hosts"],
  ...["/history?status=error", "/tasks/1/hosts", "/tasks/1/timeline", "/tasks/1/changes"],
];
const SIZES = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];

/**
 * Returns labels that a person presses or reads for orientation, and that are cut off, and keys of
 * sentences that the page does not know. Also says when the page can be scrolled sideways.
 */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const overflow = (element: Element) => getComputedStyle(element).overflowX;
    /**
     * Returns the edge where a text stops being visible: that of an element that clips it, or of
     * the window. Null if it can be scrolled into view.
     */
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
      // A clamped line continues below the edge.
      return edge !== null &&
        (left < edge.left - 1 || right > edge.right + 1 || bottom > edge.bottom + 4);
    }
    /** A select in a row of a table, which is only as wide as its options. */
    function isNarrow(select: HTMLSelectElement): boolean {
      const { offsetWidth, style } = select;
      style.cssText = "position: absolute; width: max-content; min-width: 0; max-width: none";
      const needed = select.offsetWidth;
      style.cssText = "";
      return offsetWidth < needed - 1;
    }
    const narrow = [...document.querySelectorAll<HTMLSelectElement>("td select")].filter(isNarrow);
    const labels = ".drawer nav a, .drawer-search, .drawer-foot, .tabs a, button, .button, th";
    const cutTexts = [...document.querySelectorAll(labels)].flatMap((label) => {
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      const cut: string[] = [];
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        if (isCut(text)) cut.push(`${label.tagName} ${label.className}: ${text.data}`);
      }
      return cut;
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    const keys = document.body.innerText.match(/\b(errors|tasks|live|task_log|actions)\.[a-z_.]+/g);
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []),
      ...cutTexts,
      ...narrow.map((select) => `SELECT ${select.ariaLabel}`),
      ...(keys ?? []),
    ];
  });

/** Returns what is wrong with the page that is shown, at the window's size. */
async function lookThrough(page: Page, below: string, width: number): Promise<string[]> {
  // On phones the drawer is behind its button.
  const menu = page.locator(".topbar [popovertarget=drawer]");
  if (below === "" && await menu.isVisible()) await menu.click();
  return (await faultsOf(page)).map((fault) => `${below} at ${width}: ${fault}`);
}

async function openAll(page: Page, project: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [n, below] of PAGES.entries()) {
    await page.goto(project + below);
    // The window keeps the last size for the next page, because changing it takes long.
    for (const size of n % 2 === 0 ? SIZES : SIZES.toReversed()) {
      await page.setViewportSize(size);
      faults.push(...await lookThrough(page, below, size.width));
    }
  }
  return faults;
}

/** Shows all pages in the open one, which takes a third of the time of opening each. */
async function showAll(page: Page, project: string): Promise<string[]> {
  const bodies = await page.evaluateHandle(async (paths) => {
    const texts = await Promise.all(paths.map(async (path) => await (await fetch(path)).text()));
    const pages = texts.map((text) => new DOMParser().parseFromString(text, "text/html"));
    document.documentElement.lang = pages[0].documentElement.lang;
    return pages.map(({ body }) => body);
  }, PAGES.map((below) => project + below));
  const faults: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const [n, below] of PAGES.entries()) {
      await bodies.evaluate((bodies, n) => document.body.replaceWith(bodies[n]), n);
      faults.push(...await lookThrough(page, below, size.width));
    }
  }
  return faults;
}

Deno.test("in each language no label of the drawer, of buttons and of tables is cut", async (t) => {
  const offered = [...catalogs.keys()];
  using _ = speakPseudo();
  await using world = await newEverything();
  await using visit = await lookAt(world, "alice");
  const { page } = visit;
  const project = `/project/${world.web.id}`;
  const speak = (language: string) => world.post("alice", "/auth/preferences", { lang: language });
  await t.step(PSEUDO, async () => {
    await speak(PSEUDO);
    assert.deepEqual(await openAll(page, project), []);
  });
  // Servers send all labels. What scripts do to them was seen in the longest language.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setBlockedURLs", { urls: ["*.js"] });
  await page.goto(project);
  for (const language of offered) {
    await t.step(language, async () => {
      await speak(language);
      assert.deepEqual(await showAll(page, project), []);
    });
  }
});
