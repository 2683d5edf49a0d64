import { asset } from "fresh/runtime";
import { define } from "../state.ts";

export default define.layout(({ Component, state }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>Fixture</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={asset("/styles.css")} />
      <style>{"body { margin: 0 }"}</style>
    </head>
    <body data-trail={state.trail.join(" ")}>
      <Component />
    </body>
  </html>
));
