import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonPrefixLength, createPrefixTree } from './prefix-tree.ts';

const sequences = fc.array(
  fc.record({
    context: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 }),
    continuation: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 12 },
);

function distinctPrefixes(lists: readonly (readonly number[])[]): number {
  const seen = new Set<string>();
  for (const list of lists) for (let end = 1; end <= list.length; end++) seen.add(list.slice(0, end).join(','));
  return seen.size;
}

describe('prefix tree', () => {
  it('holds each distinct prefix once, without the last token of a continuation', () => {
    fc.assert(
      fc.property(sequences, (list) => {
        const tree = createPrefixTree();
        for (const [index, { context, continuation }] of list.entries()) tree.addSequence(index, context, continuation);
        expect(tree.size).toBe(distinctPrefixes(list.map(({ context, continuation }) => [...context, ...continuation].slice(0, -1))));
        expect([...tree.walk()]).toHaveLength(tree.size);
      }),
    );
  });

  it('reads each scored token exactly once, at the position before it', () => {
    fc.assert(
      fc.property(sequences, (list) => {
        const tree = createPrefixTree();
        for (const [index, { context, continuation }] of list.entries()) tree.addSequence(index, context, continuation);
        const found = list.map(({ continuation }) => continuation.map(() => Number.NaN));
        for (const node of tree.walk()) {
          for (const { sequence, place, nextToken } of node.reads) {
            expect(node.position).toBe(list[sequence]!.context.length - 1 + place);
            found[sequence]![place] = nextToken;
          }
        }
        expect(found).toEqual(list.map(({ continuation }) => continuation));
      }),
    );
  });

  it('costOf foretells addSequence', () => {
    fc.assert(
      fc.property(sequences, (list) => {
        const tree = createPrefixTree();
        for (const [index, { context, continuation }] of list.entries()) {
          const before = { nodes: tree.size, outputs: tree.outputs };
          const cost = tree.costOf(context, continuation);
          tree.addSequence(index, context, continuation);
          expect({ nodes: tree.size - before.nodes, outputs: tree.outputs - before.outputs }).toEqual(cost);
        }
      }),
    );
  });

  it('gives each branch end one leaf and lists it at every ancestor', () => {
    fc.assert(
      fc.property(sequences, (list) => {
        const tree = createPrefixTree();
        for (const [index, { context, continuation }] of list.entries()) tree.addSequence(index, context, continuation);
        const count = tree.assignLeaves();
        const ends = [...tree.walk()].filter((node) => node.children.size === 0);
        expect(ends.map((node) => node.leaves)).toEqual(ends.map((_, index) => [index]));
        expect(count).toBe(ends.length);
        for (const node of tree.walk()) {
          const below = [...node.children.values()].flatMap((child) => child.leaves);
          if (node.children.size > 0) expect(node.leaves).toEqual(below);
        }
      }),
    );
  });
});

it('commonPrefixLength counts equal leading tokens', () => {
  expect(commonPrefixLength([1, 2, 3], [1, 2, 4, 5])).toBe(2);
  expect(commonPrefixLength([], [1])).toBe(0);
});
