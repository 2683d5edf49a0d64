import { z } from "zod";
import { operation } from "../http/operation.ts";
import { systemInfoSchema } from "./schema.ts";

const tag = "System";

export const systemOperations = {
  ping: operation({
    id: "ping",
    method: "GET",
    path: "/ping",
    tag,
    summary: "Whether the server answers: `pong`, as text",
    access: "public",
    answer: z.string(),
    contentType: "text/plain",
  }),
  info: operation({
    id: "getInfo",
    method: "GET",
    path: "/info",
    tag,
    summary: "Version and settings of the server",
    access: "user",
    answer: systemInfoSchema,
  }),
};
