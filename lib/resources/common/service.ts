import type { ResourcePermission } from "../../access/permissions.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import type { EventObject } from "../../events/schema.ts";
import { cachedWhile } from "../../store/cached.ts";
import type { Collection } from "../../store/collection.ts";
import type { ResourceRow } from "../../store/rows/long_texts.ts";
import { nextId } from "../../store/ids.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import type { References } from "../../store/references.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import { namingSeen } from "../../references/seen.ts";
import { readTargets, referencesTo, type WantedReferences } from "../../references/service.ts";
import type { SortParams } from "../../references/sort.ts";

/**
 * Use cases of a kind of resource, which people with `P` change. A change and its event are stored
 * together.
 */
export interface ResourceService<
  View,
  Form,
  Change = Form,
  P extends ResourcePermission = "manage_resources",
> {
  list: (scope: ProjectScope, sort?: SortParams) => Promise<View[]>;
  /** Throws not found. */
  get: (scope: ProjectScope, id: number) => Promise<View>;
  /** Throws 404, naming the field, for a target that is not in the project. */
  create: (scope: ProjectScope<P>, form: Form) => Promise<View>;
  /** Throws as `get` and `create` do. Throws 412 if the stored row is not `expected`. */
  update: (scope: ProjectScope<P>, id: number, form: Change, expected?: Expected) => Promise<void>;
  /** Throws not found, 409 naming the users of a resource in use, and 412 as `update` does. */
  delete: (scope: ProjectScope<P>, id: number, expected?: Expected) => Promise<void>;
  /** The objects that use it and prevent its deletion. */
  references: (scope: ProjectScope, id: number) => Promise<References>;
}

/** Definition of a kind of resource. */
interface Kind<Row extends ResourceRow, View, Form, P extends ResourcePermission> {
  rows: Pick<Collection<Row>, "kind" | "list" | "get" | "insert" | "update" | "remove">;
  event: (row: Row) => { object: EventObject; name: string };
  /** Converts a row to the API's form. */
  view: (row: Row) => View;
  /**
   * Fields of the row after `form`. `stored` is null for a new row. May be called more than once.
   */
  fields: (
    scope: ProjectScope<P>,
    form: Form,
    stored: Row | null,
  ) => Fields<Row> | Promise<Fields<Row>>;
  /** References of a row, by the form's fields. */
  targets?: (row: Row) => WantedReferences;
  /** Throws if a target does not fit. They are by the form's fields. */
  checkTargets?: (row: Row, targets: ReadonlyMap<string, unknown>) => void;
  /**
   * The part of a row that `update` changes and its version covers, if other calls change the rest.
   */
  whole?: (row: Row) => object;
  /** Adds to the commit of a change what depends on the row. */
  onChange?: (op: Atomic, row: Row) => void;
}
type Changes<Row extends ResourceRow> = Required<
  Pick<Kind<Row, unknown, unknown, ResourcePermission>, "rows" | "event" | "whole" | "onChange">
>;
type Fields<Row> = Omit<Row, keyof ResourceRow>;

/** Functions that change and delete rows of a kind, each with its event. */
function changesOf<Row extends ResourceRow, P extends ResourcePermission>(
  { rows, event, whole, onChange }: Changes<Row>,
) {
  /** Adds the event of a row's creation, change or deletion to `op`. */
  async function record(
    op: Atomic,
    { deps, actor }: ProjectScope<P>,
    { before, after }: { before: Row | null; after: Row | null },
  ): Promise<void> {
    const row = (after ?? before)!;
    const action = !before ? "created" : after ? "updated" : "deleted";
    const about = { projectId: row.project_id, id: row.id, ...event(row), action };
    const states = { before: before && whole(before), after: after && whole(after) };
    await recordChange(op, deps, actor, about, states);
  }

  /** Changes a row with `change`, which may also add to the operation. */
  async function edit(
    scope: ProjectScope<P>,
    id: number,
    change: (row: Row, op: Atomic) => Row | Promise<Row>,
    expected?: Expected,
  ): Promise<void> {
    const { deps: { kv }, projectId } = scope;
    await transact(kv, async (op) => {
      let before: Row | null = null;
      const after = await rows.update(kv, op, projectId, id, (stored) => {
        requireVersion(whole(stored), expected);
        before = stored;
        return change(stored, op);
      });
      onChange(op, after);
      await record(op, scope, { before, after });
    });
  }

  /** Deletes a row. `release` adds the end of some uses to `op`, and returns the remaining ones. */
  async function remove(
    scope: ProjectScope<P>,
    id: number,
    expected?: Expected,
    release?: (usedBy: Ref[], op: Atomic) => Promise<Ref[]>,
  ): Promise<void> {
    const { deps: { kv }, projectId } = scope;
    const attempt = async (op: Atomic) => {
      const left = release && ((usedBy: Ref[]) => release(usedBy, op));
      const row = await rows.remove(kv, op, projectId, id, left);
      requireVersion(whole(row), expected);
      await record(op, scope, { before: row, after: null });
    };
    await namingSeen(scope, () => transact(kv, attempt));
  }

  return { record, edit, remove };
}

/**
 * The use cases of a kind of resource. A kind with other needs replaces one of these functions with
 * its own, built from `edit` and `remove`.
 */
export function resourceService<
  Row extends ResourceRow,
  View extends object,
  Form,
  P extends ResourcePermission = "manage_resources",
>(
  {
    rows,
    event,
    view,
    fields,
    targets,
    checkTargets,
    whole = (row) => row,
    onChange = () => {},
  }: Kind<Row, View, Form, P>,
) {
  const { record, edit, remove } = changesOf<Row, P>({ rows, event, whole, onChange });
  const viewOf = (row: Row) => versioned(view(row), whole(row));

  /**
   * Converts `form` to a row. Its targets exist, and the commit of `op` fails if one of them
   * changes.
   */
  async function rowOf(
    scope: ProjectScope<P>,
    op: Atomic,
    { id, form, stored }: { id: number; form: Form; stored: Row | null },
  ): Promise<Row> {
    const { deps, projectId } = scope;
    const row = { id, project_id: projectId, ...await fields(scope, form, stored) } as Row;
    if (targets) {
      // Read for every kind: this names the field of a missing target, which the rows cannot.
      const found = await readTargets(deps.kv, op, projectId, targets(row));
      checkTargets?.(row, found);
    }
    return row;
  }

  const service: ResourceService<View, Form, Form, P> = {
    list: ({ deps: { kv }, projectId }) =>
      cachedWhile(
        kv,
        [rowKeys.resourcesStamp(rows.kind)],
        `views of ${rows.kind} of ${projectId}`,
        async () => Object.freeze((await rows.list(kv, projectId)).map(viewOf)) as View[],
      ),
    get: async ({ deps, projectId }, id) => viewOf(await rows.get(deps.kv, projectId, id)),
    async create(scope, form) {
      const { kv } = scope.deps;
      const id = await nextId(kv, rows.kind);
      return await transact(kv, async (op) => {
        const row = await rowOf(scope, op, { id, form, stored: null });
        await rows.insert(kv, op, row);
        await record(op, scope, { before: null, after: row });
        return view(row);
      });
    },
    update: (scope, id, form, expected) =>
      edit(scope, id, (stored, op) => rowOf(scope, op, { id, form, stored }), expected),
    delete: (scope, id, expected) => remove(scope, id, expected),
    references: (scope, id) => referencesTo(scope, [rows.kind, id]),
  };
  return { ...service, edit, remove };
}
