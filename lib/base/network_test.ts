import assert from "node:assert/strict";
import { isPublicAddress, networkOf } from "./network.ts";

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

Deno.test("only addresses of the internet are public, however they are written", () => {
  for (const address of ["8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"]) {
    assert.ok(isPublicAddress(address), address);
  }
  // A browser's URL writes [::127.0.0.1] as [::7f00:1].
  const others = ["::7f00:1", "::a00:1", "64:ff9b:1::a00:1", "fec0::1", "4000::1", "fd00::1"];
  for (const address of [...others, "::ffff:10.0.0.1", "2002:7f00:1::", "100.64.0.1"]) {
    assert.ok(!isPublicAddress(address), address);
  }
});
