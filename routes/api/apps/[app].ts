import { answer, api } from "@/lib/http/api.ts";
import { systemOperations } from "@/lib/system/operations.ts";
import { getApp } from "@/lib/system/service.ts";

export const handler = api(answer(systemOperations.app, ({ params }) => getApp(params.app)));
