import assert from "node:assert/strict";
import { join } from "node:path";
import { nameAt } from "./backup_files.ts";
import { type Bucket, fetchObject, listObjects, PART_BYTES } from "./s3.ts";
import { uploadBackups } from "./upload.ts";

const STORE = { id: "1a2b3c4d-0000-4000-8000-000000000000", made: "2026-03-02T00:00:00.000Z" };
const NOW = new Date("2026-03-05T12:00:00Z");
const NAME = nameAt(NOW, STORE);

/** Serves a bucket that answers as `answer` says, and holds a backup in its folder. */
async function newStage(
  answer: (method: string, url: URL) => Response | Promise<Response>,
  bytes = 1000,
) {
  const home = await Deno.makeTempDir({ prefix: "callboard_s3_" });
  const folder = join(home, "backups");
  await Deno.mkdir(folder);
  await Deno.writeFile(join(folder, NAME), new Uint8Array(bytes));
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (req) => {
    await req.arrayBuffer();
    return await answer(req.method, new URL(req.url));
  });
  const bucket: Bucket = {
    ...{ endpoint: `http://127.0.0.1:${server.addr.port}`, bucket: "safe", prefix: "" },
    ...{ region: "us-east-1", pathStyle: true, accessKeyId: "callboard", secretAccessKey: "key" },
  };
  return {
    ...{ home, bucket },
    upload: () => uploadBackups({ bucket, folder, dataDir: home, store: STORE, keep: 7, now: NOW }),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(home, { recursive: true });
    },
  };
}

const EMPTY = "<ListBucketResult></ListBucketResult>";

Deno.test("an upload fails if a proxy answers a page to everything", async () => {
  await using stage = await newStage(() => new Response("<html><p>Sign in first</p></html>"));
  await assert.rejects(stage.upload(), /something else than a list of objects/);
});

Deno.test("an upload fails if the bucket does not have the backup afterwards", async () => {
  await using stage = await newStage(() => new Response(EMPTY));
  await assert.rejects(stage.upload(), new RegExp(`does not have ${NAME} after its upload`));
});

Deno.test("a list that is cut or does not end is not taken as a whole one", async () => {
  const key = `<Contents><Key>${"k".repeat(900)}</Key><Size>1</Size></Contents>`;
  const long = `<ListBucketResult>${key.repeat(5000)}</ListBucketResult>`;
  await using cut = await newStage(() => new Response(long));
  await assert.rejects(listObjects(cut.bucket), /something else than a list/);
  const more = "<ListBucketResult><NextContinuationToken>z</NextContinuationToken>" +
    "</ListBucketResult>";
  await using endless = await newStage(() => new Response(more));
  await assert.rejects(listObjects(endless.bucket), /too many objects/);
});

Deno.test("a failure of the service has no control characters", async () => {
  const error = '<Error><Code>No</Code><Message>\x1b[31m\n{"level":"error"}</Message></Error>';
  await using stage = await newStage(() => new Response(error, { status: 403 }));
  await assert.rejects(stage.upload(), {
    message: 'the service answered 403 No:  [31m {"level":"error"}',
  });
});

Deno.test("an upload whose parts the service has lost begins anew", async () => {
  let begun = 0;
  await using stage = await newStage((method, { searchParams }) => {
    if (method === "GET") return new Response(EMPTY);
    if (searchParams.has("uploads")) {
      return new Response(`<R><UploadId>${++begun}</UploadId></R>`);
    }
    if (method === "PUT") return new Response("", { headers: { ETag: '"part"' } });
    return new Response("<Error><Code>InvalidPart</Code></Error>", { status: 400 });
  }, PART_BYTES + 1);
  await assert.rejects(stage.upload(), /InvalidPart/);
  await assert.rejects(stage.upload(), /InvalidPart/);
  assert.equal(begun, 2);
});

Deno.test("a backup that ends too early is not fetched, and leaves nothing", async () => {
  const half = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(500));
        controller.error(new Error("gone"));
      },
    });
  await using stage = await newStage(() => new Response(half()));
  const to = join(stage.home, "backup.age");
  await assert.rejects(fetchObject(stage.bucket, NAME, to), {
    name: "ConfigError",
    message: `The service did not send all of ${NAME}. Try again.`,
  });
  const left = [...Deno.readDirSync(stage.home)].map(({ name }) => name);
  assert.deepEqual(left, ["backups"]);
});
