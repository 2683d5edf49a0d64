import { deleteTokenHandlers } from "@/routes/(_pages)/runner_tokens.tsx";
import { SERVER_RUNNERS } from "@/routes/(_pages)/runners.tsx";

export const handler = deleteTokenHandlers(SERVER_RUNNERS);
