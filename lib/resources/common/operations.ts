import * as z from "zod";
import type { ResourcePermission } from "../../access/permissions.ts";
import { type Operation, operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";
import type { Deps } from "../../access/deps.ts";
import type { ResourceService } from "./service.ts";

type CallName = "list" | "create" | "get" | "update" | "delete" | "references";

/** The differences between kinds of resources, and the service that carries out the calls. */
interface Kind<View, Form, Change, Query, P extends ResourcePermission> {
  /** Parts of the calls' ids: "Key" and "Keys" give `getKey` and `listKeys`. */
  names: [one: string, all: string];
  /** Words of the summaries: "a key" and "keys of a project". */
  nouns: [one: string, allOfOwner: string];
  /** Path below the project's path. */
  path: string;
  /** Name of the id in the paths. */
  param: `${string}Id`;
  tag: string;
  body: z.ZodType<Form>;
  /** Body of an update, which may differ from that of a creation. */
  change: z.ZodType<Change>;
  answer: z.ZodType<unknown, View>;
  /** Returns the service of the owner that the path names. */
  service: (ids: Record<string, number>) => ResourceService<View, Form, Change, P>;
  /** The permission to change them. */
  permission: P;
  sort?: readonly string[];
  /** The query of the list, and the rows that it leaves. */
  filter?: Pick<Operation, "queryNames"> & {
    query: z.ZodType<Query>;
    apply: (all: View[], query: Query) => View[];
  };
  /** Whether nothing refers to it, so that there is no list of uses. */
  isUnused?: boolean;
  /** Whole sentences that the API document shows below a summary. */
  details?: Partial<Record<CallName, string>>;
  /** Statuses of failures in addition to those of every operation. */
  errors?: Partial<Record<CallName, readonly number[]>>;
  /** Status of the answer to a creation, if clients expect another one. */
  createdStatus?: number;
}

/** Returns what the calls of a kind say of themselves. */
const callsOf =
  ({ tag, details, errors }: Described) => (name: CallName, id: string, summary: string) => ({
    tag,
    id,
    summary,
    details: details?.[name],
    errors: errors?.[name],
  });
type Described = Pick<Kind<never, never, never, never, never>, "tag" | "details" | "errors">;

/** The calls of a kind of resource. Members read, people with its permission write. */
export function resourceOperations<View, Form, Change, P extends ResourcePermission, Query = never>(
  { permission, service: serviceOf, ...kind }: Kind<View, Form, Change, Query, P>,
): Operation<Deps>[] {
  const { names: [one, all], nouns: [noun, allOfOwner], param, answer, filter } = kind;
  const access: ResourcePermission = permission;
  // Such a scope has the permission that the kind names, whatever that is.
  const service = serviceOf as Kind<View, Form, Change, Query, ResourcePermission>["service"];
  const path = `/project/{projectId}/${kind.path}` as const;
  const itsPath = `${path}/{${param}}` as const;
  const call = callsOf(kind);
  const read = { method: "GET", access: "member" } as const;
  return [
    operation({
      ...call("list", `list${all}`, `List the ${allOfOwner}`),
      ...read,
      path,
      query: filter?.query,
      queryNames: filter?.queryNames,
      answer: z.array(answer),
      sort: kind.sort,
      async run({ scope, ids, url, query }) {
        const rows = await service(ids).list(scope, url.searchParams);
        return filter ? filter.apply(rows, query) : rows;
      },
    }),
    operation({
      ...call("create", `create${one}`, `Create ${noun}`),
      access,
      method: "POST",
      path,
      body: kind.body,
      answer,
      status: kind.createdStatus,
      run: ({ scope, ids, body }) => service(ids).create(scope, body),
    }),
    operation({
      ...call("get", `get${one}`, `Get ${noun}`),
      ...read,
      path: itsPath,
      answer,
      run: ({ scope, ids }) => service(ids).get(scope, ids[param]),
    }),
    operation({
      ...call("update", `update${one}`, `Update ${noun}`),
      access,
      method: "PUT",
      path: itsPath,
      body: kind.change,
      run: ({ scope, ids, body, expected }) =>
        service(ids).update(scope, ids[param], body, expected),
    }),
    operation({
      ...call("delete", `delete${one}`, `Delete ${noun}`),
      access,
      method: "DELETE",
      path: itsPath,
      run: ({ scope, ids, expected }) => service(ids).delete(scope, ids[param], expected),
    }),
    ...kind.isUnused ? [] : [operation({
      ...call("references", `get${one}References`, `List the uses of ${noun}`),
      ...read,
      path: `${itsPath}/refs`,
      answer: referencesSchema,
      run: ({ scope, ids }) => service(ids).references(scope, ids[param]),
    })],
  ];
}
