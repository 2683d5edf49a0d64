import assert from "node:assert/strict";
import { AppError } from "../base/errors.ts";
import { canonicalNetwork, isInsideNetworks, requireNetwork } from "./token_networks.ts";

/** Whether a token that is limited to networks may come from an address. */
function mayCome(networks: string[], address: string): boolean {
  try {
    requireNetwork(
      { networks: networks.map((text) => canonicalNetwork(text)!) } as never,
      address,
    );
    return true;
  } catch (error) {
    assert.ok(error instanceof AppError && error.status === 403);
    return false;
  }
}

Deno.test("networks have one form, with the bits of their hosts cleared", () => {
  const forms: Record<string, string | null> = {
    "192.0.2.7": "192.0.2.7",
    " 192.0.2.7 ": "192.0.2.7",
    "192.0.2.7/32": "192.0.2.7",
    "192.0.2.7/24": "192.0.2.0/24",
    "192.0.2.200/25": "192.0.2.128/25",
    "0.0.0.0/0": "0.0.0.0/0",
    "::/0": "::/0",
    "2001:DB8::1": "2001:db8::1",
    "2001:db8:ffff::/33": "2001:db8:8000::/33",
    "::ffff:192.0.2.7": "192.0.2.7",
    "::ffff:192.0.2.0/120": "192.0.2.0/24",
    "::ffff:0:0/96": "0.0.0.0/0",
    // Wider than all IPv4 addresses together, so it stays one of IPv6.
    "::ffff:0:0/95": "::fffe:0:0/95",
    "10": null,
    "10.1": null,
    "0x7f.1": null,
    "010.0.0.1": null,
    "192.0.2.0/33": null,
    "2001:db8::/129": null,
    "192.0.2.0/-1": null,
    "192.0.2.0/": null,
    "192.0.2.0/24/8": null,
    "fe80::1%eth0": null,
    "example.com": null,
    "": null,
    "*": null,
  };
  for (const [text, form] of Object.entries(forms)) {
    assert.equal(canonicalNetwork(text), form, text);
  }
});

Deno.test("a token comes from its networks only, in both families", () => {
  const networks = ["192.0.2.0/24", "2001:db8::/32", "198.51.100.7"];
  for (
    const address of ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8:1::9", "198.51.100.7"]
  ) assert.ok(mayCome(networks, address), address);
  for (
    const address of ["192.0.3.1", "::ffff:192.0.3.1", "2001:db9::1", "198.51.100.8", "::1"]
  ) assert.ok(!mayCome(networks, address), address);
  for (const junk of ["local", "", "unknown", "192.0.2.1, 192.0.2.1", "192.0.2.1:80", "_gazonk"]) {
    assert.ok(!mayCome(networks, junk), junk);
    assert.ok(!mayCome(["0.0.0.0/0", "::/0"], junk), junk);
  }
  requireNetwork({ networks: null } as never, "local");
});

Deno.test("a network is covered by one that has all of its addresses", () => {
  assert.ok(isInsideNetworks("192.0.2.0/25", ["192.0.2.0/24"]));
  assert.ok(isInsideNetworks("192.0.2.9", ["10.0.0.0/8", "192.0.2.0/24"]));
  assert.ok(isInsideNetworks("2001:db8:1::/48", ["2001:db8::/32"]));
  assert.ok(!isInsideNetworks("192.0.2.0/23", ["192.0.2.0/24"]));
  assert.ok(!isInsideNetworks("192.0.2.0/24", ["2001:db8::/32"]));
  assert.ok(!isInsideNetworks("0.0.0.0/0", ["::/0"]));
});
