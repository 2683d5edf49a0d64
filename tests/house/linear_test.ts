import { workOf } from "@/tests/support/basics/work.ts";
import assert from "node:assert/strict";
import * as z from "zod";
import { negotiated } from "@/lib/i18n/negotiate.ts";
import { ansiSpans } from "@/lib/output/ansi.ts";
import { lineFinder } from "@/lib/output/finder.ts";
import { createHighlighter } from "@/lib/output/highlighter.ts";
import { highlightedSpans } from "@/lib/output/highlights.ts";
import { createPause } from "@/lib/base/time/pause.ts";
import { buildRows } from "@/lib/maintenance/backup/build.ts";
import { chooseAliases } from "@/lib/maintenance/backup/choose_aliases.ts";
import { exportProject } from "@/lib/maintenance/backup/export.ts";
import { uniqueNames } from "@/lib/maintenance/backup/names.ts";
import { backupSchema } from "@/lib/maintenance/backup/schema.ts";
import { changeSecrets } from "@/lib/resources/environments/secrets.ts";
import { parseOutputs } from "@/lib/execution/ansible/results/outputs_file.ts";
import { lineSplitter } from "@/lib/execution/log/output.ts";
import { indexSecrets, redactor } from "@/lib/execution/log/redaction.ts";
import { getCookies } from "@/lib/http/cookies.ts";
import { formValues, parseForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { unfoldSurvey } from "@/routes/(_pages)/templates/survey_form.ts";
import { decide } from "@/lib/people/group_rules/decide.ts";
import { isComplete } from "@/lib/people/sso/profile.ts";
import { isTooDeep, memberTexts, parseExact } from "@/lib/base/text/exact_json.ts";
import {
  inventoryError,
  inventoryWarnings,
  isEmptyInventory,
} from "@/lib/execution/ansible/inventory/inventory_warnings.ts";
import { hostsOf } from "@/lib/resources/inventories/static_hosts.ts";
import { excerptOfText, rankOf, wantedOf } from "@/lib/search/rank.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { jsonAtPath, parsePayload } from "@/lib/triggers/webhooks/incoming.ts";
import { openStore } from "@/lib/store/file/open_store.ts";

/** Prepares the most awkward input of about that size, and returns the work to do with it. */
type Surface = (size: number) => () => unknown;

/**
 * Work done with texts and lists from outside, each with a size that shows its growth. The time of
 * patterns is tested in `patterns_test.ts`, because it does not appear as steps that can be
 * counted.
 */
const SURFACES: Record<string, [number, Surface]> = {
  "a form of one name": [450, (size) => () => readForm(post("a=1&".repeat(size)))],
  "a form of deep names": [30, (size) => {
    const body = Array.from({ length: size }, (_, n) => `${"a.".repeat(99)}${n}=1`).join("&");
    return () => parseForm(post(body), z.object({ a: z.unknown() }));
  }],
  "what a form shows": [500, (size) => {
    const stored = { rows: Array.from({ length: size }, (_, n) => ({ name: `${n}` })) };
    return () => formValues(stored);
  }],
  "masking a secret of one letter": [
    500,
    (size) => masking("a".repeat(size), "a".repeat(9 * size)),
  ],
  "masking a secret that nearly comes": [
    500,
    (size) => masking(`${"a".repeat(size)}b`, "a".repeat(9 * size)),
  ],
  "a file of outputs": [300, (size) => {
    const text = "a<<END\nEND\nb=<<c\nd<e\n".repeat(size) + "x<<y\n".repeat(size);
    return () => parseOutputs(text);
  }],
  "a cookie header": [300, (size) => {
    const headers = new Headers({
      cookie: Array.from({ length: size }, (_, n) => `c${n}=%41`).join("; "),
    });
    return () => getCookies(headers);
  }],
  "an Accept-Language header": [300, (size) => {
    const header = Array.from({ length: size }, (_, n) => `x${n};q=0.${n % 10}`).join(",");
    return () => negotiated(header, ["en"]);
  }],
  "what a provider says of somebody": [300, (size) => {
    const groups = Array.from({ length: size }, (_, n) => `g${n}`);
    const claims = { groups, email: `a${"b".repeat(size)}@x.example`, name: "{{ ".repeat(size) };
    const rule = { provider: "", claim: "groups", gives: "admin" as const, project_id: null };
    const rules = Array.from({ length: 9 }, (_, n) => ({ ...rule, value: `h${n}` }));
    const settings = {
      username_claim: "a.b|{{ .name }}",
      name_claim: "name",
      email_claim: "email",
    };
    return () => [
      decide(rules, { provider: "", claims }),
      isComplete(claims, settings, ["groups"]),
    ];
  }],
  "hosts of an INI inventory": [300, (size) => {
    const text = "[a]\nw[1:9] x=1\n".repeat(size) + "[".repeat(size);
    return () => hostsOf("static", text);
  }],
  "hosts of a YAML inventory": [300, (size) => {
    const text = "all:\n  hosts:\n".repeat(size) + "    a:\n".repeat(size) + "a:".repeat(size);
    return () => hostsOf("static-yaml", text);
  }],
  "a text that is searched": [300, (size) => {
    const [text, wanted] = ["xab ".repeat(size), wantedOf("ab")];
    return () => [rankOf(text, wanted), excerptOfText(text, wanted)];
  }],
  "numbers of JSON": [1000, (size) => {
    const text = `[${"1.".repeat(size).replaceAll(".", ".0,")}"${"1.".repeat(size)}-0 "]`;
    return () => [isTooDeep(parseExact(text)), memberTexts(`{"a":${text}}`)];
  }],
  "warnings about an inventory": [300, (size) => {
    const text = "[WARNING]: Failed to parse inventory with 'a' plugin: x\n \n".repeat(size) +
      "[WARNING]: Unable to parse ".repeat(size);
    return () => [inventoryWarnings(text), isEmptyInventory(text), inventoryError(text)];
  }],
  "a webhook's JSON": [1000, (size) => {
    const text = `[${"1e400,".repeat(size)}{"a":1}]`;
    return () => jsonAtPath(parsePayload(text), `[${size}].a`);
  }],
  "colours of a line": [200, (size) => () => ansiSpans("\x1b[1m\x1b[31;4mx\r\u202e".repeat(size))],
  "a search in a log": [500, (size) => {
    const lines = `${"x".repeat(99)}\n`.repeat(size);
    const find = lineFinder({ text: "y", isRegex: false, isExact: false }, "q");
    return async () => (await find)(lines, createPause());
  }],
  "an expression that others would not get to the end of": [50, (size) => {
    const lines = `${"x".repeat(99)}\n`.repeat(size);
    const find = lineFinder({ text: "(x+x+)+[yz]", isRegex: true, isExact: true }, "q");
    return async () => (await find)(lines, createPause());
  }],
  "what is marked in a line": [200, (size) => {
    const line = { id: 1, time: "", output: "\x1b[1mxy\x1b[31m\u202e".repeat(size) };
    const mark = createHighlighter({ text: "y", isRegex: true, isExact: true });
    return async () => {
      const [{ output, marks }] = await (await mark)([line]);
      highlightedSpans(output, marks);
    };
  }],
  "lines of output": [2000, (size) => () => {
    const { write, end } = lineSplitter(() => {});
    return write("x\ry".repeat(size)).then(() => write("\n".repeat(size))).then(end);
  }],
  "names that are there twice": [300, (size) => {
    const rows = Array.from({ length: size }, (_, id) => ({ id, name: "Nightly" }));
    return () => uniqueNames(rows);
  }],
  "a backup of a project": [100, (size) => {
    const rows = restored(backupOf(size));
    return async () => exportProject(await rows, "2.10");
  }],
  "a project of a backup": [50, (size) => {
    const file = backupOf(size);
    return () => restored(file);
  }],
  "addresses in a backup": [50, (size) => async () => {
    using kv = await openStore(":memory:");
    const aliases = Array.from(
      { length: size },
      (_, id) => ({ id, text: `${id}`.padStart(20, "a") }),
    );
    await chooseAliases(kv, { ...await restored(backupOf(0)), aliases });
  }],
  "an environment's secrets": [25, (size) => {
    const changes = Array.from({ length: size }, (_, at) => ({
      operation: "create" as const,
      id: at,
      type: "env" as const,
      name: `v${at}`,
      secret: "",
      sealed: new Uint8Array(1),
      source: null,
      place: null,
      at,
    }));
    return () => changeSecrets([], changes);
  }],
  "choices of a survey": [
    300,
    (size) => () => unfoldSurvey({ "survey_vars.0.choices": "a = b\n".repeat(size) }),
  ],
  "indexing secrets": [2, (size) => {
    const secrets = Array.from({ length: size }, (_, n) => `${n}`.padStart(4, "0").repeat(2000));
    return () => indexSecrets(secrets);
  }],
};

/** Requests that anyone can send, by their size. */
const REQUESTS: Record<string, (size: number) => [path: string, headers?: HeadersInit]> = {
  "a path of many parts": (size) => [`/${"a/".repeat(size)}`],
  "a path of slashes": (size) => [`/x${"/".repeat(size)}x/`],
  "a query": (size) => [`/auth/login?${"a=1&".repeat(size)}`],
  "headers of proxies": (size) => ["/auth/login", {
    "X-Forwarded-For": "1.2.3.4, ".repeat(size),
    "Accept-Language": "de;q=0.5, ".repeat(size),
    Cookie: "callboard=x; ".repeat(size),
    Range: `bytes=${"0-1,".repeat(size)}`,
    Authorization: `Bearer ${"x ".repeat(size)}`,
    "If-None-Match": '"x", '.repeat(size),
  }],
};

const post = (body: string) =>
  new Request("http://test/", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body,
  });

