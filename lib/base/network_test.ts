import assert from "node:assert/strict";
import { isPublicAddress, isTypedPrivate, networkOf, parseNetwork } from "./network.ts";

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

Deno.test("typed addresses of private networks are recognized without a look-up", () => {
  const networks = [parseNetwork("10.1.0.0/16")!];
  for (
    const typed of [
      "http://10.0.0.1/x",
      " https://192.168.1.5:8443/hook ",
      "http://172.16.0.1",
      "http://127.0.0.1:9",
      "http://2130706433/",
      "http://LOCALHOST:3000/",
      "http://app.localhost.",
      "http://[::1]:9/",
      "http://[fd00::1]/",
      "http://[::ffff:10.0.0.1]/",
    ]
  ) {
    assert.ok(isTypedPrivate(typed, networks), typed);
  }
  for (
    const typed of ["http://10.1.2.3/", "https://8.8.8.8/", "https://chat.example.com", "x", ""]
  ) {
    assert.ok(!isTypedPrivate(typed, networks), typed);
  }
});
