import type { Lab } from "./lab.ts";
import { type Row, timeEach, times } from "./measure.ts";

const PAGE = 20;
const CALLS = 50;

/** Filters of the history: a rare value, a common one, and both together. */
const filtersOf = ({ localTemplateId, userId }: Lab & { userId: number }): string[] => [
  "",
  "status=success",
  "status=error",
  `user_id=${userId}`,
  `template_id=${localTemplateId}&status=error`,
  `user_id=${userId}&status=error`,
];

/**
 * Measures the first page and a deep page of a history of `count` tasks, also as a ratio to "all".
 */
export async function* measureFilters(lab: Lab, count: number): AsyncGenerator<Row> {
  const { server, projectId } = lab;
  const path = `/api/project/${projectId}/tasks?count=${PAGE}`;
  const [newest] = (await server.api("GET", path)).body;
  const { id: userId } = (await server.api("GET", "/api/user")).body;
  for (const [name, before] of [["first", ""], ["deep", `&before=${newest.id - count / 2}`]]) {
    let all = 0;
    for (const filter of filtersOf({ ...lab, userId })) {
      const url = new URL(`${path}${before}${filter && `&${filter}`}`, server.url);
      const get = async () => {
        const response = await fetch(url, { headers: { Cookie: server.cookie } });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`GET ${url.search}: ${response.status}`);
      };
      await timeEach(10, get);
      const values = (await timeEach(CALLS, get)).toSorted((a, b) => a - b);
      const median = values[CALLS / 2];
      all ||= median;
      const note = `${(median / all).toFixed(1)} times all`;
      yield [`history, ${name} page: ${filter || "all"}`, { ...times(values), note }];
    }
  }
}
