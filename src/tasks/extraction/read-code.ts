// Reads the program of a reply: the fenced block that defines what is asked for, or bare code without the talk around it.
import { type FencedBlock, fencedBlocks } from './code-fences.ts';
import { type Reading, unread } from './extraction.ts';
import { refuses } from './refusal.ts';

const families: readonly (readonly string[])[] = [
  ['python', 'py', 'python3', 'python2', 'ipython', 'pycon'],
  ['javascript', 'js', 'node', 'mjs', 'jsx', 'typescript', 'ts', 'tsx'],
  ['sql', 'postgresql', 'mysql', 'sqlite'],
  ['bash', 'sh', 'shell', 'zsh', 'console'],
  ['cpp', 'c++', 'cc', 'cxx', 'c'],
  ['json', 'jsonc', 'json5'],
];

export function sameLanguage(a: string, b: string): boolean {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  return left === right || families.some((family) => family.includes(left) && family.includes(right));
}

const definition =
  /^\s{0,4}(?:async\s+)?(?:def|class)\s+\w+|^\s{0,4}(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b|^\s{0,4}(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:\(|function|\w+\s*=>)/m;
const codeLine =
  /^(?:\s+\S|(?:async\s+)?(?:def|class|from|import|return|if|elif|else|for|while|try|except|finally|with|raise|assert|print|pass|const|let|var|function|export|switch|case|throw|SELECT|INSERT|UPDATE|WITH)\b|[@#}\])]|\/\/|\/\*|\w[\w.[\]'"]*\s*(?:=|\+=|-=|\()|"""|''')/;

/** `text` keeps the indentation of its first line, which a completed function body needs. */
export function readCode(written: string, language: string | undefined, entryPoint: string | undefined, truncated: boolean): Reading {
  // Models that learned from Windows files end lines with CR LF; the rules below know LF.
  const text = written.includes('\r') ? written.replace(/\r\n?/g, '\n') : written;
  const blocks = text.includes('```') || text.includes('~~~') ? fencedBlocks(text) : [];
  const chosen = chooseBlock(blocks, language, entryPoint);
  if (chosen !== undefined) {
    if (chosen.body.trim() === '') return unread(truncated ? 'truncated' : 'empty', 'the code block is empty');
    const body = withImports(chosen, blocks, language);
    return { value: body, rule: chosen.closed ? 'fence' : 'open-fence', reason: null };
  }
  const bare = bareCode(text, entryPoint);
  if (bare !== undefined) return { value: bare.code, rule: bare.rule, reason: null };
  if (truncated) return unread('truncated', 'no code before the output ends');
  return unread(refuses(text) ? 'refused' : 'unparseable', 'no code');
}

/** The last block of the language that defines the entry point; else the last that defines anything; else the longest. */
function chooseBlock(
  blocks: readonly FencedBlock[],
  language: string | undefined,
  entryPoint: string | undefined,
): FencedBlock | undefined {
  if (blocks.length === 0) return undefined;
  const named = language === undefined ? [] : blocks.filter((block) => sameLanguage(block.language, language));
  const pool = named.length > 0 ? named : language === undefined ? blocks : blocks.filter((block) => block.language === '');
  if (entryPoint !== undefined) {
    const defines = definitionOf(entryPoint);
    const own = pool.filter((block) => defines.test(block.body)).at(-1) ?? blocks.filter((block) => defines.test(block.body)).at(-1);
    if (own !== undefined) return own;
  }
  const usable = pool.filter((block) => !/^(?:text|output|plaintext|txt)$/.test(block.language));
  const defining = usable.filter((block) => definition.test(block.body));
  if (defining.length > 0) return defining.at(-1);
  return [...usable].sort((a, b) => b.body.length - a.body.length)[0];
}

function definitionOf(name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `(?:^|\\n)[ \\t]*(?:(?:async[ ]+)?(?:def|class|function)[ ]+${escaped}\\b|(?:export[ ]+)?(?:const|let|var)[ ]+${escaped}\\b)`,
  );
}

/** Import lines of an earlier block of the same language, where the chosen block has none of its own. */
function withImports(chosen: FencedBlock, blocks: readonly FencedBlock[], language: string | undefined): string {
  if (/^(?:import|from) /m.test(chosen.body) || !(sameLanguage(language ?? chosen.language, 'python') || chosen.language === ''))
    return chosen.body;
  const earlier = blocks
    .slice(0, blocks.indexOf(chosen))
    .filter((block) => block.language === chosen.language && /^(?:\s*(?:import|from) .*\n?)+$/.test(block.body));
  return earlier.length === 0 ? chosen.body : `${earlier.map((block) => block.body.trim()).join('\n')}\n\n${chosen.body}`;
}

/** Code without a fence: a continued function body, or the lines from the first to the last that look like code. */
function bareCode(text: string, entryPoint: string | undefined): { readonly code: string; readonly rule: string } | undefined {
  const lines = text.replace(/^(?:[ \t]*\r?\n)+/, '').split('\n');
  const first = lines[0] ?? '';
  if (entryPoint !== undefined && /^[ \t]+\S/.test(first)) return { code: continuedBody(lines), rule: 'completion' };
  const start = lines.findIndex((line) => isTopLevelCode(line));
  if (start < 0) return undefined;
  if (start > 0 && !definition.test(lines.slice(start).join('\n').slice(0, 4000))) return undefined;
  let end = lines.length;
  for (let at = start + 1; at < lines.length; at++) {
    if (lines[at]!.trim() !== '' && !codeLine.test(lines[at]!) && isProse(lines[at]!)) {
      end = at;
      break;
    }
  }
  return { code: lines.slice(start, end).join('\n').trimEnd(), rule: 'bare' };
}

/** Up to the first line that leaves the body: a new definition, a test, a comment or prose at column 0. */
function continuedBody(lines: readonly string[]): string {
  let end = lines.length;
  for (let at = 1; at < lines.length; at++) {
    if (/^\S/.test(lines[at]!) && !/^[)\]}]/.test(lines[at]!)) {
      end = at;
      break;
    }
  }
  return lines.slice(0, end).join('\n').trimEnd();
}

function isTopLevelCode(line: string): boolean {
  return /^(?:(?:async\s+)?(?:def|class)\s+\w+.*:?|from\s+[\w.]+\s+import\b.*|import\s+[\w.{*].*|(?:export\s+)?(?:async\s+)?function\s*\w*\s*\(.*|(?:export\s+)?(?:const|let|var)\s+\w+\s*=.*|@\w+.*|(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE)\b.*|\w+\s*=\s*\S.*|return\b.*|print\(.*|console\.log\(.*)$/.test(
    line,
  );
}

/** A sentence: several words, and no mark of code. */
function isProse(line: string): boolean {
  return /^[A-Z*#>-]/.test(line) && line.split(/\s+/).length >= 3 && !/[=;{}]|^\w+\(/.test(line);
}
