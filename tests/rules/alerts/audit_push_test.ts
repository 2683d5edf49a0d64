import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "@/lib/store/file/open_store.ts";
import { openOutbox } from "@/lib/store/outbox_switch.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { recordEvent } from "@/lib/events/record.ts";
import { readAuditLags } from "@/lib/events/cursors.ts";
import { conceal } from "@/lib/base/secret.ts";
import { fileReceiver } from "@/lib/audit/file.ts";
import { httpsReceiver } from "@/lib/audit/https.ts";
import { pushBatch, startPushing } from "@/lib/audit/push.ts";
import type { AuditRecord } from "@/lib/audit/record.ts";
import type { Receiver } from "@/lib/audit/sink.ts";
import { syslogReceiver } from "@/lib/audit/syslog.ts";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { until } from "@/tests/support/basics/until.ts";

const HOUR_MS = 3_600_000;

/** A store whose events go into the outbox, with a clock that only moves when it is told to. */
async function newStage() {
  const kv = await openStore(":memory:");
  await openOutbox(kv);
  const folder = await Deno.makeTempDir({ prefix: "callboard_audit_" });
  let time = Date.parse("2026-03-01T10:00:00Z");
  const log: { event: string; fields?: Record<string, unknown> }[] = [];
  const deps = {
    kv,
    clock: { now: () => new Date(time) },
    log: (_: string, event: string, fields?: Record<string, unknown>) =>
      void log.push({ event, fields }),
  };
  return {
    ...{ kv, folder, deps, log },
    advance: (ms: number) => void (time += ms),
    async record(from: number, to: number) {
      const actor = { kind: "schedule", id: 1, projectId: 7 } as const;
      for (let first = from; first <= to; first += 10) {
        const op = kv.atomic();
        for (let id = first; id <= Math.min(to, first + 9); id++) {
          time += 1;
          const event = { projectId: 7, object: "key", id, name: `Kéy ${id}` } as const;
          recordEvent(op, deps, actor, { ...event, action: "created" });
        }
        await op.commit();
      }
    },
    /** Sends until there is nothing left, or a send fails. */
    async push(receiver: Receiver) {
      for (;;) {
        const sent = await pushBatch(deps, receiver);
        if (sent !== "more") return sent;
      }
    },
    rows: () => Array.fromAsync(kv.list({ prefix: rowKeys.auditOutbox() })),
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** A syslog server for TLS with octet counting. It keeps the records of each message. */
async function syslogServer(folder: string, port = 0) {
  const ca = await Deno.readTextFile(join(folder, "ca.pem"))
    .catch(() => makeCertificates(folder, "DNS:localhost"));
  const listener = Deno.listenTls({
    ...{ hostname: "127.0.0.1", port },
    cert: await Deno.readTextFile(join(folder, "cert.pem")),
    key: await Deno.readTextFile(join(folder, "key.pem")),
  });
  const records: AuditRecord[] = [];
  const messages: string[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      let left = await new Response(connection.readable).text().catch(() => "");
      while (left !== "") {
        const [head, count] = /^(\d+) /.exec(left)!;
        const message = left.slice(head.length, head.length + Number(count));
        messages.push(message);
        records.push(JSON.parse(message.slice(message.indexOf("{"))));
        left = left.slice(head.length + Number(count));
      }
    }
  })().catch(() => {});
  const { port: bound } = listener.addr as Deno.NetAddr;
  return {
    ...{ ca, records, messages, port: bound },
    async close() {
      listener.close();
      await serving;
    },
  };
}

