import { openAccount, openProject, requireAdmin } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { deleteUser } from "@/lib/people/accounts/deletion.ts";
import { createUser, updateUser } from "@/lib/people/accounts/service.ts";
import { addMember, changeRole, deleteMember, leaveProject } from "@/lib/people/team/service.ts";
import { listMemberRows } from "@/lib/access/members.ts";
import { userForm } from "@/lib/people/users/schema.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const ROUNDS = 25;

async function ownersOf(world: World): Promise<number> {
  const members = await listMemberRows(world.kv, world.web.id);
  return members.filter(({ role }) => role === "owner").length;
}

async function admins(world: World): Promise<number> {
  let count = 0;
  for await (const _ of world.kv.list({ prefix: rowKeys.admins() })) count++;
  return count;
}

const fulfilled = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "fulfilled").length;

const changeAdmin = (world: World, actor: Person, person: Person, admin: boolean) =>
  updateUser(
    openAccount(
      { deps: world.deps, actor: { ...world.people[actor].actor, admin: true } },
      world.people[person].id,
    ),
    {
      name: person,
      username: person,
      email: `${person}@example.com`,
      password: "",
      alert: false,
      admin,
    },
  );

Deno.test("two owners who remove each other in parallel leave one", async () => {
  await using world = await newWorld();
  const { deps, web, people: { alice, mike } } = world;
  for (let round = 0; round < ROUNDS; round++) {
    await bothOwners(world);
    const results = await Promise.allSettled([
      deleteMember(
        await openProject({ deps, actor: alice.actor }, web.id, "add_people"),
        mike.id,
      ),
      deleteMember(
        await openProject({ deps, actor: mike.actor }, web.id, "add_people"),
        alice.id,
      ),
    ]);
    assert.equal(fulfilled(results), 1);
    assert.equal(await ownersOf(world), 1);
  }
});

/** Makes Alice and Mike the owners again, if one of them is not. */
async function bothOwners(world: World) {
  const { deps, web, people: { alice, mike, erin } } = world;
  for (const { id } of [alice, mike]) {
    const member = await world.kv.get(rowKeys.member(web.id, id));
    await (member.value
      ? changeRole(await openProject({ deps, actor: erin.actor }, web.id, "add_people"), id, {
        role: "owner",
      })
      : addMember(await openProject({ deps, actor: erin.actor }, web.id, "add_people"), {
        user_id: id,
        role: "owner",
      }));
  }
}

Deno.test("two owners who step down in parallel leave one", async () => {
  await using world = await newWorld();
  const { deps, web, people: { alice, mike } } = world;
  for (let round = 0; round < ROUNDS; round++) {
    await bothOwners(world);
    const results = await Promise.allSettled([
      changeRole(
        await openProject({ deps, actor: alice.actor }, web.id, "add_people"),
        alice.id,
        { role: "guest" },
      ),
      changeRole(await openProject({ deps, actor: mike.actor }, web.id, "add_people"), mike.id, {
        role: "guest",
      }),
    ]);
    assert.equal(fulfilled(results), 1);
    assert.equal(await ownersOf(world), 1);
  }
});

Deno.test("two owners who demote each other in parallel leave one", async () => {
  await using world = await newWorld();
  const { deps, web, people: { alice, mike } } = world;
  for (let round = 0; round < ROUNDS; round++) {
    await bothOwners(world);
    const results = await Promise.allSettled([
      changeRole(await openProject({ deps, actor: alice.actor }, web.id, "add_people"), mike.id, {
        role: "guest",
      }),
      changeRole(await openProject({ deps, actor: mike.actor }, web.id, "add_people"), alice.id, {
        role: "guest",
      }),
    ]);
    assert.equal(fulfilled(results), 1);
    assert.equal(await ownersOf(world), 1);
  }
});

Deno.test("an owner who is removed while the other steps down and leaves: one stays", async () => {
  await using world = await newWorld();
  const { deps, web, people: { alice, mike } } = world;
  for (let round = 0; round < ROUNDS; round++) {
    await bothOwners(world);
    const owner = await openProject({ deps, actor: alice.actor }, web.id, "add_people");
    await Promise.allSettled([
      deleteMember(
        owner,
        mike.id,
      ),
      changeRole(
        owner,
        alice.id,
        { role: "guest" },
      )
        .then(() => leaveProject(owner)),
    ]);
    assert.equal(await ownersOf(world), 1);
  }
});

