import { answer, api } from "@/lib/http/api.ts";
import { systemOperations } from "@/lib/system/operations.ts";

export const handler = api(answer(systemOperations.ping, () => new Response("pong")));
