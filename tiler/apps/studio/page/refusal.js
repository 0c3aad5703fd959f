// What the local server says when it refuses something, and what is said in its place when it says nothing.

export const ENDED = "Tiler has stopped on this machine. What you made is kept here: start `tiler studio` again, and put the link that it "
  + "prints into the address of this page.";
const NO_ACCESS = "This page was not opened from the link that `tiler studio` prints: put that link into its address.";

/** @param {Response} response @returns {Promise<Error & {status: number}>} */
export async function refusal(response) {
  const { status } = response;
  const said = await response.json().then(({ error }) => String(error || ""), () => "");
  const failed = `Tiler could not answer (${status}): try again, or start \`tiler studio\` again.`;
  return Object.assign(new Error(said || (status === 401 || status === 403 ? NO_ACCESS : failed)), { status });
}
