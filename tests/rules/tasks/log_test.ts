import assert from "node:assert/strict";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Returns the numbers of the lines on a page. */
const shownLines = (html: string) =>
  [...html.matchAll(/id="L(\d+)"/g)].map(([, number]) => Number(number));

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

Deno.test("a task opens over a page at its end, or at the line that the address names", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  await task.end();
  const open = async (query: string) =>
    await (await world.get("carol", `/project/${world.web.id}/history?t=${task.id}${query}`))
      .text();
  const newest = await open("");
  assert.deepEqual(shownLines(newest), range(4_801, 5_000));
  assert.doesNotMatch(newest, /class="[^"]*log-found/);
  const named = await open("&line=812");
  assert.deepEqual(shownLines(named), range(713, 912));
  assert.match(named, /class="log-line log-found" id="L812"/);
  assert.doesNotMatch(named, /class="log-number"[^>]*aria-current="true"/, "lines are no pages");
  assert.match(named, /href="[^"]*history\?t=\d+&amp;line=812"/, "each line has its address");
  assert.deepEqual(shownLines(await open("&line=3")), range(1, 103));
  assert.deepEqual(shownLines(await open("&line=5000")), range(4_801, 5_000));
  for (const odd of ["0", "5001", "-3", "x", "9".repeat(30)]) {
    assert.deepEqual(shownLines(await open(`&line=${odd}`)), range(4_801, 5_000), odd);
  }
});

Deno.test("without script, a page goes to a line, and shows the lines that hold a text", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  await task.end();
  const open = async (query: string) =>
    await (await world.get("carol", `${task.path}?${query}`)).text();
  const named = await open("line=812");
  assert.equal(shownLines(named)[0], 807, "a few lines stand before it");
  assert.match(named, /class="log-line log-found" id="L812"/);
  assert.deepEqual(shownLines(await open("q=line+x")), []);
  const matches = await open("q=Line+499");
  assert.deepEqual(shownLines(matches), [499, ...range(4_990, 4_999)]);
  assert.match(matches, /11 matches in lines 1 to 5,000/);
  assert.match(matches, /href="\?line=4990#L4990"/);
  const many = await open("q=line");
  assert.equal(shownLines(many).length, 1_000);
  assert.match(many, /1,000 matches in lines 1 to 1,000/);
  assert.match(many, /href="[^"]*\?q=line&amp;after=1000"/);
  assert.equal(shownLines(await open("q=line&after=1000"))[0], 1_001);
  assert.deepEqual(shownLines(await open("q=LINE+4999&case=on")), []);
  const regex = await open("q=line+49{2}%5B12%5D$&regex=true");
  assert.deepEqual(shownLines(regex), [4_991, 4_992]);
  assert.match(
    await open("q=(&regex=on"),
    /not a valid RE2 regular expression: .*missing closing \)/,
  );
  assert.match(await open("q=%3Cscript%3E"), /value="&lt;script/);
});

Deno.test("a search looks through the whole output, counts, and says how far it came", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  const ask = async (query: string) =>
    (await world.api("carol", "GET", `/api${task.path}/search?${query}`)).body;
  const search = async (query: string) => {
    const { marks, ...found } = await ask(query);
    assert.equal(marks.length, found.lines.length);
    return found;
  };
  const { marks } = await ask("q=LINE%20499");
  assert.deepEqual(marks[0], [[8, 16]]);
  const all = { searched: 5_000, counted: 5_000 };
  const lines = [499, ...range(4_990, 4_999)];
  assert.deepEqual(await search("q=LINE%20499"), { ...all, lines, found: 11 });
  assert.deepEqual(await search("q=LINE%20499&case=true"), { ...all, lines: [], found: 0 });
  assert.deepEqual(await search("q=LINE%20499&after=4995"), {
    ...all,
    lines: range(4_996, 4_999),
    found: 4,
  });
  const none = { lines: [], searched: 0, found: 0, counted: 0 };
  assert.deepEqual(await search(""), none);
  assert.deepEqual(await search("q=%20"), none);
  assert.deepEqual(await search("q=absent"), { ...all, lines: [], found: 0 });
  const told: number[] = [];
  for (let after = 0; after < 5_000;) {
    const { lines, searched, found, counted } = await search(`q=line&after=${after}`);
    assert.ok(lines.length <= 1_000 && searched > after);
    assert.deepEqual([found, counted], [5_000 - after, 5_000], "all are counted");
    told.push(...lines);
    after = searched;
  }
  assert.deepEqual(told, range(1, 5_000), "going on finds each line once");
  await task.write(5_001, 5_002);
  const after = { searched: 5_002, counted: 5_002 };
  assert.deepEqual(await search("q=line&after=5000"), {
    ...after,
    lines: [5_001, 5_002],
    found: 2,
  });
});

