export { chromium } from "npm:playwright-core@1.65.1";
export type {
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Locator,
  Page,
} from "npm:playwright-core@1.65.1";
