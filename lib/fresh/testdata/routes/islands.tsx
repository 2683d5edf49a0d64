import { signal } from "@preact/signals";
import Counter from "../islands/Counter.tsx";
import { Drawer } from "../islands/Drawer.tsx";
import { Note } from "../islands/Note.tsx";

export default function Islands() {
  const count = signal(3);
  const since = new Date(Date.UTC(2020, 1, 1));
  return (
    <>
      <Counter count={count} label="</script><b>" since={since}>
        <b>from the server</b>
        <Note text="in a slot" />
      </Counter>
      <Counter count={count} label="second" since={since} />
      <Drawer title={<i>open</i>}>
        <p>hidden at first</p>
        <Drawer title={<i>inner</i>}>
          <Note text="in a template" />
        </Drawer>
      </Drawer>
    </>
  );
}
