// Finding problems by words.

/** The problems that have all the words in their name, title, tags or family; in the order of the list.
 * @param {any[]} problems @param {string} words */
export function found(problems, words) {
  const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (!asked.length) return problems;
  return problems.filter((one) => {
    const text = [one.name, one.title, one.family, one.lattice, one.verdict, ...(one.tags || [])].join(" ").toLowerCase();
    return asked.every((word) => text.includes(word));
  });
}

/** The names that fit a filter as the command reads it, and after them those of problems whose title or tags have its words.
 * @param {string[]} names @param {any[]} problems @param {string} filter */
export function fitting(names, problems, filter) {
  if (!filter.trim()) return names;
  return [...new Set([...names, ...found(problems, filter).map(({ name }) => name)])];
}
