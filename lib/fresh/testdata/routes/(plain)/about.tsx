import { define } from "../../state.ts";

export default define.page(async ({ url }) => {
  await Promise.resolve();
  if (url.searchParams.has("away")) {
    return new Response(null, { status: 307, headers: { location: "/" } });
  }
  return <p>about</p>;
});
