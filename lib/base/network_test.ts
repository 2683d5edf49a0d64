import assert from "node:assert/strict";
import { networkOf } from "./network.ts";

Deno.test("failures are counted by IPv4 address, and by the network of an IPv6 address", () => {
  const networks = {
    "203.0.113.9": "203.0.113.9",
    "::ffff:203.0.113.9": "203.0.113.9",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2",
    "2001:DB8:1:2::1": "2001:db8:1:2",
    "2001:db8::1": "2001:db8:0:0",
    "fe80::1%eth0": "fe80:0:0:0",
    "::1": "0:0:0:0",
    "::FFFF:cb00:7109": "203.0.113.9",
    "local": "local",
    "203.0.113.9:4711": "203.0.113.9:4711",
  };
  for (const [address, network] of Object.entries(networks)) {
    assert.equal(networkOf(address), network);
  }
});