Deno.test("an expression finds lines one by one, and what is none, or too big, is refused", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 50);
  await task.print("\x1b[0;31mfatal: [web1]: FAILED!\x1b[0m", "ok", "fatal: nothing");
  const ask = (query: Record<string, string>) =>
    world.api("carol", "GET", `/api${task.path}/search?${new URLSearchParams(query)}`);
  const lines = async (q: string, more = {}) =>
    (await ask({ q, regex: "true", ...more })).body.lines;
  assert.deepEqual(await lines("^FATAL: \\[.*!$"), [51]);
  assert.deepEqual(await lines("^FATAL", { case: "true" }), []);
  assert.deepEqual(await lines("ok\\sfatal"), [], "no line ends are in lines");
  assert.deepEqual(await lines("[12]\\d$"), range(10, 29));
  for (const q of ["(", "a{2000}", "(?=a)", "\\1", "x{900}", "a\nb", "x".repeat(201)]) {
    const { status, body } = await ask({ q, regex: "true" });
    assert.equal(status, 400, q);
    assert.match(body.error, /expression|line breaks|200/, q);
  }
});

Deno.test("output that is searched is answered as output, a page at a time", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  const output = async (query: string) => {
    const answer = await world.get("carol", `/api${task.path}/output?${query}`);
    const lines = (await answer.json()).map(({ id }: { id: number }) => id);
    const header = (name: string) => answer.headers.get(name);
    return { lines, next: header("X-Has-Next"), to: header("X-Searched-To") };
  };
  const found = await world.api("carol", "GET", `/api${task.path}/output?search=line%204999`);
  const { time, ...record } = found.body[0];
  assert.deepEqual(record, { id: 4_999, task_id: task.id, task: "", output: "this is line 4999" });
  assert.ok(!Number.isNaN(Date.parse(time)));
  assert.deepEqual(await output("search=LINE%20499&limit=3"), {
    lines: [499, 4_990, 4_991],
    next: "true",
    to: "4991",
  });
  assert.deepEqual(await output("search=line%20499&after=4991"), {
    lines: range(4_992, 4_999),
    next: "false",
    to: "5000",
  });
  assert.deepEqual((await output("search=%5Eth.*9$&regex=true&limit=2")).lines, [9, 19]);
  assert.equal((await output("")).lines.length, 5_000, "without a search, all lines");
  assert.deepEqual((await output("search=")).lines, []);
});

Deno.test("lines are found as they are shown, through colours", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 0);
  await task.print("\x1b[0;31mfatal: [web\x1b[0m1]: FAILED!", "10%\r20%");
  const search = async (text: string) =>
    (await world.api("carol", "GET", `/api${task.path}/search?q=${encodeURIComponent(text)}`)).body
      .lines;
  assert.deepEqual(await search("FATAL: [web1]"), [1]);
  assert.deepEqual(await search("[0;31m"), []);
  assert.deepEqual(await search("20%"), [2]);
  assert.deepEqual(await search("10%"), [], "overwritten");
});

