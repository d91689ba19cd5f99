// How a unit is expressed: a tree of anchors and groups. The server's trees.py does the same.

/**
 * An anchor or a group with its share; a whole tree has none.
 * @typedef {{ anchor: string, v: number, members?: undefined }} Leaf
 * @typedef {{ members: Member[], v: number, anchor?: undefined }} Group
 * @typedef {Leaf | Group} Member
 * @typedef {{ members: Member[], v?: number }} Tree
 */

// What a member is called: its anchor, or all that is in it. An anchor stands only once in a tree.
/**
 * @param {{ anchor: string } | Member} member
 * @returns {string}
 */
export const name = (member) =>
  "members" in member && member.members
    ? `[${member.members.map(name)}]`
    : JSON.stringify(member.anchor);

/**
 * @param {Tree} tree
 * @returns {Generator<Member>}
 */
export function* walk(tree) {
  for (const member of tree.members) {
    yield member;
    if (member.members) yield* walk(member);
  }
}

// The names of an anchor and of the groups around it, from the inside out.
/**
 * @param {Tree} tree
 * @param {string | undefined} anchor
 * @returns {string[]}
 */
export function chain(tree, anchor) {
  for (const member of tree.members) {
    if (member.anchor === anchor) return [name(member)];
    const inner = member.members ? chain(member, anchor) : [];
    if (inner.length) return [...inner, name(member)];
  }
  return [];
}

// S(i, E): members add up, every group is capped at 1.
/**
 * @param {Tree} tree
 * @param {(anchor: string) => boolean} chosen
 * @returns {number}
 */
export const score = (tree, chosen) =>
  Math.min(
    1,
    tree.members.reduce(
      (sum, one) => sum + one.v * (one.members ? score(one, chosen) : chosen(one.anchor) ? 1 : 0),
      0,
    ),
  );

/**
 * @param {Tree} tree
 * @param {string} anchor
 * @param {number} share
 * @returns {Tree}
 */
export const added = (tree, anchor, share) => ({
  members: [...tree.members, { anchor, v: share }],
});

/**
 * @param {Tree} tree
 * @param {string} wanted
 * @param {number} share
 */
export function shared(tree, wanted, share) {
  const made = structuredClone(tree);
  for (const member of walk(made)) if (name(member) === wanted) member.v = share;
  return made;
}

/**
 * @param {Tree} tree
 * @param {Set<string>} names
 * @returns {Tree}
 */
export const without = (tree, names) => ({ ...tree, members: keptOf(tree, names) });

/**
 * @param {Tree} tree
 * @param {Set<string>} names
 * @returns {Member[]}
 */
const keptOf = (tree, names) =>
  tree.members
    .filter((member) => !names.has(name(member)))
    .map((member) => (member.members ? { ...member, members: keptOf(member, names) } : member))
    .filter(({ members }) => members?.length !== 0);

/**
 * @param {Tree} tree
 * @param {Set<string>} names
 * @returns {Tree}
 */
export const dissolved = (tree, names) => ({ ...tree, members: loosened(tree, names) });

/**
 * @param {Tree} tree
 * @param {Set<string>} names
 * @returns {Member[]}
 */
const loosened = (tree, names) =>
  tree.members.flatMap((member) => {
    if (!member.members) return [member];
    const members = loosened(member, names);
    return names.has(name(member)) ? members : [{ ...member, members }];
  });

/**
 * @param {Tree} tree
 * @param {Set<string>} names
 * @returns {Generator<Member>}
 */
function* outermost(tree, names) {
  for (const member of tree.members)
    if (names.has(name(member))) yield member;
    else if (member.members) yield* outermost(member, names);
}

// One group of the members named, each worth 1 in it, inside the innermost group that holds them
// all; nothing if there is nothing to group.
/**
 * @param {Tree} tree
 * @param {Set<string>} names
 * @returns {Tree | null}
 */
export function grouped(tree, names) {
  const picked = [...outermost(tree, names)];
  if (picked.length < 2) return null;
  for (const [at, member] of tree.members.entries()) {
    if (
      !member.members ||
      names.has(name(member)) ||
      [...outermost(member, names)].length < picked.length
    )
      continue;
    const inner = grouped(member, names);
    if (!inner) return null;
    return { ...tree, members: tree.members.with(at, { ...member, members: inner.members }) };
  }
  const { members } = without(tree, names);
  if ("v" in tree && !members.length) return null;
  return {
    ...tree,
    members: [...members, { members: picked.map((one) => ({ ...one, v: 1 })), v: 1 }],
  };
}
