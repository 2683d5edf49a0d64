import { deleteTokenHandlers } from "@/routes/(_pages)/runner_tokens.tsx";
import { PROJECT_RUNNERS } from "@/routes/(_pages)/runners.tsx";

export const handler = deleteTokenHandlers(PROJECT_RUNNERS);
