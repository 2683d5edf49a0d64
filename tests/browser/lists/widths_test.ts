import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { until } from "@/tests/support/basics/until.ts";
import { lookAt } from "@/tests/support/browser/browser.ts";
import { fillLists } from "@/tests/support/world/long_names.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Widths of windows in CSS pixels. A window of 1280 pixels at a zoom of 200 % has 640 of them. */
const WIDTHS = [360, 390, 640, 768, 1024, 1280, 1920];
const ZOOMED = { width: 640, deviceScaleFactor: 2 };
const LANGUAGES = ["en", "de", "ru"];

/** Addresses of all lists that Erin can see. */
function listsOf({ web, deploy }: World, ids: Awaited<ReturnType<typeof fillLists>>): string[] {
  const task = `tasks/${ids.reported}`;
  return [
    ...["history", "runs", "activity", "templates", "templates?open=1", `templates/${deploy.id}`],
    ...[
      "schedules",
      "keys",
      "keys/known_hosts",
      "keys/host_authorities",
      "repositories",
      "git_credentials",
      "inventory",
      "environment",
    ],
    ...["team", "integrations", `integration/${ids.integration}`, "hosts", "hosts/db1"],
    ...["drift", `templates/${deploy.id}/drift`, "hosts/lb2.example.com"],
    ...[`${task}/hosts`, `${task}/hosts?host=2`, `history?t=${ids.reported}&tab=hosts`],
  ].map((path) => `/project/${web.id}/${path}`)
    .concat(
      "/users",
      "/users/waiting",
      "/queue",
      "/admin/jobs",
      "/drift",
      "/account",
      "/account/security",
    );
}

interface Measured {
  /** Page and text of each cell that is cut off although there is room for more of it. */
  cut: string[];
  rows: number;
  /** Hidden columns with a value. */
  hidden: string[];
  /** Lists that are wider than their frame, and texts and buttons at its right border. */
  wide: string[];
  touching: string[];
  /** Words of at most 16 characters that are broken, and reasons that are not shown. */
  broken: string[];
  unseen: string[];
  /** How much wider than the window the page is. */
  over: number;
}

/**
 * Measures all lists of the page. A cut cell may have no more room than 24 pixels beside it: on its
 * line of a card, or in the columns of its table, whose widths are those that other rows need.
 */
