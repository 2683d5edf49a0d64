import { listPage } from "@/routes/(_pages)/runner_pages.tsx";
import { SERVER_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = listPage(SERVER_RUNNERS);
export { handler, Page as default };
