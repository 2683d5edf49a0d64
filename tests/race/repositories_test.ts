import assert from "node:assert/strict";
import { reveal } from "@/lib/base/secret.ts";
import { keys } from "@/lib/kv/keys.ts";
import { openUrl } from "@/lib/parts/repositories/sealed_url.ts";
import { repositoryRows } from "@/lib/parts/repositories/repository.ts";
import { repositoryForm } from "../support/forms.ts";
import { newWorld } from "../support/world.ts";

Deno.test("who sends a URL back as it was answered keeps a password that was changed meanwhile", async () => {
  await using world = await newWorld();
  const { kv, web, deps } = world;
  const path = `/api/project/${web.id}/repositories`;
  const urlOf = (userinfo: string) => `https://${userinfo}@git.example.com/x.git`;
  const form = (userinfo: string) => repositoryForm(world, { git_url: urlOf(userinfo) });
  const { body: { id } } = await world.api("mike", "POST", path, form("bot:old"));
  const change = async (userinfo: string) => {
    const { status } = await world.api("mike", "PUT", `${path}/${id}`, { ...form(userinfo), id });
    assert.equal(status, 204);
  };

  const get = kv.get.bind(kv);
  const row = String(keys.resource("repositories", web.id, id));
  let isFirst = true;
  kv.get = async <T>(key: Deno.KvKey, options?: Parameters<Deno.Kv["get"]>[1]) => {
    const entry = await get<T>(key, options);
    if (String(key) === row && isFirst) {
      isFirst = false;
      await change("bot:new");
    }
    return entry;
  };
  await change("***");
  assert.ok(!isFirst, "the password was changed meanwhile");
  const stored = await repositoryRows.get(kv, web.id, id);
  assert.equal(reveal(await openUrl(deps.secrets, stored)), urlOf("bot:new"));
});
