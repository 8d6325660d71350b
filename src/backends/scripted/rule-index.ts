// Finds the rule for a call quickly, however long the script: exact matches by map, patterns in order.
import { sha256Hex } from '../../core/digest.ts';
import type { ScriptRule } from './script.ts';

export type FindRule = (instruction: string, call: number) => ScriptRule | undefined;

type Test = (instruction: string) => boolean;

/** Precedence: `call`, `equals`, `sha256`, then `contains`, `pattern` and rules without a matcher in the order of the script. */
export function indexRules(rules: readonly ScriptRule[]): FindRule {
  const byCall = new Map<number, ScriptRule>();
  const byText = new Map<string, ScriptRule>();
  const byHash = new Map<string, ScriptRule>();
  const tests: { readonly test: Test; readonly rule: ScriptRule }[] = [];
  for (const rule of rules) {
    const { call, equals, sha256, contains, pattern } = rule;
    if (call !== undefined) byCall.set(call, rule);
    else if (equals !== undefined) byText.set(equals, rule);
    else if (sha256 !== undefined) byHash.set(sha256, rule);
    else tests.push({ rule, test: testOf(contains, pattern) });
  }
  return (instruction, call) => {
    const exact = byCall.get(call) ?? byText.get(instruction);
    if (exact !== undefined) return exact;
    const hashed = byHash.size === 0 ? undefined : byHash.get(sha256Hex(instruction));
    return hashed ?? tests.find(({ test }) => test(instruction))?.rule;
  };
}

function testOf(contains: string | undefined, pattern: string | undefined): Test {
  if (contains !== undefined) return (instruction) => instruction.includes(contains);
  if (pattern === undefined) return () => true;
  const expression = new RegExp(pattern, 'u');
  return (instruction) => expression.test(instruction);
}
