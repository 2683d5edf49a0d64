import assert from "node:assert/strict";
import {
  ADD_ROW,
  moveRow,
  removeRow,
  rowNumbers,
  withoutBlankRows,
  withoutGaps,
  withRows,
} from "./rows.ts";

Deno.test("a new blank row follows the last row", () => {
  const pressed = (values: Record<string, string>) => withRows(values, "vaults", ADD_ROW, "name");
  assert.deepEqual(pressed({ name: "x" }), { name: "x", "vaults.0.name": "" });
  assert.deepEqual(rowNumbers(pressed({ "vaults.4.name": "x" }), "vaults"), [4, 5]);
});

Deno.test("removing a row removes all of its fields and no others", () => {
  const values = {
    "tags.1": "x",
    "vaults.1.name": "a",
    "vaults.1.key": "2",
    "vaults.11.name": "b",
  };
  assert.deepEqual(withRows(values, "vaults", removeRow(1), "name"), {
    "tags.1": "x",
    "vaults.11.name": "b",
  });
  for (const button of ["remove.2", "remove.", "remove", "2", "remove.01"]) {
    assert.deepEqual(withRows(values, "vaults", button, "name"), values, button);
  }
});

Deno.test("blank rows are left out, and the others are numbered without gaps", () => {
  const values = {
    name: "x",
    "vaults.0.name": " ",
    "vaults.3.name": "",
    "vaults.3.key": "2",
    "vaults.7.name": "b",
    "tags.2": "y",
  };
  assert.deepEqual(withoutGaps(withoutBlankRows(values, "vaults")), {
    name: "x",
    "vaults.0.name": "",
    "vaults.0.key": "2",
    "vaults.1.name": "b",
    "tags.0": "y",
  });
});

Deno.test("rows change places, and fields outside of the list stay", () => {
  const values = {
    "name": "a",
    "list.2.x": "two",
    "list.5.x": "five",
    "list.5.y.0": "more",
    "other.5.x": "other",
  };
  const swapped = {
    "name": "a",
    "list.5.x": "two",
    "list.2.x": "five",
    "list.2.y.0": "more",
    "other.5.x": "other",
  };
  assert.deepEqual(withRows(values, "list", moveRow(2, 1), "x"), swapped);
  assert.deepEqual(withRows(values, "list", moveRow(5, -1), "x"), swapped);
  assert.deepEqual(withRows(values, "list", moveRow(2, -1), "x"), values, "it is the first");
  assert.deepEqual(withRows(values, "list", moveRow(9, 1), "x"), values, "it is gone");
});