Deno.test("a stop leads back to where it was asked for, and to no other host", async () => {
  await using world = await newWorld();
  const back = `/project/${world.web.id}/history?status=running`;
  const cases = [[back, back], ["https://evil.example/", "/"], [
    "",
    `templates/${world.deploy.id}`,
  ]];
  for (const [wanted, led] of cases) {
    const { path } = await loggedTask(world, 0);
    const answer = await world.post("bob", `${path}/stop`, { back: wanted });
    assert.equal(answer.status, 303);
    assert.ok(answer.headers.get("Location")!.includes(led), answer.headers.get("Location")!);
  }
});

Deno.test("a task's page says what started it, by name, and with which inventory", async () => {
  await using world = await newWorld();
  const cases = [
    [{}, "Bob"],
    [{ started_by: { kind: "schedule", name: "Nightly" } }, "Nightly (schedule)"],
    [{ started_by: { kind: "autorun", name: "Build shop" } }, "Build shop (automatic deploy)"],
    [{ started_by: { kind: "integration", name: "Git push" } }, "Git push (integration)"],
  ] as const;
  for (const [change, told] of cases) {
    const { id, path, end } = await loggedTask(world, 0);
    await end();
    const key = rowKeys.task(world.web.id, id);
    const { value } = await world.kv.get<TaskRow>(key);
    await world.kv.set(key, { ...value, ...change });
    for (const address of [path, `/project/${world.web.id}/history?t=${id}`]) {
      const html = await (await world.get("bob", address)).text();
      assert.ok(html.includes(`title="Started by: ${told}"`), `${address}: ${told}`);
      assert.ok(html.includes('title="Inventory: Staging (1 host)"'));
      assert.match(html, new RegExp(`href="[^"]*/tasks\\?from=${id}"[^>]*>.*?Run again`));
      const seen = await (await world.get("carol", address)).text();
      assert.doesNotMatch(seen, new RegExp(`tasks\\?from=${id}|tasks/${id}/retry`));
    }
  }
});

Deno.test("an output has parts that can be folded, listed and gone to, and a first failure", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 3);
  await task.print("PLAY [all] ***", "TASK [one] ***", "ok: [a]", "TASK [two] ***");
  await task.print("\x1b[0;31mfatal: [a]: FAILED!\x1b[0m", "PLAY RECAP ***", "a : ok=1");
  const { body } = await world.api("carol", "GET", `/api${task.path}/sections`);
  assert.deepEqual(body, {
    sections: [
      { line: 4, title: "PLAY [all]", depth: 0, failed: 0 },
      { line: 5, title: "TASK [one]", depth: 1, failed: 0 },
      { line: 7, title: "TASK [two]", depth: 1, failed: 1 },
      { line: 9, title: "PLAY RECAP", depth: 0, failed: 0 },
    ],
    has_next: false,
    first_failure: 8,
  });
  const some = await world.api("carol", "GET", `/api${task.path}/sections?skip=1&limit=2`);
  assert.deepEqual(some.body.sections.map(({ line }: { line: number }) => line), [5, 7]);
  assert.equal(some.body.has_next, true);
  await task.end();
  const html = await (await world.get("carol", task.path)).text();
  assert.deepEqual(shownLines(html), range(1, 10));
  assert.equal(html.match(/<details class="log-part reveal" open><summary><div/g)?.length, 4);
  assert.equal(html.match(/<details/g)?.length, html.match(/<\/details>/g)?.length);
  assert.match(html, /href="[^"]*\?line=8#L8">First failure/);
  assert.match(html, /\?line=7#L7"[^>]*>TASK \[two\]<\/a><span class="[^"]*"> 1 failure/);
});

Deno.test("an output is downloaded as text, with times and without", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 0);
  await task.print("\x1b[0;32mok: [a]\x1b[0m", "10%\r20%");
  const text = async (query: string) =>
    await (await world.get("carol", `/api${task.path}/raw_output${query}`)).text();
  assert.equal(await text(""), "\x1b[0;32mok: [a]\x1b[0m\n10%\r20%\n", "as clients know it");
  assert.equal(await text("?plain=true"), "ok: [a]\n20%\n");
  assert.match(
    await text("?plain=true&times=true"),
    /^\d{4}-\S+Z ok: \[a\]\n\d{4}-\S+Z 20%\n$/,
  );
});
