import assert from "node:assert/strict";
import { ROLES } from "../model/roles.ts";
import {
  ALL_PERMISSIONS,
  covers,
  grants,
  maskForClients,
  maskOf,
  namesIn,
  type Permission,
  PERMISSION_NAMES,
  PERMISSIONS,
  permissionsOf,
  RUN_PERMISSIONS,
} from "./permissions.ts";

Deno.test("each permission is a bit of its own", () => {
  const bits = Object.values(PERMISSIONS);
  assert.equal(new Set(bits).size, bits.length);
  assert.ok(bits.every((bit) => Number.isInteger(Math.log2(bit))));
  assert.equal(bits.reduce((mask, bit) => mask | bit, 0), ALL_PERMISSIONS);
});

Deno.test("the mask for clients is as before for the fixed roles", () => {
  const masks = ROLES.map((role) => maskForClients(permissionsOf(role)));
  assert.deepEqual(masks, [15, 5, 1, 0]);
});

Deno.test("the mask for clients is that of the largest fixed role in it", () => {
  const table: [Permission[], number][] = [
    [[], 0],
    [["run_tasks"], 0],
    [["run_tasks", "see_all_tasks", "read_output"], 0],
    [namesIn(permissionsOf("task_runner")), 1],
    [[...namesIn(permissionsOf("task_runner")), "manage_keys", "manage_resources"], 1],
    [[...namesIn(permissionsOf("task_runner")), "update_project", "manage_users"], 1],
    [[...namesIn(permissionsOf("manager")), "add_people"], 5],
    [PERMISSION_NAMES.filter((name) => name !== "read_output"), 0],
    [PERMISSION_NAMES.filter((name) => name !== "update_project"), 5],
    [PERMISSION_NAMES, 15],
  ];
  for (const [names, mask] of table) assert.equal(maskForClients(maskOf(names)), mask, `${names}`);
});

Deno.test("the mask for clients never has more than the whole mask", () => {
  for (let mask = 0; mask <= ALL_PERMISSIONS; mask++) {
    const told = maskForClients(mask);
    assert.ok([15, 5, 1, 0].includes(told) && covers(mask, told), String(mask));
  }
});

Deno.test("a mask and its names are the same", () => {
  for (let mask = 0; mask <= ALL_PERMISSIONS; mask++) {
    const added = grants(mask, "manage_users") ? mask | PERMISSIONS.add_people : mask;
    assert.equal(maskOf(namesIn(mask)), added);
  }
});

Deno.test("each fixed role contains the next one, and triggers only run tasks", () => {
  for (const [n, role] of ROLES.slice(1).entries()) {
    assert.ok(covers(permissionsOf(ROLES[n]), permissionsOf(role)), role);
  }
  assert.equal(permissionsOf("owner"), ALL_PERMISSIONS);
  assert.equal(RUN_PERMISSIONS, permissionsOf("task_runner"));
});
