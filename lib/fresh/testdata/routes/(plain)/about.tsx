import { define } from "../../state.ts";

export default define.page(async ({ url }) => {
  await Promise.resolve();
  if (url.searchParams.has("away")) return Response.redirect("http://localhost/", 307);
  return <p>about</p>;
});
