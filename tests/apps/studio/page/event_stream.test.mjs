// The stream of events that all tabs share, with a server that a test plays.
import assert from "node:assert/strict";
import test from "node:test";
import { EventStream, texts } from "../../../../tiler/apps/studio/page/event_stream.js";

/** Answers requests one by one. */
class Server {
  constructor() {
    this.asked = [];
    this.waiting = [];
    globalThis.fetch = (address, { signal }) => new Promise((done, failed) => {
      this.asked.push(new URL(address, "http://studio").searchParams);
      const channel = new TransformStream();
      const writer = channel.writable.getWriter();
      signal.addEventListener("abort", () => failed(new Error("aborted")));
      this.waiting.push({
        accept: () => done(new Response(channel.readable.pipeThrough(new TextEncoderStream()))),
        refuse: (status, body) => done(new Response(body, { status })),
        send: (text) => writer.write(text),
        end: () => writer.close(),
      });
    });
  }

  get last() {
    return this.waiting.at(-1);
  }
}

/** A stream, and a promise of its next word. */
function listened() {
  const told = [];
  let heard = () => {};
  const stream = new EventStream((session, said) => {
    told.push([session, said]);
    heard();
  });
  const until = async (number) => {
    while (told.length < number) await new Promise((done) => (heard = done));
    return told;
  };
  return { stream, until };
}

test("one request is for all tabs, and begins again where each was", async () => {
  const server = new Server();
  const { stream, until } = listened();
  stream.join("one", false);
  stream.join("two", true);
  assert.deepEqual(server.asked.at(-1).getAll("session"), ["one", "two"]);
  assert.deepEqual(server.asked.at(-1).getAll("race"), ["two"]);
  server.last.accept();
  server.last.send(`page: one\n: here\n\npage: two\nid: x-7\ndata: {"event":"news"}\n\npage: two\nevent: fra`);
  server.last.send(`me\ndata: {"race":1}\n\npage: gone\ndata: {}\n\n`);
  const told = await until(4);
  assert.deepEqual(told, [["one", { here: true }], ["two", { here: true }], ["two", { event: { event: "news" } }], ["two", { frame: { race: 1 } }]]);
  stream.leave("one");
  assert.deepEqual(server.asked.at(-1).getAll("after"), ["x-7"]);
  stream.leave("two");
  assert.equal(server.waiting.length, 3);
});

test("that the server is away is told until it is there again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const server = new Server();
  const { stream, until } = listened();
  stream.join("one", false);
  server.last.refuse(403, JSON.stringify({ error: "no access" }));
  assert.deepEqual(await until(1), [["one", { away: "no access" }]]);
  context.mock.timers.tick(500);
  server.last.refuse(500, "");
  assert.match((await until(2))[1][1].away, /could not answer \(500\)/);
  context.mock.timers.tick(500);
  server.last.accept();
  assert.deepEqual((await until(3))[2], ["one", { here: true }]);
  stream.leave("one");
});

test("a text may come in any pieces", async () => {
  const pieces = ["a: 1\n", "\nb: ", "2\nc: 3\n\nrest"].map((text) => new TextEncoder().encode(text));
  const found = [];
  for await (const text of texts(new Blob(pieces).stream())) found.push(text);
  assert.deepEqual(found, ["a: 1", "b: 2\nc: 3"]);
});