const TIMES = { cron_format: "0 4 * * *", active: true };

/** A backup in which as many things as possible have the same name. */
function backupOf(size: number) {
  const many = <Entry>(make: (n: number) => Entry) =>
    Array.from({ length: size }, (_, n) => make(n));
  return backupSchema.parse({
    meta: { name: "Web" },
    keys: [
      { name: "Key", type: "none" },
      ...many((n) => ({ name: `Key (${n})`, original_name: "Key", type: "none" })),
    ],
    repositories: [{
      name: "Plays",
      git_url: "https://example.org/x.git",
      git_branch: "main",
      ssh_key: "Key",
    }],
    environments: [{ name: "Empty" }],
    inventories: many((n) => ({ name: `Inventory ${n}`, type: "static", ssh_key: `Key (${n})` })),
    templates: many((n) => ({
      name: `Template ${n}`,
      playbook: "site.yml",
      repository: "Plays",
      environment: "Empty",
      inventory: `Inventory ${n}`,
      schedules: [TIMES],
    })),
    integrations: many((n) => ({
      name: "Hook",
      template: `Template ${n}`,
      aliases: [`hook-${n}`],
    })),
  });
}

const restored = (file: ReturnType<typeof backupOf>) =>
  buildRows(file, { projectId: 1, now: new Date(0), people: new Map(), idOf: (_, at) => at + 1 });

