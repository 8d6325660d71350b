// The tokens of many scored sequences as one tree: each distinct prefix is evaluated once, whichever question or choice it belongs to.

/** One place where a log-probability is read. */
export interface ScoredPlace {
  /** Index of the sequence that asked, as given to `addSequence`. */
  readonly sequence: number;
  /** Place among that sequence's scored tokens. */
  readonly place: number;
  readonly nextToken: number;
}

export interface TreeNode {
  readonly token: number;
  readonly position: number;
  readonly children: Map<number, TreeNode>;
  /** Log-probabilities to read from this node's logits. */
  readonly reads: ScoredPlace[];
  /** Leaf numbers below (or at) this node, filled in by `assignLeaves`. */
  leaves: number[];
}

export interface PrefixTree {
  readonly roots: Map<number, TreeNode>;
  /** Number of nodes. */
  readonly size: number;
  /** Number of nodes whose logits are read. */
  readonly outputs: number;
  /**
   * Adds `context` + `continuation` without its last token, which needs no evaluation.
   * The tokens of `continuation` are scored from the last context token on.
   */
  readonly addSequence: (sequence: number, context: readonly number[], continuation: readonly number[]) => void;
  /** Nodes and outputs that `addSequence` would add. */
  readonly costOf: (context: readonly number[], continuation: readonly number[]) => { readonly nodes: number; readonly outputs: number };
  /** Numbers the leaves in depth-first order and fills in `leaves` of every node. Returns the number of leaves. */
  readonly assignLeaves: () => number;
  /** Depth-first order: parents before children, one branch after the other. */
  readonly walk: () => Generator<TreeNode>;
}

export function createPrefixTree(): PrefixTree {
  const roots = new Map<number, TreeNode>();
  let size = 0;
  let outputs = 0;
  function* walkFrom(level: Map<number, TreeNode>): Generator<TreeNode> {
    const stack = [[...level.values()].reverse()];
    while (stack.length > 0) {
      const node = stack.at(-1)!.pop();
      if (node === undefined) {
        stack.pop();
        continue;
      }
      yield node;
      if (node.children.size > 0) stack.push([...node.children.values()].reverse());
    }
  }
  return {
    roots,
    get size() {
      return size;
    },
    get outputs() {
      return outputs;
    },
    addSequence: (sequence, context, continuation) => {
      const length = context.length + continuation.length - 1;
      let level = roots;
      for (let position = 0; position < length; position++) {
        const token = tokenAt(context, continuation, position);
        let node = level.get(token);
        if (node === undefined) {
          node = { token, position, children: new Map(), reads: [], leaves: [] };
          level.set(token, node);
          size++;
        }
        const place = position - (context.length - 1);
        if (place >= 0) {
          if (node.reads.length === 0) outputs++;
          node.reads.push({ sequence, place, nextToken: continuation[place]! });
        }
        level = node.children;
      }
    },
    costOf: (context, continuation) => {
      const length = context.length + continuation.length - 1;
      let level: Map<number, TreeNode> | undefined = roots;
      let nodes = 0;
      let added = 0;
      for (let position = 0; position < length; position++) {
        const node: TreeNode | undefined = level?.get(tokenAt(context, continuation, position));
        if (node === undefined) nodes++;
        if (position >= context.length - 1 && (node === undefined || node.reads.length === 0)) added++;
        level = node?.children;
      }
      return { nodes, outputs: added };
    },
    assignLeaves: () => assignLeaves(roots),
    walk: () => walkFrom(roots),
  };
}

function tokenAt(context: readonly number[], continuation: readonly number[], position: number): number {
  return position < context.length ? context[position]! : continuation[position - context.length]!;
}

/** A leaf is a node where some path ends: the unit that needs a KV sequence of its own. */
function assignLeaves(roots: Map<number, TreeNode>): number {
  let count = 0;
  const path: TreeNode[] = [];
  const visit = [...roots.values()].reverse();
  while (visit.length > 0) {
    const node = visit.pop()!;
    path.length = node.position;
    path.push(node);
    node.leaves = [];
    if (node.children.size === 0) {
      for (const ancestor of path) ancestor.leaves.push(count);
      count++;
    } else {
      const children = [...node.children.values()];
      for (let index = children.length - 1; index >= 0; index--) visit.push(children[index]!);
    }
  }
  return count;
}

/** Length of the common prefix of two token lists. */
export function commonPrefixLength(left: readonly number[], right: readonly number[]): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left[length] === right[length]) length++;
  return length;
}
