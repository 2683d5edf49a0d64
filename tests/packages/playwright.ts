export { chromium } from "npm:playwright-core@1.65.1";
export type {
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page,
} from "npm:playwright-core@1.65.1";