/** Masks output that arrives in reads of a hundred units. */
function masking(secret: string, output: string) {
  const index = indexSecrets([secret]);
  const reads = Array.from(
    { length: output.length / 100 },
    (_, n) => output.slice(n * 100, (n + 1) * 100),
  );
  return () => {
    const { write, end } = redactor(index);
    reads.forEach(write);
    end();
  };
}

/**
 * Four times the input may cost more than four times the work, because lists grow in leaps.
 * Quadratic growth would be sixteen times.
 */
const GROWTH_MAX = 7;
/** Bytes that the counting itself allocates, roughly. */
const BYTES_AROUND = 3_000_000;

for (const [name, [size, surface]] of Object.entries(SURFACES)) {
  Deno.test(`four times the input is four times the work: ${name}`, () => compare(surface, size));
}

for (const [name, request] of Object.entries(REQUESTS)) {
  Deno.test(`four times the request is four times the work: ${name}`, async () => {
    await using world = await newWorld();
    await compare((size) => {
      const [path, headers] = request(size);
      return async () => void await (await world.request(path, { headers })).text();
    }, 1000);
  });
}

async function compare(surface: Surface, size: number) {
  await surface(size)();
  const once = await workOf(surface(size));
  const bytesMax = GROWTH_MAX * once.bytes + BYTES_AROUND;
  let more = await workOf(surface(4 * size));
  // V8 counts allocated bytes in leaps, some of which belong to earlier work.
  for (let n = 0; n < 2 && more.bytes >= bytesMax; n++) more = await workOf(surface(4 * size));
  const told = JSON.stringify({ once, more });

  assert.ok(more.steps < GROWTH_MAX * once.steps + 1000, told);
  assert.ok(more.searched < GROWTH_MAX * once.searched + 1000, told);
  assert.ok(more.bytes < bytesMax, told);
}
