import type { Lab } from "./lab.ts";
import { RARE } from "./long_log.ts";
import { type Row, timeEach, times } from "./measure.ts";

const CALLS = 20;

/** Searches of a long output, from a text in most lines to a text in none. */
const QUERIES: [name: string, query: Record<string, string>][] = [
  ["a text of most lines", { q: "OK: [web" }],
  ["a text of one line, near the end", { q: RARE }],
  ["an expression of some lines", { q: "^changed: .*-99\\d+5\\)$", regex: "true" }],
  ["an expression that others take for ever for", { q: "(o+k?)+[^ok]+!$", regex: "true" }],
];

/** Measures the time from request to response, and the time that other requests take meanwhile. */
export async function* measureSearch(
  lab: Lab,
  taskId: number,
  lines: number,
): AsyncGenerator<Row> {
  const { server, projectId } = lab;
  const get = async (path: string) => {
    const response = await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } });
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`);
    return await response.json();
  };
  const all = lines.toLocaleString("en");
  for (const [name, query] of QUERIES) {
    const path = `/api/project/${projectId}/tasks/${taskId}/search?${new URLSearchParams(query)}`;
    const { found, counted } = await get(path);
    const values = await timeEach(CALLS, () => get(path));
    const note = `${found} found in ${counted}`;
    yield [`search in ${all} lines: ${name}`, { ...times(values), note }];
  }
  const rare = `/api/project/${projectId}/tasks/${taskId}/search?q=${RARE}`;
  let isOver = false;
  const others: number[] = [];
  const waiting = (async () => {
    while (!isOver) others.push(...await timeEach(1, () => get("/api/user")));
  })();
  await timeEach(CALLS, () => get(rare));
  isOver = true;
  await waiting;
  yield ["GET /api/user while someone searches that output", times(others)];
}
