import { Head } from "fresh/runtime";
import { define } from "../state.ts";

export default define.page(({ url }) => (
  <>
    <Head>
      <title>Home</title>
    </Head>
    <h1>Home {url.pathname}</h1>
    <a href="/">Home</a>
  </>
));
