import assert from "node:assert/strict";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { openProject } from "@/lib/access/scope.ts";
import { followTaskLog } from "@/lib/tasks/service.ts";
import { until } from "@/tests/support/basics/until.ts";
import { getTasks } from "@/lib/model/tasks.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Returns the numbers of the lines on a page. */
const shownLines = (html: string) =>
  [...html.matchAll(/id="L(\d+)"/g)].map(([, number]) => Number(number));

/** Returns the targets of a page's links with this text. */
const linksOf = (html: string, text: string) =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/g)]
    .flatMap(([, href, label]) => label === text ? [href.replaceAll("&amp;", "&")] : []);

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

Deno.test("a long output is shown in windows, each as small as the others, with ways to all lines", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  await task.end();
  const open = async (path: string) => await (await world.get("carol", path)).text();
  const newest = await open(task.path);
  assert.deepEqual(shownLines(newest), range(3_001, 5_000));
  assert.match(newest, /Lines 3,001 to 5,000 of 5,000/);
  assert.deepEqual(linksOf(newest, "Newer"), []);
  const [older] = linksOf(newest, "Older");
  const before = await open(older);
  assert.deepEqual(shownLines(before), range(1_001, 3_000));
  assert.deepEqual(shownLines(await open(linksOf(before, "Newer")[0])), range(3_001, 5_000));
  assert.deepEqual(linksOf(before, "Newer").length, 2, "above the lines and below");
  assert.deepEqual(linksOf(before, "Last")[0], task.path);
  const [first] = linksOf(before, "First");
  const beginning = await open(first);
  assert.deepEqual(shownLines(beginning), range(1, 2_000));
  assert.deepEqual(linksOf(beginning, "Older"), []);
  assert.deepEqual(linksOf(beginning, "77"), ["?from=1#L77"], "a line's own address");
  assert.deepEqual(shownLines(await open(`${task.path}?from=4999`)), [4_999, 5_000]);
  for (const odd of ["0", "-3", "x", "9".repeat(30), "6000"]) {
    const shown = shownLines(await open(`${task.path}?from=${odd}`));
    assert.ok(shown.length === 2_000, `from=${odd}: ${shown.length} lines`);
  }
});

Deno.test("a short output has no ways to elsewhere", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 3);
  await task.end();
  const html = await (await world.get("carol", task.path)).text();
  assert.match(html, /Lines 1 to 3 of 3/);
  assert.match(html, /Time zone: UTC/);
  assert.doesNotMatch(html, />Older<|>Newer</);
});

Deno.test("the page of a running task follows from its window on, and not without end", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  const older = await (await world.get("carol", `${task.path}?from=1`)).text();
  assert.deepEqual(shownLines(older), range(1, 2_000), "a full window is not followed");
  const following = (await world.get("carol", task.path)).text();
  await task.write(5_001, 20_000);
  const html = await following;
  assert.deepEqual(shownLines(html), range(3_001, 15_000));
  assert.match(html, /From line 3,001, 5,000 lines so far/);
  assert.match(html, /The task is still running/);
  const [newer] = linksOf(html, "Newer");
  assert.equal(newer, `${task.path}?from=15001`);
  await task.end();
  assert.deepEqual(
    shownLines(await (await world.get("carol", newer)).text()),
    range(15_001, 17_000),
  );
});

Deno.test("the page of a task that waits for a person ends, with the buttons to decide", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const templates = `/api/project/${web.id}/templates/${deploy.id}`;
  const { body: template } = await world.api("mike", "GET", templates);
  await world.api("mike", "PUT", templates, { ...template, require_confirmation: true });
  const tasks = `/api/project/${web.id}/tasks`;
  const { body: task } = await world.api("bob", "POST", tasks, { template_id: deploy.id });
  assert.equal(task.status, "waiting_confirmation");
  const html = await (await world.get("bob", `/project/${web.id}/tasks/${task.id}`)).text();
  assert.match(html, /action="[^"]*\/confirm"/);
  assert.doesNotMatch(html, /still running/);
});

Deno.test("a client that does not read on makes the server read no further", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 200_000);
  await task.end();
  let read = 0;
  const { list } = world.kv;
  world.kv.list = (...args) => {
    const entries = list.apply(world.kv, args as Parameters<typeof list>);
    const { next } = entries;
    entries.next = () => (read++, next.apply(entries));
    return entries as never;
  };
  const api = `/api${task.path}`;
  for (const path of [`${api}/output`, `${api}/raw_output`, `${api}/events`, task.path]) {
    const { body } = await world.get("carol", path);
    const reader = body!.getReader();
    await reader.read();
    read = 0;
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setTimeout(resolve));
    assert.ok(read < 10, `${path}: ${read} chunks`);
    await reader.cancel();
  }
});

Deno.test("a client that leaves early leaves nothing open, though the request's signal stays silent", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 50_000);
  let open = 0;
  const { watch } = world.kv;
  world.kv.watch = ((rows: Deno.KvKey[]) => {
    open++;
    const reader = watch.call(world.kv, rows).getReader();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) controller.enqueue(value as never);
      },
      async cancel() {
        open--;
        await reader.cancel();
      },
    });
  }) as typeof watch;
  for (const path of [`/api${task.path}/events`, task.path]) {
    const { body } = await world.get("carol", path);
    const reader = body!.getReader();
    await reader.read();
    await reader.read();
    assert.ok(open > 0, path);
    await reader.cancel();
    await until(() => open === 0);
  }
});

Deno.test("the whole output is the same array of records as ever, with and without a limit", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  await task.end();
  const ask = async (query: string) =>
    (await world.api("carol", "GET", `/api${task.path}/output${query}`)).body;
  const all = await ask("");
  assert.equal(all.length, 5_000);
  assert.deepEqual(Object.keys(all[0]), ["id", "task_id", "task", "time", "output"]);
  assert.deepEqual(await ask("?after=100&limit=4500"), all.slice(100, 4_600));
  assert.deepEqual(await ask("?after=5000"), []);
});

