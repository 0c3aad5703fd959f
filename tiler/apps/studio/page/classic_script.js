// Classic scripts, which pages that are opened as files have in them, fetched when they are first needed.

/** Fetches a script, and runs it; an Error says what failed. @param {string} address @returns {Promise<void>} */
export function classicScript(address) {
  return new Promise((done, failed) => {
    const made = document.createElement("script");
    made.src = address;
    made.onload = () => done();
    made.onerror = () => failed(new Error("The view could not be fetched."));
    document.head.append(made);
  });
}
