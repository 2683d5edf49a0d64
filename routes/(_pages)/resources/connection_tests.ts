import * as z from "zod";
import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { idField } from "@/lib/base/fields.ts";
import {
  inventoryBody,
  type InventoryForm,
  inventoryForm,
} from "@/lib/resources/inventories/schema.ts";
import { repositoryForm } from "@/lib/resources/repositories/schema.ts";
import { optionalBranchField } from "@/lib/connection_tests/schema.ts";
import {
  fetchedChoices,
  pingInventory,
  repositoryChoices,
  testInventory,
  testRepository,
} from "@/lib/connection_tests/service.ts";
import { readInventoryForm } from "./inventories.ts";
import { parseValues, saveForm } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

interface Item {
  id: number;
}

/** Returns the typed values with a placeholder name, because a test does not require one. */
const nameless = (values: FormValues) => ({ ...values, name: values.name?.trim() || "?" });

/** Tests the connection to the typed repository. Returns null unless its button was pressed. */
export async function repositoryTest(
  scope: ProjectScope,
  item: (Item & { git_url: string }) | null,
  values: FormValues,
) {
  if (!values.test) return null;
  const form = parseValues(nameless(values), repositoryForm(item?.git_url));
  return await saveForm(
    form,
    async (value) =>
      await testRepository(await reopen(scope, "manage_resources"), value, item?.id ?? null),
  );
}

/** Tests reading the typed inventory. Its keys are not needed for this. */
export const inventoryTest = async (scope: ProjectScope, item: Item | null, typed: FormValues) =>
  typed.test === "typed"
    ? await tryTyped(
      typed,
      inventoryBody,
      async (value) =>
        await testInventory(await reopen(scope, "manage_resources"), value, item?.id ?? null),
    )
    : null;

/** Pings the hosts of the typed inventory. */
export const inventoryPing = async (scope: ProjectScope, item: Item | null, typed: FormValues) =>
  typed.test === "ping"
    ? await tryTyped(
      typed,
      inventoryForm,
      async (value) =>
        await pingInventory(await reopen(scope, "manage_resources"), value, item?.id ?? null),
    )
    : null;

async function tryTyped<Found>(
  typed: FormValues,
  schema: z.ZodType<InventoryForm>,
  attempt: (form: InventoryForm) => Promise<Found>,
) {
  const { values, errorsAt } = readInventoryForm(typed);
  const tried = await saveForm(parseValues(nameless(values), schema), attempt);
  return tried.ok || !errorsAt ? tried : { ...tried, errors: errorsAt(tried.errors) };
}

const chosen = z.object({ repository_id: idField, git_branch: optionalBranchField });

/** Lists the contents of the repository selected in a template's form, in the typed branch. */
async function loadFromRepository(
  scope: ProjectScope,
  values: FormValues,
  choicesOf: typeof repositoryChoices,
) {
  const manager = await reopen(scope, "manage_resources");
  return await saveForm(
    parseValues(values, chosen),
    ({ repository_id, git_branch }) => choicesOf(manager, repository_id, git_branch || null),
    [400, 404, 422, 429],
  );
}

/** Lists the contents as the last task or test has fetched them, if one has. */
export const loadFetched = (scope: ProjectScope, values: FormValues) =>
  loadFromRepository(scope, values, fetchedChoices);

/** Lists the latest contents. */
export const loadLatest = (scope: ProjectScope, values: FormValues) =>
  loadFromRepository(scope, values, repositoryChoices);
