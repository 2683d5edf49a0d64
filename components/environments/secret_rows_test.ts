import assert from "node:assert/strict";
import { asSecretChanges, atTheirRows } from "./secret_rows.ts";

Deno.test("Touched secrets are created, updated or deleted, and blank rows are ignored", () => {
  const { values, kept } = asSecretChanges({
    name: "Prod",
    "secrets.0.id": "7",
    "secrets.0.name": "token",
    "secrets.0.type": "var",
    "secrets.0.secret": "",
    "secrets.1.id": "8",
    "secrets.1.name": "old",
    "secrets.1.type": "env",
    "secrets.1.remove": "true",
    "secrets.2.id": "",
    "secrets.2.name": "",
    "secrets.2.type": "var",
    "secrets.4.id": "",
    "secrets.4.name": "fresh",
    "secrets.4.type": "env",
    "secrets.4.secret": "s3cret",
  });
  assert.deepEqual(kept, [0, 1, 4]);
  assert.equal(values.name, "Prod");
  assert.deepEqual([0, 1, 2].map((row) => values[`secrets.${row}.operation`]), [
    "update",
    "delete",
    "create",
  ]);
  assert.equal(values["secrets.2.name"], "fresh");
  assert.equal(values["secrets.1.remove"], undefined);
  assert.equal(values["secrets.4.name"], undefined);
});

Deno.test("An error in a secret is shown at its row", () => {
  const wrong = { key: "errors.required" };
  assert.deepEqual(atTheirRows({ "secrets.2.name": wrong, name: wrong }, [0, 1, 4]), {
    "secrets.4.name": wrong,
    name: wrong,
  });
});
