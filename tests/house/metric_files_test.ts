import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parser } from "@/tests/packages/promql.ts";
import { countAttempts } from "@/lib/monitoring/metrics/jobs.ts";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { FACTS, registeredRunner } from "@/tests/support/world/runners.ts";
import { watchPass } from "@/lib/store/loop_watch.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const FOLDER = new URL("../../packaging/monitoring/", import.meta.url);
const read = (path: string) => readFile(fileURLToPath(new URL(path, FOLDER)), "utf8");

/** Metrics of Prometheus itself and of its blackbox exporter. */
const FOREIGN = new Set(["up", "probe_ssl_earliest_cert_expiry"]);
/** Labels that Prometheus adds to what it scrapes. */
const SCRAPE_LABELS = ["job", "instance"];

async function temporaryFolder() {
  const path = await Deno.makeTempDir({ prefix: "callboard_metrics_" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Returns the answer of `/metrics`: series of each metric with their labels, types and help. */
async function scrape() {
  await using folder = await temporaryFolder();
  const kv = join(folder.path, "store.kv");
  const config = { kv, metricsToken: "token-of-prometheus" };
  await using world = await newWorld({ kvPath: kv, config });
  await world.get("bob", "/");
  const { metrics } = world.deps;
  const { id } = await registeredRunner(world);
  const runner = await findRunner(world.kv, id);
  await touchRunner(world.deps, runner!, crypto.randomUUID(), FACTS);
  // Series of labels with many values appear with their first value.
  metrics.alertAttempts.inc({ channel: "email", result: "sent" });
  metrics.templateEnds.inc({ project: 1, template: 2, status: "error" });
  countAttempts(metrics, world.deps.workers);
  for (const operation of ["read", "write"]) {
    metrics.storeSeconds.observe({ operation }, 0.001);
    metrics.storeErrors.inc({ operation }, 0);
  }
  const moving = Promise.withResolvers<void>();
  const turn = watchPass(world.kv, "dispatcher", () => moving.promise, -1);
  const cursor = { after: "", sent: null, failing_since: null, reason: null };
  await world.kv.set(rowKeys.auditCursor("syslog"), cursor);
  const response = await world.request("/metrics", {
    headers: { Authorization: "Bearer token-of-prometheus" },
  });
  moving.resolve();
  await turn;
  const lines = (await response.text()).split("\n");
  const heads = (word: string) =>
    new Map(
      lines.filter((line) => line.startsWith(`# ${word} `)).map((line) => {
        const [, , name, ...rest] = line.split(" ");
        return [name, rest.join(" ")];
      }),
    );
  const labels = new Map<string, Set<string>>();
  for (const line of lines.filter((line) => line !== "" && !line.startsWith("#"))) {
    const [, name, inner = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line)!;
    const known = labels.get(name) ?? new Set();
    for (const [, label] of inner.matchAll(/(\w+)="/g)) known.add(label);
    labels.set(name, known);
  }
  return { labels, types: heads("TYPE"), help: heads("HELP") };
}

/** The metrics that an expression reads, with the labels that it selects. */
function readSelectors(expression: string): { metric: string; labels: string[] }[] {
  const selectors: { metric: string; labels: string[] }[] = [];
  parser.parse(expression).iterate({
    enter({ type, name, from, to, node }) {
      assert.ok(!type.isError, `no PromQL at ${from}: ${expression}`);
      const text = expression.slice(from, to);
      if (name === "VectorSelector") selectors.push({ metric: "", labels: [] });
      if (name === "Identifier") selectors.at(-1)!.metric = text;
      if (name === "LabelName" && node.parent?.name === "UnquotedLabelMatcher") {
        selectors.at(-1)!.labels.push(text);
      }
    },
  });
  return selectors;
}

/** Replaces Grafana's own variables, as Grafana does before it asks. */
const withoutVariables = (expression: string) =>
  expression.replace(/\$__(rate_interval|interval|range)/g, "5m");

/** Returns all members of this name at any depth. */
function* members(value: unknown, name: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === name && typeof member === "string") yield member;
    yield* members(member, name);
  }
}

async function readExpressions(): Promise<string[]> {
  const dashboard = JSON.parse(await read("grafana-dashboard.json"));
  const rules = await read("alerts.yml");
  const blocks = rules.matchAll(/^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm);
  const inRules = [...blocks].map(([, folded, plain]) => folded ?? plain);
  assert.equal(inRules.length, rules.match(/- alert:/g)!.length);
  const variables = [...members(dashboard.templating, "definition")].map((definition) =>
    /^label_values\((.*), \w+\)$/.exec(definition)![1]
  );
  return [...members(dashboard, "expr"), ...variables, ...inRules].map(withoutVariables);
}

Deno.test("the selectors of an expression are read through functions, labels and clauses", () => {
  const expression = 'sum by (le, code) (rate(a_bucket{job=~"x|by", code!="5"}[5m] offset 1h)) ' +
    "/ on(instance) group_left(version) topk(3, b_info) unless ignoring(c) d:e > bool 2";
  assert.deepEqual(readSelectors(expression), [
    { metric: "a_bucket", labels: ["job", "code"] },
    { metric: "b_info", labels: [] },
    { metric: "d:e", labels: [] },
  ]);
  assert.throws(() => readSelectors("sum by (le rate(a))"), /no PromQL/);
});

Deno.test("each metric and label in the dashboard and the alert rules is in /metrics", async () => {
  const { labels } = await scrape();
  const expressions = await readExpressions();
  assert.ok(expressions.length > 60, String(expressions.length));
  for (const expression of expressions) {
    for (const { metric, labels: selected } of readSelectors(expression)) {
      if (FOREIGN.has(metric)) continue;
      const known = labels.get(metric);
      assert.ok(known, `${metric} is not in /metrics: ${expression}`);
      for (const label of selected.filter((label) => !SCRAPE_LABELS.includes(label))) {
        assert.ok(known.has(label), `${metric} has no label ${label}: ${expression}`);
      }
    }
  }
});

Deno.test("metrics are named as Prometheus recommends, with help and few labels", async () => {
  const { labels, types, help } = await scrape();
  for (const [name, type] of types) {
    assert.match(name, /^callboard_[a-z]+(_[a-z]+)*$/);
    assert.equal(type === "counter", name.endsWith("_total"), name);
    if (type === "histogram") assert.match(name, /_(seconds|bytes)$/);
    assert.doesNotMatch(name, /_(ms|milliseconds|minutes|kb|mb|megabytes|percent|count|sum)(_|$)/);
    assert.ok(help.get(name), name);
  }
  const known = [
    "status",
    "state",
    "operation",
    "receiver",
    "channel",
    "result",
    "method",
    "code",
    "kind",
    "loop",
    "le",
  ];
  const ids = ["project", "template", "version", "deno", "ansible", "runner", "name"];
  for (const [name, own] of labels) {
    for (const label of own) assert.ok([...known, ...ids].includes(label), `${name}: ${label}`);
  }
});

Deno.test("each alert rule has a severity, a text and a runbook that exists", async () => {
  const rules = (await read("alerts.yml")).split(/(?=^ {6}- alert: )/m).slice(1);
  const operations = await read("../../docs/operations.md");
  const anchors = new Set(
    [...operations.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      title.toLowerCase().replaceAll(" ", "-")
    ),
  );
  for (const rule of rules) {
    const [, name] = /- alert: (Callboard\w+)\n/.exec(rule)!;
    assert.match(rule, /\n {8}for: \d+[mhd]\n/, name);
    assert.match(rule, /severity: (critical|warning|info) /, name);
    for (const part of ["summary", "description"]) assert.match(rule, new RegExp(`${part}: "`));
    const [, anchor] = /runbook: docs\/operations\.md#(\S+)/.exec(rule)!;
    assert.ok(anchors.has(anchor), `${name}: ${anchor}`);
  }
});

Deno.test("each panel of the dashboard says what it shows, in the variables' servers", async () => {
  const { panels, schemaVersion, templating } = JSON.parse(await read("grafana-dashboard.json"));
  assert.ok(schemaVersion >= 39);
  const variables = templating.list.map(({ name }: { name: string }) => name);
  assert.deepEqual(variables, ["datasource", "job", "instance"]);
  const ids = panels.map(({ id }: { id: number }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const shown = panels.filter(({ type }: { type: string }) => type !== "row");
  for (const { title, description, targets, fieldConfig } of shown) {
    assert.ok(description.length > 20, title);
    assert.ok(fieldConfig.defaults.unit, title);
    for (const { expr, datasource } of targets) {
      assert.equal(datasource.uid, "${datasource}", title);
      assert.match(expr, /job=~"\$job"/, title);
    }
  }
});
