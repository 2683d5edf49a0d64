/** Time in which a server answers that is there. */
const ANSWER_MS = 3_000;

/** Address that any server answers at once. */
let ping = "";
let isDoubtful = false;

/** Notes whether the server may be away, and the address of the page's own event stream. */
export function doubtServer(is: boolean, events: string): void {
  isDoubtful = is;
  ping = new URL("api/ping", new URL(events, location.href)).href;
}

/** Whether leaving this page could end in the browser's error page, with all input lost. */
export const isServerDoubtful = (): boolean => isDoubtful;

/** Whether a proxy answers in the place of a server that is away. */
export const isOfProxy = (status: number): boolean => status >= 502 && status <= 504;

/** Resolves if the server answers, and throws otherwise. */
export async function assertServerAnswers(): Promise<void> {
  const { status } = await fetch(ping, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (isOfProxy(status)) throw new Error(`${status}`);
}