Deno.test("10,000 events reach a syslog server that was down for an hour, in order, once", async () => {
  await using stage = await newStage();
  const first = await syslogServer(stage.folder);
  const settings = { host: "localhost", port: first.port, ca: first.ca };
  const receiver = syslogReceiver(settings, "callboard.example.com");
  await stage.record(1, 10);
  assert.equal(await stage.push(receiver), "done");
  assert.deepEqual(first.records.map(({ object_id }) => object_id), range(1, 10));
  assert.match(
    first.messages[0],
    /^<109>1 2026-03-01T10:00:00\.001Z callboard\.example\.com callboard - key\.created - \{/,
  );
  assert.equal(first.records[0].object_name, "Kéy 1");
  await first.close();

  await stage.record(11, 5_000);
  assert.equal(await stage.push(receiver), "failed");
  stage.advance(HOUR_MS);
  assert.equal(await stage.push(receiver), "failed");
  const [lag] = await readAuditLags(stage.kv);
  const behindMs = stage.deps.clock.now().getTime() - Date.parse(lag.oldest!);
  assert.ok(behindMs >= HOUR_MS, String(behindMs));
  assert.match(lag.reason!, /refused/);
  await stage.record(5_001, 10_010);

  const again = await syslogServer(stage.folder, first.port);
  assert.equal(await stage.push(receiver), "done");
  assert.deepEqual(again.records.map(({ object_id }) => object_id), range(11, 10_010));
  assert.equal(new Set(again.records.map(({ id }) => id)).size, 10_000);
  assert.deepEqual(await stage.rows(), [], "what was confirmed is removed");
  const [after] = await readAuditLags(stage.kv);
  assert.deepEqual([after.oldest, after.failing_since], [null, null]);
  assert.deepEqual(stage.log.map(({ event }) => event), ["audit_not_sent", "audit_sent_again"]);
  await again.close();
});

Deno.test("events of one commit are as large as any, and arrive in order", async () => {
  await using stage = await newStage();
  const actor = { kind: "schedule", id: 1, projectId: 7 } as const;
  const op = stage.kv.atomic();
  const text = "中".repeat(12_000);
  for (const id of range(1, 14)) {
    const event = { projectId: 7, object: "key", id, name: "Key", action: "updated" } as const;
    recordEvent(op, stage.deps, actor, { ...event, changes: { name: [null, text] } });
  }
  await op.commit();
  const sent: AuditRecord[] = [];
  const receiver: Receiver = {
    name: "file",
    send: (records) => Promise.resolve(void sent.push(...records)),
  };
  assert.equal(await stage.push(receiver), "done");
  assert.deepEqual(sent.map(({ object_id }) => object_id), range(1, 14));
  assert.deepEqual(sent[13].changes, { name: [null, text] });
  assert.deepEqual(await stage.rows(), []);
  const batches = stage.kv.list({ prefix: ["audit_outbox_more"] });
  assert.deepEqual(await Array.fromAsync(batches), []);
});

Deno.test("a certificate of an unknown authority is not trusted", async () => {
  await using stage = await newStage();
  const server = await syslogServer(stage.folder);
  await stage.record(1, 1);
  const receiver = syslogReceiver({ host: "localhost", port: server.port, ca: null }, "here");
  assert.equal(await stage.push(receiver), "failed");
  assert.deepEqual(server.records, []);
  assert.equal((await stage.rows()).length, 1);
  await server.close();
});

Deno.test("a receiver that hangs delays no other", async () => {
  await using stage = await newStage();
  const hung: Receiver = { name: "https", send: () => new Promise(() => {}) };
  const path = join(stage.folder, "audit.log");
  const loops = [hung, fileReceiver(path)].map((one) =>
    startPushing(stage.deps, one, { shared: false })
  );
  await stage.record(1, 3);
  const lines = async () => (await Deno.readTextFile(path).catch(() => "")).split("\n").length - 1;
  await until(async () => await lines() === 3);
  assert.equal((await stage.rows()).length > 0, true, "the other still needs them");
  await Promise.all(loops.map((loop) => loop.stop()));
});

Deno.test("two servers on one store send each event once, in order", async () => {
  await using stage = await newStage();
  const path = join(stage.folder, "store.kv");
  const stores = [await openStore(path), await openStore(path)];
  const order: string[] = [];
  for (const kv of stores) await openOutbox(kv);
  const loops = stores.map((kv) => {
    const send = async (records: AuditRecord[]) => {
      await new Promise((go) => setTimeout(go, 5));
      order.push(...records.map(({ object_name }) => object_name));
    };
    const deps = { ...stage.deps, kv };
    return startPushing(deps, { name: "https", send } as Receiver, { shared: true });
  });
  const names = range(1, 300).map((id) => `Key ${id}`);
  for (const [n, name] of names.entries()) {
    const op = stores[n % 2].atomic();
    const actor = { kind: "schedule", id: 1, projectId: 7 } as const;
    stage.advance(1);
    const event = { projectId: 7, object: "key", id: n, name, action: "created" } as const;
    recordEvent(op, { ...stage.deps, kv: stores[n % 2] }, actor, event);
    await op.commit();
  }
  await until(() => order.length >= names.length);
  await Promise.all(loops.map((loop) => loop.stop()));
  assert.deepEqual(order, names);
  for (const kv of stores) kv.close();
});

Deno.test("a file has one line for each event, is private, and is created again after a rotation", async () => {
  await using stage = await newStage();
  const path = join(stage.folder, "audit.log");
  const receiver = fileReceiver(path);
  await stage.record(1, 2);
  await stage.push(receiver);
  await Deno.rename(path, `${path}.1`);
  await stage.record(3, 3);
  await stage.push(receiver);
  const idsIn = async (file: string) =>
    (await Deno.readTextFile(file)).trimEnd().split("\n").map((line) => JSON.parse(line).object_id);
  assert.deepEqual(await idsIn(`${path}.1`), [1, 2]);
  assert.deepEqual(await idsIn(path), [3]);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
});

/** An HTTPS server that answers each request with the next of `answers`. */
async function httpsServer(folder: string, ...answers: [status: number, body: string][]) {
  const ca = await makeCertificates(folder, "DNS:localhost");
  const requests: { token: string | null; body: string }[] = [];
  const options = {
    ...{ hostname: "127.0.0.1", port: 0, onListen() {} },
    cert: await Deno.readTextFile(join(folder, "cert.pem")),
    key: await Deno.readTextFile(join(folder, "key.pem")),
  };
  const server = Deno.serve(options, async (request) => {
    requests.push({ token: request.headers.get("authorization"), body: await request.text() });
    const [status, body] = answers.shift() ?? [200, "{}"];
    return new Response(body, { status });
  });
  return { ca, requests, url: `https://localhost:${server.addr.port}/x`, server };
}

Deno.test("Splunk gets its events with the token, again after an error", async () => {
  await using stage = await newStage();
  const { ca, requests, url, server } = await httpsServer(stage.folder, [503, "busy"]);
  const settings = { url, ca, format: "splunk", token: conceal("t0ken") } as const;
  const receiver = httpsReceiver(settings, "here");
  await stage.record(1, 2);
  assert.equal(await stage.push(receiver), "failed");
  assert.equal((await readAuditLags(stage.kv))[0].reason, "503 busy");
  assert.equal(await stage.push(receiver), "done");
  assert.equal(requests[1].token, "Splunk t0ken");
  const events = requests[1].body.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(events.map(({ event }) => event.object_id), [1, 2]);
  const { event: _, ...about } = events[0];
  assert.deepEqual(about, {
    time: 1772359200.001,
    host: "here",
    source: "callboard",
    sourcetype: "callboard:audit",
  });
  await server.shutdown();
});

Deno.test("Elastic gets each id once: a known id is not an error, others are", async () => {
  await using stage = await newStage();
  const item = (status: number, reason?: string) => ({
    create: { status, ...reason && { error: { reason } } },
  });
  const { ca, requests, url, server } = await httpsServer(
    stage.folder,
    [200, JSON.stringify({ errors: true, items: [item(201), item(400, "no mapping")] })],
    [200, JSON.stringify({ errors: true, items: [item(409, "exists"), item(201)] })],
  );
  const receiver = httpsReceiver({ url, ca, format: "elastic", token: conceal("key") }, "here");
  await stage.record(1, 2);
  assert.equal(await stage.push(receiver), "failed");
  assert.equal((await readAuditLags(stage.kv))[0].reason, "400 no mapping");
  assert.equal(await stage.push(receiver), "done");
  assert.equal(requests[1].token, "ApiKey key");
  const lines = requests[1].body.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines[0], { create: { _id: lines[1].id } });
  assert.equal(lines[1]["@timestamp"], lines[1].time);
  assert.deepEqual([lines[1].params, lines[1].changes], ["{}", null]);
  assert.equal(lines.length, 4);
  await server.shutdown();
});

Deno.test("unsent events outlive their project and its retention, but not 30 days", async () => {
  await using stage = await newStage();
  await stage.record(1, 3);
  for await (const { key } of stage.kv.list({ prefix: ["events"] })) {
    await stage.kv.delete(key);
  }
  const failing: Receiver = { name: "file", send: () => Promise.reject(new Error("disk full")) };
  stage.advance(29 * 24 * HOUR_MS);
  await stage.push(failing);
  assert.equal((await stage.rows()).length, 1);
  stage.advance(2 * 24 * HOUR_MS);
  await stage.push(failing);
  assert.equal((await stage.rows()).length, 0);
  assert.equal(stage.log.at(-1)!.event, "audit_events_dropped");
});
