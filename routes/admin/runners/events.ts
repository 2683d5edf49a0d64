import { runnerEvents } from "@/routes/(_pages)/runner_pages.tsx";
import { SERVER_RUNNERS } from "@/routes/(_pages)/runners.tsx";

export const handler = runnerEvents(SERVER_RUNNERS);
