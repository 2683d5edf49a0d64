import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "@/tests/packages/playwright.ts";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { appOf, enrol } from "@/tests/support/world/factors.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 800 },
  colorScheme: "dark",
};

/** Opens a page at the server's name, without signing in. */
async function atSignIn(world: World, options: BrowserContextOptions = {}) {
  const visit = await lookAt(world, "bob", options);
  await visit.page.goto("about:blank");
  await visit.page.context().clearCookies();
  return visit;
}

/** Returns the world's URL with a name, because browsers have no passkeys for addresses. */
const urlOf = ({ url }: { url: string }) => url.replace("127.0.0.1", "localhost");

async function givePassword(page: Page, url: string, next = "") {
  await page.goto(`${url}auth/login${next}`);
  await page.getByLabel("Username or e-mail").fill("bob");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Password").press("Enter");
}

/** Checks the current page for accessibility, and for its width. */
async function assertGood(page: Page) {
  await assertAccessible(page);
  await assertFitsWidth(page);
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with a script" : "without a script";
  Deno.test(`Bob sets a second factor up, and signs in by keyboard, ${how}`, async () => {
    await using world = await newWorld();
    await using visit = await atSignIn(world, { ...PHONE, javaScriptEnabled });
    const { page, problems } = visit;
    await givePassword(page, urlOf(visit), "?next=%2Faccount%2Fsecurity");
    await page.getByRole("link", { name: "Set up" }).click();
    const dialog = page.locator(".dialog");
    const box = await dialog.getByRole("img", { name: "QR code" }).boundingBox();
    const { code } = appOf(world, await page.content());
    assert.ok(box && box.width > 150 && box.width === box.height);
    if (javaScriptEnabled) await assertGood(page);
    await dialog.getByLabel("Code", { exact: true }).fill("000000");
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("This code is wrong").first().waitFor();
    assert.equal(await focused(page), "code");
    assert.equal(appOf(world, await page.content()).code(), code(), "the same picture");
    await dialog.getByLabel("Code", { exact: true }).fill(code());
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await dialog.getByLabel("Current password").press("Enter");
    await page.getByText("These are your recovery codes").waitFor();
    if (javaScriptEnabled) await assertGood(page);
    const recovery = await page.locator("#recovery-codes code").allTextContents();
    assert.equal(recovery.length, 10);
    await page.getByRole("link", { name: "I have stored them" }).click();
    await page.getByText("10 recovery codes left").waitFor();

    await page.context().clearCookies();
    await givePassword(page, urlOf(visit), "?next=%2Faccount%2Fsecurity");
    await page.getByRole("heading", { name: "Enter a code" }).waitFor();
    assert.equal(await focused(page), "code");
    if (javaScriptEnabled) await assertGood(page);
    await page.keyboard.type(recovery[0]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.getByText("9 recovery codes left").waitFor();
    await page.getByRole("heading", { name: "Browsers that are not asked" }).waitFor();
    await page.getByText(/^Chrome \d+ on Linux$/).first().waitFor();
    if (javaScriptEnabled) await assertGood(page);
    assert.deepEqual(problems.filter((text) => !/422/.test(text)), []);
  });
}

const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name ?? "");

/** Adds the browser's own authenticator, which acts like a phone with a fingerprint sensor. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the owner passes the fingerprint check. */
    verify: (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

Deno.test("Bob adds a passkey in Chromium, signs in with it, and removes it", async () => {
  await using world = await newWorld();
  await enrol(world, "bob");
  await using visit = await atSignIn(world, PHONE);
  const { page, problems } = visit;
  const url = urlOf(visit);
  await page.goto(`${url}auth/login`);
  await page.context().addCookies([{ name: "callboard", value: world.people.bob.token, url }]);
  await page.goto(`${url}account/security`);
  const device = await addAuthenticator(page);
  await page.locator("#new-passkey").getByLabel("Name").fill("Phone");
  await page.locator("#new-passkey").getByLabel("Current password").fill("guess");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("This is not your current password").waitFor();
  // The browser logs each refused request.
  assert.match(problems.splice(0).join(), /^Failed to load resource: .* 400 \(Bad Request\)$/);
  await page.locator("#new-passkey").getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Passkey added").waitFor();
  await assertGood(page);
  await page.locator("#new-passkey").getByLabel("Name").fill("Phone again");
  await page.locator("#new-passkey").getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("This device already has a passkey for your account").waitFor();

  await page.context().clearCookies();
  await page.goto(`${url}auth/login?next=%2Faccount%2Fsecurity`);
  await assertGood(page);
  await device.verify(false);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("Canceled or timed out").waitFor();
  await device.verify(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(/\/account\/security$/);
  await page.getByText("signed in with a passkey").first().waitFor();
  await page.locator("#passkeys").getByRole("button", { name: "Remove" }).click();
  await page.locator("#confirm").getByLabel("Current password").fill(PASSWORD);
  await page.locator("#confirm").getByRole("button", { name: "Remove" }).click();
  await page.getByText("Passkey removed").waitFor();
  await page.context().clearCookies();
  await page.goto(`${url}auth/login`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("This passkey was not accepted").waitFor();
  assert.deepEqual(problems, []);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with a script" : "without a script";
  Deno.test(`Erin resets the second factor of Bob, who then needs no code, ${how}`, async () => {
    await using world = await newWorld();
    await enrol(world, "bob");
    await using visit = await lookAt(world, "erin", { ...PHONE, javaScriptEnabled });
    const { page, problems } = visit;
    await page.goto(`/users/${world.people.bob.id}`);
    if (javaScriptEnabled) await assertGood(page);
    const reset = page.locator("#second-factor").getByRole("button", { name: "Reset" });
    await reset.click();
    await page.getByText("Second factor reset").waitFor();
    assert.equal(await reset.count(), 0);
    await page.context().clearCookies();
    await givePassword(page, urlOf(visit), "?next=%2Faccount%2Fsecurity");
    await page.waitForURL(/\/account\/security$/);
    assert.deepEqual(problems, []);
  });
}

Deno.test("without a script the sign-in page and the account have no button that does nothing", async () => {
  await using world = await newWorld();
  await using visit = await atSignIn(world, { javaScriptEnabled: false });
  const { page } = visit;
  await givePassword(page, urlOf(visit), "?next=%2Faccount%2Fsecurity");
  await page.getByText("requires JavaScript").waitFor();
  assert.equal(await page.locator("#new-passkey").isVisible(), false);
  await page.context().clearCookies();
  await page.goto(`${urlOf(visit)}auth/login`);
  assert.equal(await page.getByRole("button", { name: "Sign in with a passkey" }).count(), 0);
  assert.equal(await page.locator("form.needs-script").isVisible(), false);
});