function measure(): Measured {
  const range = document.createRange();
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const textBoxes = (element: Element): DOMRect[] => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const boxes: DOMRect[] = [];
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      if (parentElement!.closest(".sr-only, select") || !textContent!.trim()) continue;
      if (getComputedStyle(parentElement!).visibility === "hidden") continue;
      range.selectNodeContents(texts.currentNode);
      boxes.push(...range.getClientRects());
    }
    return boxes;
  };
  const isCut = (cell: Element) =>
    [cell, ...cell.querySelectorAll("*")].some((element) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      if (scrollWidth <= clientWidth && scrollHeight <= clientHeight) return false;
      const { overflowX, display } = getComputedStyle(element);
      if (display === "inline" || element !== cell && overflowX === "visible") return false;
      if (element.closest(".sr-only, select, svg")) return false;
      const { right, bottom } = element.getBoundingClientRect();
      return textBoxes(element).some((box) => box.right > right + 1.5 || box.bottom > bottom + 3);
    });
  /** Room beside the content of a cell. */
  const roomIn = (cell: HTMLElement): number => {
    const { paddingLeft, paddingRight } = getComputedStyle(cell);
    range.selectNodeContents(cell);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
    const used = boxes.length === 0
      ? 0
      : Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
    return Math.max(
      0,
      cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - used,
    );
  };
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  /** Room on the line of a card that a cell is on. */
  const roomOnLine = (cell: HTMLElement): number => {
    const { top, bottom } = cell.getBoundingClientRect();
    const line = [...cell.parentElement!.children].filter((other) => {
      const box = other.getBoundingClientRect();
      return box.top < bottom - 1 && box.bottom > top + 1;
    }) as HTMLElement[];
    const end = Math.max(...line.map((other) => other.getBoundingClientRect().right));
    const { paddingRight } = getComputedStyle(cell.parentElement!);
    const edge = cell.parentElement!.getBoundingClientRect().right - parseFloat(paddingRight);
    return edge - end + sum(line.map(roomIn));
  };

  /** Words on several lines that could be on one: browsers break a word only after a hyphen. */
  const brokenWords = (cell: Element): string[] => {
    const words: string[] = [];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      if (!parentElement!.closest("code, span.clamp")) continue;
      for (const { 0: word, index } of textContent!.matchAll(/(?<!\S)[^\s-]{2,16}(?!\S)/g)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) words.push(word);
      }
    }
    return words;
  };

  const found: Measured = {
    ...{ cut: [], hidden: [], wide: [], touching: [], broken: [], unseen: [] },
    ...{ rows: 0, over: 0 },
  };
  for (const table of document.querySelectorAll<HTMLTableElement>(".table-frame > .table")) {
    if (!isShown(table)) continue;
    const list = `${table.closest("[data-page]")!.getAttribute("data-page")} (${
      table.caption!.textContent
    })`;
    const frame = table.parentElement!;
    if (frame.scrollWidth > frame.clientWidth) found.wide.push(list);
    const rows = [...table.tBodies[0].rows].filter((row) => !row.matches(".row-below"));
    const border = frame.getBoundingClientRect().right - 1;
    for (const row of [table.tHead!.rows[0], ...rows]) {
      const boxes = [...row.cells].filter(isShown).flatMap((cell) => [
        ...textBoxes(cell),
        ...[...cell.querySelectorAll(".icon")].map((icon) => icon.getBoundingClientRect()),
      ]);
      if (boxes.some(({ right }) => right > border - 4)) {
        found.touching.push(`${list}: ${row.textContent}`);
      }
    }
    found.rows += rows.length;
    const isTable = getComputedStyle(rows[0]).display === "table-row";
    for (const [n, heading] of [...table.tHead!.rows[0].cells].entries()) {
      const hasValue = rows.some(({ cells }) =>
        cells[n].textContent!.trim() !== "" && !cells[n].querySelector(".dash")
      );
      if (isTable && !isShown(heading) && hasValue) {
        found.hidden.push(`${list}: ${heading.textContent}`);
      }
    }
    found.broken.push(...rows.flatMap(brokenWords).map((word) => `${list}: ${word}`));
    for (const reason of table.querySelectorAll(".run-name > .run-reason")) {
      const { bottom } = reason.parentElement!.getBoundingClientRect();
      const [{ top }] = reason.getClientRects();
      if (top > bottom - 10) found.unseen.push(`${list}: ${reason.textContent}`);
    }
    const cut = rows.flatMap((row) => [...row.cells].filter(isCut));
    if (cut.length === 0) continue;
    const roomInColumns = sum(
      [...table.tHead!.rows[0].cells].map((heading, n) =>
        isShown(heading)
          ? Math.min(...[heading, ...rows.map((row) => row.cells[n])].map(roomIn))
          : 0
      ),
    );
    for (const cell of cut) {
      const room = isTable ? roomInColumns : roomOnLine(cell);
      if (room > 24) found.cut.push(`${list}: ${cell.textContent!.trim()}, ${room} px`);
    }
  }
  found.over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  return found;
}

/** Shows the lists of all pages below each other, so that one layout measures all of them. */
async function showAll(page: Page, world: World, paths: string[], language: string) {
  const headers = { "accept-language": language };
  const pages = await Promise.all(
    paths.map(async (path) => [path, await (await world.get("erin", path, headers)).text()]),
  );
  await page.evaluate((pages) => {
    const sheets = new Set<string>();
    const parts = pages.map(([path, html]) => {
      const part = document.createElement("div");
      part.setAttribute("data-page", path);
      const parsed = new DOMParser().parseFromString(html, "text/html");
      part.append(...parsed.querySelectorAll("main > *, .over > .dialog"));
      parsed.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")
        .forEach(({ href }) => sheets.add(href));
      return part;
    });
    document.querySelectorAll("link[rel=stylesheet]").forEach((link) => link.remove());
    for (const href of [...sheets].toSorted()) {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      document.head.append(link);
    }
    document.querySelector("main")!.replaceChildren(...parts);
  }, pages);
  await until(() =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")]
        .every(({ sheet }) => sheet !== null)
    )
  );
}

Deno.test("no text of a list is cut beside empty room or at the border, at any width and in long languages", async () => {
  await using world = await newWorld();
  const paths = listsOf(world, await fillLists(world));
  await using look = await lookAt(world, "erin", { javaScriptEnabled: false });
  const { page } = look;
  await page.goto(`/project/${world.web.id}/templates`);
  const device = await page.context().newCDPSession(page);
  const sizes = [...WIDTHS.map((width) => ({ width, deviceScaleFactor: 1 })), ZOOMED];
  for (const language of LANGUAGES) {
    await showAll(page, world, paths, language);
    for (const size of sizes) {
      const metrics = { ...size, height: 900, mobile: false };
      await device.send("Emulation.setDeviceMetricsOverride", metrics);
      const { rows, ...found } = await page.evaluate(measure);
      assert.ok(rows > 150, `${rows} rows`);
      assert.deepEqual(
        found,
        { cut: [], hidden: [], wide: [], touching: [], broken: [], unseen: [], over: 0 },
        `${language}, ${size.width} px`,
      );
    }
  }
});
