import assert from "node:assert/strict";
import { addCounted, countAgain, countOf, removeCounted } from "./counted.ts";
import { rowKeys } from "./keys.ts";
import type { Store } from "./store.ts";
import { openStore } from "./file/open_store.ts";

const LIST = rowKeys.tasksByTemplate(7, 1);

Deno.test("rows that another server adds during counting are counted", async () => {
  using kv = await openStore(":memory:");
  await kv.set([...LIST, 1], true);
  let isOther = true;
  const counting = new Proxy(kv, {
    get(target, name) {
      const member = target[name as keyof Store];
      if (name !== "atomic") return typeof member === "function" ? member.bind(target) : member;
      return () => {
        const op = target.atomic();
        const commit = op.commit.bind(op);
        op.commit = async () => {
          if (isOther) {
            isOther = false;
            const added = target.atomic();
            addCounted(added, [...LIST, 2]);
            await added.commit();
          }
          return await commit();
        };
        return op;
      };
    },
  });
  await countAgain(counting, ["tasks_by_template"]);
  assert.equal(await countOf(kv, [LIST]), 2);
});

Deno.test("deleting a row that was never counted does not change the counts of other lists", async () => {
  using kv = await openStore(":memory:");
  const other = rowKeys.tasksByTemplate(7, 2);
  const op = kv.atomic();
  addCounted(op, [...other, 1]);
  removeCounted(op, [...LIST, 1]);
  await op.commit();
  assert.equal(await countOf(kv, [LIST]), 0);
  assert.equal(await countOf(kv, [LIST, other]), 1);
});
