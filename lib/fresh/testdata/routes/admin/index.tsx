import { page } from "fresh";
import { define } from "../../state.ts";

export const handler = define.handlers({
  GET: () => page({ who: "admin" }, { status: 201, headers: { "X-Page": "yes" } }),
  async POST(ctx) {
    const form = await ctx.req.formData();
    return ctx.redirect(`//evil.example/${form.get("name")}`, 303);
  },
});

export default define.page<typeof handler>(({ data }) => <h1>Hello {data.who}</h1>);
