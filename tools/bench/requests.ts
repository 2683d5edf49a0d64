import { keepAlive } from "./keep_alive.ts";
import type { Lab } from "./lab.ts";
import { load, perSecond, type Row, timeEach, times } from "./measure.ts";
import { startTask } from "./start_task.ts";

const CLIENTS = 4;

/**
 * Measures calls by clients with a token, and pages. None of them may become slower with history.
 */
export async function* measureRequests(lab: Lab, suffix: string): AsyncGenerator<Row> {
  const { server, projectId } = lab;
  const below = `/api/project/${projectId}`;
  const { id: token } = (await server.api("POST", "/api/user/tokens", { name: "Bench" })).body;
  const calls = async (name: string, path: string, count: number): Promise<Row> => [
    `GET ${name}, ${CLIENTS} clients${suffix}`,
    await loadByToken(lab, token, `${below}/${path}`, count),
  ];
  const page = async (name: string, path: string): Promise<Row> => {
    using client = await keepAlive(server.url, token, `/project/${projectId}/${path}`);
    await timeEach(30, client.get); // A new server compiles its code first.
    return [`page: ${name}${suffix}`, times(await timeEach(50, client.get))];
  };
  yield await page("list of 500 templates", "templates");
  yield await page("history", "history");
  yield await calls("keys (2)", "keys", 20_000);
  yield await calls("templates (500)", "templates", 500);
  yield await calls("tasks/last (200)", "tasks/last", 3_000);
  yield await calls("events/last (200)", "events/last?limit=200", 3_000);
  yield [
    `POST tasks, ${CLIENTS} clients${suffix}`,
    await load(200, CLIENTS, () => startTask(lab, lab.localTemplateId)),
  ];
}

/**
 * Requests the same path over several connections in parallel. Half as many requests come first and
 * do not count.
 */
async function loadByToken({ server }: Lab, token: string, path: string, count: number) {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => keepAlive(server.url, token, path)),
  );
  const get = async (each: number) =>
    (await Promise.all(clients.map((client) => timeEach(each, client.get)))).flat();
  try {
    await get(count / CLIENTS / 2);
    const startedAt = performance.now();
    const values = await get(count / CLIENTS);
    return { rate: perSecond(count, performance.now() - startedAt), ...times(values) };
  } finally {
    for (const client of clients) client[Symbol.dispose]();
  }
}
