import { answer, api } from "@/lib/web/api.ts";
import { systemOperations } from "@/lib/web/system/operations.ts";

export const handler = api(answer(systemOperations.ping, () => new Response("pong")));
