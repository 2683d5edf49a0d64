import assert from "node:assert/strict";
import { newEverything } from "@/tests/support/server/everything.ts";

Deno.test("every state of a task is an event, with the person who caused it", async () => {
  await using world = await newEverything();
  const project = `/api/project/${world.web.id}`;
  const tasks = (await world.api("alice", "GET", `${project}/tasks`)).body;
  const eventsOf = async (id: number) => {
    const { body } = await world.api("alice", "GET", `${project}/events`);
    return body.filter((event: { object_type: string; object_id: number }) =>
      event.object_type === "task" && event.object_id === id
    ).map(({ username, description }: Record<string, string | null>) =>
      `${username}: ${description!.replace(/^Task #\d+ \(\w+\) /, "")}`
    ).toReversed();
  };
  const named = (name: string) =>
    tasks.find((task: { tpl_alias: string }) => task.tpl_alias === name);
  assert.deepEqual(await eventsOf(named("Build").id), [
    "alice: was queued",
    "alice: is starting",
    "alice: is running",
    "alice: finished: success",
  ]);

  const waiting = named("Ask");
  await world.api("bob", "POST", `${project}/tasks/${waiting.id}/stop`, {});
  assert.deepEqual(await eventsOf(waiting.id), ["alice: was queued", "bob: was stopped"]);

  const template = await world.api("alice", "GET", `${project}/templates/${waiting.template_id}`);
  await world.api("alice", "PUT", `${project}/templates/${waiting.template_id}`, {
    ...template.body,
    require_confirmation: true,
    survey_vars: [],
  });
  const { body: asking } = await world.api("bob", "POST", `${project}/tasks`, {
    template_id: waiting.template_id,
  });
  await world.api("mike", "POST", `${project}/tasks/${asking.id}/confirm`);
  assert.deepEqual(await eventsOf(asking.id), [
    "bob: is waiting for approval",
    "mike: was approved",
  ]);
});

Deno.test("admins see events of tokens that come and go, without the part that signs in", async () => {
  await using world = await newEverything();
  const { body } = await world.api("bob", "POST", "/api/user/tokens", { name: "CI" });
  await world.api("bob", "DELETE", `/api/user/tokens/${body.id.slice(0, 8)}`);
  const events = await world.api("erin", "GET", "/api/events");
  const told = events.body.slice(0, 2).map(({ description }: Record<string, string>) =>
    description
  );
  assert.deepEqual(told, [
    'The API token CI of user "bob" was deleted',
    'User "bob" created the API token CI',
  ]);
});
