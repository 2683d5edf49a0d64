import { z } from "zod";
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
>({ names: [one, all], path, param, tag, body, change, answer, sort, summaries, errors }: {
  /** Parts of the calls' ids: "Key" and "Keys" give `getKey` and `listKeys`. */
  names: [one: string, all: string];
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
  summaries: Record<CallName, string>;
  /** Statuses of failures in addition to those of every operation. */
  errors?: Partial<Record<CallName, readonly number[]>>;
}) {
  const allPath = `/project/{projectId}/${path}` as const;
  const itsPath = `/project/{projectId}/${path}/{${param}}` as const;
  const told = (call: CallName) => ({ tag, summary: summaries[call], errors: errors?.[call] });
  const read = { method: "GET", access: "member" } as const;
  const write = { access: "manage_resources" } as const;
  return {
    list: operation({
      ...told("list"),
      ...read,
      id: `list${all}`,
      path: allPath,
      answer: z.array(answer),
      sort,
    }),
    create: operation({
      ...told("create"),
      ...write,
      id: `create${one}`,
      method: "POST",
      path: allPath,
      body,
      answer,
    }),
    get: operation({ ...told("get"), ...read, id: `get${one}`, path: itsPath, answer }),
    update: operation({
      ...told("update"),
      ...write,
      id: `update${one}`,
      method: "PUT",
      path: itsPath,
      body: change,
    }),
    delete: operation({
      ...told("delete"),
      ...write,
      id: `delete${one}`,
      method: "DELETE",
      path: itsPath,
    }),
    references: operation({
      ...told("references"),
      ...read,
      id: `get${one}References`,
      path: `/project/{projectId}/${path}/{${param}}/refs`,
      answer: referencesSchema,
    }),
  };
}