Deno.test("a task's output is followed in its own project only", async () => {
  await using world = await newWorld();
  const { deps, people, web, lab, deploy } = world;
  const { body: { id } } = await world.api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  const scope = await openProject({ deps, actor: people.dave.actor }, lab.id, "read_output");
  const following = followTaskLog(scope, id, AbortSignal.timeout(5_000));
  await assert.rejects(() => following.next(), { status: 404 });
});

Deno.test("a failed task opens at its failure, unless the address names other lines", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  await task.fail(1_200);
  const open = async (path: string) => await (await world.get("carol", path)).text();
  const failure = await open(task.path);
  assert.ok(shownLines(failure).includes(1_200));
  const [last] = linksOf(failure, "Last");
  assert.deepEqual(shownLines(await open(last)), range(3_001, 5_000));
  assert.deepEqual(shownLines(await open(`${task.path}?line=4000`)).at(-1), 5_000);
  const over = await open(`/project/${world.web.id}/history?t=${task.id}`);
  assert.ok(over.includes("this is line 1200"));
  assert.ok(!over.includes("this is line 5000"));
});

Deno.test("a browser that has run scripts gets the page complete, others as a stream", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 300);
  const open = async (path: string) => {
    const Cookie = `callboard=${world.people.carol.token}; zone=Asia%2FTokyo`;
    const response = await world.request(path, { headers: { Cookie } });
    return await response.text();
  };
  const alive = await open(`${task.path}?line=250`);
  assert.match(alive, /<html[^]*<\/html>/, "it is complete, although the task is running");
  assert.match(alive, /id="task-log"[^>]*data-island/);
  assert.match(alive, /class="log-line log-found" id="L250"/);
  const other = `${task.path}?line=250&amp;scriptless=true`;
  assert.ok(alive.includes(`<noscript><meta http-equiv="refresh" content="0; url=${other}"`));
  assert.match(alive, />\d\d:\d\d:\d\d<\/time>/);

  await task.end();
  const streamed = await open(`${task.path}?line=250&scriptless=true`);
  assert.doesNotMatch(streamed, /id="task-log"|http-equiv="refresh"/);
  assert.deepEqual(shownLines(streamed), range(245, 300));
  assert.ok(streamed.includes(`"${task.path}?line=250"+location.hash);location.reload()`));
});

Deno.test("a comparison is offered where a task succeeded before, and the line of a failure is linked", async () => {
  await using world = await newWorld();
  const failed = await loggedTask(world, 20);
  await failed.fail(12);
  const open = async ({ path }: { path: string }) => await (await world.get("carol", path)).text();
  assert.doesNotMatch(await open(failed), /Compare with/);
  await (await loggedTask(world, 1)).end();
  const later = await loggedTask(world, 20);
  await later.fail(12);
  assert.match(await open(later), /Compare with the last successful task/);
});

Deno.test("the page and the stream of a finished task without an output end", async () => {
  await using world = await newWorld();
  const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
  });
  const [model] = await getTasks(world.kv, [[world.web.id, body.id]]);
  const [{ id }] = await writeHistory(world.kv, model, [{ status: "error" }]);
  const path = `/project/${world.web.id}/tasks/${id}`;
  const html = await (await world.get("carol", path)).text();
  assert.doesNotMatch(html, /The task is still running/);
  assert.deepEqual(shownLines(html), []);
  const events = await (await world.get("carol", `/api${path}/events`)).text();
  assert.match(events, /error/);
});

Deno.test("without a script, the dialog of a task shows its output, and leads to the page that follows it", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 300);
  const dialog = `/project/${world.web.id}/history?t=${task.id}`;
  /** Returns the part of the page that browsers without scripts show. */
  const open = async () => {
    const html = await (await world.get("carol", dialog)).text();
    return html.slice(html.indexOf('id="over"')).replace(/<script.*?<\/script>/gs, "");
  };
  const running = await open();
  assert.match(running, /this is line 300</);
  const follow = `<p class="no-script">The task is still running. <a href="${task.path}">`;
  assert.ok(running.includes(follow));
  await task.fail(80);
  const failed = await open();
  assert.match(failed, /this is line 80</);
  assert.match(failed, /300 lines/);
  assert.doesNotMatch(failed, /No output yet|still running/);
});

Deno.test("a page whose rows cannot be read is an error of its request only", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 3);
  await task.end();
  const list = world.kv.list.bind(world.kv);
  world.kv.list = (selector, options) => {
    if ("prefix" in selector && selector.prefix[0] === "task_retries") throw new Error("disk");
    return list(selector, options);
  };
  assert.equal((await world.get("carol", task.path)).status, 500);
});

Deno.test("a task that was stopped while it waited says so in place of its output", async () => {
  await using world = await newWorld();
  const tasks = `/api/project/${world.web.id}/tasks`;
  const { body: { id } } = await world.api("bob", "POST", tasks, {
    template_id: world.deploy.id,
  });
  const page = `/project/${world.web.id}/tasks/${id}`;
  const dialog = `/project/${world.web.id}/history?t=${id}`;
  assert.match(await (await world.get("carol", dialog)).text(), /log-empty">No output yet/);
  assert.equal((await world.api("bob", "POST", `${tasks}/${id}/stop`, {})).status, 204);
  for (const path of [page, dialog]) {
    const html = await (await world.get("carol", path)).text();
    assert.match(html, /log-empty">This task never began\. Stopped by Bob\.</, path);
    assert.doesNotMatch(html, /No output yet/);
  }
});
