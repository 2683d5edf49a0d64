import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";

type CallName = "list" | "create" | "get" | "update" | "delete" | "references";

/** The calls of every kind of resource. Members read, managers write. */
export function resourceOperations<
  Path extends string,
  Param extends `${string}Id`,
  Body extends z.ZodType,
  Change extends z.ZodType,
  Answer extends z.ZodType,
>({ names: [one, all], nouns, path, param, tag, body, change, answer, sort, details, errors }: {
  /** Parts of the calls' ids: "Key" and "Keys" give `getKey` and `listKeys`. */
  names: [one: string, all: string];
  /** Words of the summaries: "a key" and "keys of a project". */
  nouns: [one: string, allOfOwner: string];
  /** Path below the project's path. */
  path: Path;
  /** Name of the id in the paths. */
  param: Param;
  tag: string;
  body: Body;
  /** Body of an update, which may differ from that of a creation. */
  change: Change;
  answer: Answer;
  sort?: readonly string[];
  /** Whole sentences that the API document shows below a summary. */
  details?: Partial<Record<CallName, string>>;
  /** Statuses of failures in addition to those of every operation. */
  errors?: Partial<Record<CallName, readonly number[]>>;
}) {
  const allPath = `/project/{projectId}/${path}` as const;
  const itsPath = `/project/{projectId}/${path}/{${param}}` as const;
  const [noun, allOfOwner] = nouns;
  const summaries: Record<CallName, string> = {
    list: `List the ${allOfOwner}`,
    create: `Create ${noun}`,
    get: `Get ${noun}`,
    update: `Update ${noun}`,
    delete: `Delete ${noun}`,
    references: `List the uses of ${noun}`,
  };
  const described = (call: CallName) => ({
    tag,
    summary: summaries[call],
    details: details?.[call],
    errors: errors?.[call],
  });
  const read = { method: "GET", access: "member" } as const;
  const write = { access: "manage_resources" } as const;
  return {
    list: operation({
      ...described("list"),
      ...read,
      id: `list${all}`,
      path: allPath,
      answer: z.array(answer),
      sort,
    }),
    create: operation({
      ...described("create"),
      ...write,
      id: `create${one}`,
      method: "POST",
      path: allPath,
      body,
      answer,
    }),
    get: operation({ ...described("get"), ...read, id: `get${one}`, path: itsPath, answer }),
    update: operation({
      ...described("update"),
      ...write,
      id: `update${one}`,
      method: "PUT",
      path: itsPath,
      body: change,
    }),
    delete: operation({
      ...described("delete"),
      ...write,
      id: `delete${one}`,
      method: "DELETE",
      path: itsPath,
    }),
    references: operation({
      ...described("references"),
      ...read,
      id: `get${one}References`,
      path: `/project/{projectId}/${path}/{${param}}/refs`,
      answer: referencesSchema,
    }),
  };
}
