// Bytes: as base64, and as they come in a stream. Nothing here knows the page.

/** @param {string} text in base64 */
export const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** @param {Uint8Array} bytes */
export const base64Of = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** The parts of a stream: not every browser has `for await` over the stream itself. @param {ReadableStream} stream */
export async function* partsOf(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
