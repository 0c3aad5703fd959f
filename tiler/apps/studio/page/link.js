// A link that holds a problem and the pieces that lie: the document as JSON, compressed, in base64 after the sign #.
import { base64Of, bytesOf, partsOf } from "./bytes.js";
import { checked } from "./document.js";

export const MOST_LINK = 60_000; //: characters of a link
export const MOST_INFLATED = 2_000_000; //: bytes of the document in it

/** What a stream makes of bytes: at most MOST_INFLATED. @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream */
async function passed(bytes, stream) {
  const parts = [];
  let size = 0;
  for await (const part of partsOf(new Blob([bytes]).stream().pipeThrough(stream))) {
    size += part.length;
    if (size > MOST_INFLATED) throw new Error("This link holds more than the studio reads from a link.");
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The part of a link after #; an Error if the document is too large for one. @param {import("./document.js").Document} document */
export async function fragmentOf(document) {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const bytes = await passed(text, new CompressionStream("deflate-raw"));
  const fragment = `d=${base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  if (text.length > MOST_INFLATED || fragment.length > MOST_LINK) {
    throw new Error("This is too large for a link: save it as a file instead.");
  }
  return fragment;
}

/** The part after # of a text that is a link; null if it is none. @param {string} text */
export const hashIn = (text) => /^https?:\/\/\S+(#\S*)$/.exec(text.trim())?.[1] ?? null;

/** The document in a link, null if there is none; an Error says what is wrong with it. @param {string} hash */
export async function documentIn(hash) {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("d");
  if (!code) return null;
  if (code.length > MOST_LINK) throw new Error("This link is longer than the studio reads.");
  let text;
  try {
    const bytes = bytesOf(code.replaceAll("-", "+").replaceAll("_", "/"));
    text = new TextDecoder().decode(await passed(bytes, new DecompressionStream("deflate-raw")));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("This link")) throw error;
    throw new Error("This link is damaged: ask for it again.");
  }
  try {
    return checked(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error("This link is damaged: ask for it again.");
    throw error;
  }
}