Deno.test("an owner who is deleted while the other steps down: one stays", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await using world = await newWorld();
    const { deps, web, people: { alice, mike, erin } } = world;
    await bothOwners(world);
    await Promise.allSettled([
      deleteUser(openAccount({ deps, actor: erin.actor }, alice.id)),
      changeRole(await openProject({ deps, actor: mike.actor }, web.id, "add_people"), mike.id, {
        role: "guest",
      }),
    ]);
    assert.equal(await ownersOf(world), 1);
  }
});

Deno.test("a user who is deleted while being added is not a member", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await using world = await newWorld();
    const { deps, web, people: { alice, carol, erin } } = world;
    await deleteMember(
      await openProject({ deps, actor: alice.actor }, web.id, "add_people"),
      carol.id,
    );
    await Promise.allSettled([
      deleteUser(openAccount({ deps, actor: erin.actor }, carol.id)),
      addMember(await openProject({ deps, actor: alice.actor }, web.id, "add_people"), {
        user_id: carol.id,
        role: "guest",
      }),
    ]);
    assert.equal((await world.kv.get(rowKeys.user(carol.id))).value, null);
    const members = await listMemberRows(world.kv, web.id);
    assert.ok(members.every(({ user_id }) => user_id !== carol.id));
  }
});

Deno.test("two admins who demote each other in parallel leave one", async () => {
  await using world = await newWorld();
  for (let round = 0; round < ROUNDS; round++) {
    const isErinLeft = (await world.kv.get(rowKeys.admin(world.people.erin.id))).value !== null;
    await (isErinLeft
      ? changeAdmin(world, "erin", "bob", true)
      : changeAdmin(world, "bob", "erin", true));
    const results = await Promise.allSettled([
      changeAdmin(world, "erin", "bob", false),
      changeAdmin(world, "bob", "erin", false),
    ]);
    assert.equal(fulfilled(results), 1);
    assert.equal(await admins(world), 1);
  }
});

Deno.test("two admins who delete each other, or demote and delete, leave one", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await using world = await newWorld();
    await changeAdmin(world, "erin", "bob", true);
    const { deps, people: { bob, erin } } = world;
    const bobAsAdmin = { ...bob.actor, admin: true };
    const results = await Promise.allSettled([
      deleteUser(openAccount({ deps, actor: erin.actor }, bob.id)),
      round % 2
        ? deleteUser(openAccount({ deps, actor: bobAsAdmin }, erin.id))
        : changeAdmin(world, "bob", "erin", false),
    ]);
    assert.equal(fulfilled(results), 1);
    assert.equal(await admins(world), 1);
  }
});

Deno.test("the same username or address is given out once, also to two parallel requests", async () => {
  await using world = await newWorld();
  const { deps, people: { erin } } = world;
  for (let round = 0; round < ROUNDS; round++) {
    const add = (username: string, email: string) =>
      createUser(
        requireAdmin({ deps, actor: erin.actor }),
        userForm.parse({ name: "N", username, email, password: "secret" }),
      );
    const same = [1, 2, 3, 4].map((n) => add(`User${round}`, `${n}.${round}@example.com`));
    assert.equal(fulfilled(await Promise.allSettled(same)), 1);
    const crossed = [
      add(`x${round}@example.com`, `y${round}@example.com`),
      add(`z${round}`, `X${round}@example.com`),
    ];
    assert.equal(fulfilled(await Promise.allSettled(crossed)), 1);
  }
});

Deno.test("someone who is added twice in parallel is a member once, and the second call is refused", async () => {
  await using world = await newWorld();
  const { deps, web, people: { alice, dave } } = world;
  for (let round = 0; round < ROUNDS; round++) {
    const add = async (role: "guest" | "manager") =>
      addMember(await openProject({ deps, actor: alice.actor }, web.id, "add_people"), {
        user_id: dave.id,
        role,
      });
    assert.equal(fulfilled(await Promise.allSettled([add("guest"), add("manager")])), 1);
    await deleteMember(
      await openProject({ deps, actor: alice.actor }, web.id, "add_people"),
      dave.id,
    );
  }
});
