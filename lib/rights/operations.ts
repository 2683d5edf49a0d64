import * as z from "zod";
import { paged } from "../access/answer.ts";
import { operation } from "../access/operation.ts";
import { accessQuery, accessSchema } from "./schema.ts";
import { listAccess } from "./service.ts";

export const rightsOperations = [
  operation({
    id: "listAccess",
    method: "GET",
    path: "/project/{projectId}/access",
    tag: "Team",
    summary: "List the effective rights of people in a project",
    details:
      "Send `user_id` for one person, and `template_id` or `workflow_id` for what members may do " +
      "with it, each with its origin. Without them, they are the caller's. People who manage users may ask about everyone, those who " +
      "may edit an object about that, and others about themselves. Continue with `after`, the ID " +
      "of a person.",
    access: "member",
    query: accessQuery,
    answer: z.array(accessSchema),
    async run({ scope, query }) {
      const { people, hasNext } = await listAccess(scope, query);
      return paged(people, hasNext, (last) => ({ after: last.user_id }));
    },
  }),
];
