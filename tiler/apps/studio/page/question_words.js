// The words for questions: those of the library, but where they speak of Python or of the terminal.

/** @param {string} sentence */
export const capital = (sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** What a question is called where its name in Python says too little. @type {Record<string, string>} */
const CALLED = { tilings: "List all tilings", uses: "By cell", by_open: "By open cells", steps: "Steps of a search", apart: "Take apart" };

/** What a question does. @type {Record<string, string>} */
export const HELP = {
  tilings: "List all tilings, or the first ones. They come as they are found, and you can lay each.",
  sample: "Draw tilings at random, independently of each other, all with the same probability.",
  uses: "Count the tilings in which each piece covers each cell.",
  hint: "Say where the next piece goes: a piece that lies there in every tiling, if there is one, else a piece of some tiling.",
  choose: "Find sets of pieces that fill the board.",
  plane: "Find out whether copies of the pieces tile the plane, with a period; or how often one can be surrounded by copies of itself.",
  rectangles: "Find the rectangles (of polycubes, boxes) that copies of the pieces fill, and which of them are not made of smaller ones.",
  series: "Count the tilings of rectangles of one width and of any length, with a recurrence.",
  estimate: "Estimate a complete search before it is made: nodes of the search, tilings, and seconds.",
};

/** What a parameter does, by its name. @type {Record<string, string>} */
const PARAMETERS = {
  solver: "Choose the solver.",
  board: "4xn: 4 columns and n rows, for every n. 2x3xn: n layers of 2 by 3. rhombus:4xn: where the axes are oblique.",
};

/** @param {string} name of a question */
export const called = (name) => CALLED[name] || capital(name);

/** @param {{name: string, help: string}} form */
export const helpOf = (form) => sentence(HELP[form.name] || form.help);

/** @param {{name: string, help: string}} parameter */
export const helpOfParameter = (parameter) => sentence(PARAMETERS[parameter.name] || parameter.help);

/** @param {string} name of a parameter */
export const labelOf = (name) => capital(name.replaceAll("_", " "));

/** @param {string} words */
const sentence = (words) => capital(words) + (/[.:?]$/.test(words) ? "" : ".");
