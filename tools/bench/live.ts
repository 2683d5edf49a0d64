import type { Lab } from "./lab.ts";
import { type Row, times } from "./measure.ts";
import { openMessages } from "./messages.ts";
import { startTask } from "./start_task.ts";

const PAGES = 50;
const TASKS = 40;

/** Returns the address of a page's event stream. */
export const liveAddress = (html: string): string =>
  /data-live="([^"]+)"/.exec(html)![1].replaceAll("&amp;", "&");

/** Number of updates that pages have got. */
export interface Updates {
  count: number;
}

/** Reads the event stream of a page to its end, and counts its updates. */
export async function countUpdates(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  updates: Updates,
): Promise<void> {
  const decoder = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    updates.count += decoder.decode(read.value).split("\n\n").length - 1;
  }
}

/**
 * Measures how long a new task takes to appear as a row on each open page. Each page has a stream.
 */
export async function measureLivePages(lab: Lab): Promise<Row> {
  const { server: { url, cookie }, projectId } = lab;
  const path = `/project/${projectId}/history`;
  const html = await (await fetch(new URL(path, url), { headers: { Cookie: cookie } })).text();
  const live = liveAddress(html);
  const readers: ReadableStreamDefaultReader<string>[] = [];
  const sentAt = new Map<number, number>();
  const values: number[] = [];
  const follow = async () => {
    const response = await fetch(new URL(live, url), { headers: { Cookie: cookie } });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    readers.push(reader);
    const seen = new Set<number>();
    for (;;) {
      const { done, value: text } = await reader.read();
      if (done) return;
      const at = performance.timeOrigin + performance.now();
      const ids = [...text.matchAll(/<tr id="task-(\d+)"/g)].map(([, id]) => Number(id));
      for (const id of ids.filter((id) => !seen.has(id) && sentAt.has(id))) {
        seen.add(id);
        values.push(at - sentAt.get(id)!);
      }
    }
  };
  const streaming = Array.from({ length: PAGES }, follow);
  const messages = await openMessages(lab);
  for (let n = 0; n < TASKS; n++) {
    const at = performance.timeOrigin + performance.now();
    const id = await startTask(lab, lab.noopTemplateId);
    sentAt.set(id, at);
    await messages.wait((message) => message.task_id === id && message.status === "success");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  messages.close();
  // An aborted fetch would leave its body open for ever.
  await Promise.all(readers.map((reader) => reader.cancel()));
  await Promise.all(streaming);
  return [`from POST to the row on ${PAGES} open pages, ${TASKS} tasks`, {
    ...times(values),
    note: `${values.length} of ${PAGES * TASKS} rows`,
  }];
}
