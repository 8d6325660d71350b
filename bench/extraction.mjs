// Speed of answer extraction in CPU time (other processes on the machine do not count): outputs per second on short replies, and the time of inputs that make naive patterns explode.
import { extractAnswer } from '../src/tasks/extraction/extract-answer.ts';

const options = ['Rome', 'Paris', 'Oslo', 'Lima'];
const labels = ['positive', 'negative', 'neutral'];
const choice = { kind: 'choice', options };
const number = { kind: 'number' };
const label = { kind: 'label', labels };
const short = {
  choice: [
    choice,
    [
      'B',
      'The answer is (C).',
      '**D**',
      'Answer: B) Paris',
      'Paris',
      'I think it is not A but C.',
      'Die richtige Antwort ist B.',
      '答案是 C',
    ],
  ],
  number: [
    number,
    ['42', 'The answer is $1,234.50.', '#### 18', 'So she earns 84, in total.', '10 - 5 = 5', '\\boxed{7}', 'Die Antwort ist 12.'],
  ],
  label: [label, ['positive', 'Sentiment: negative', 'The text is neutral.', '{"label": "positive"}', 'Not negative but positive.']],
  json: [{ kind: 'json' }, ['{"a": 1}', '```json\n{"a": [1, 2]}\n```', 'Sure: {"a": "b"} as asked', '{"a": {"b": ']],
  math: [{ kind: 'math' }, ['\\boxed{\\frac{1}{2}}', 'The answer is $x^2$.', '3/4']],
  list: [{ kind: 'list' }, ['1. a\n2. b\n3. c', 'red, green and blue', '["x", "y"]']],
};

const mega = 1_000_000;
const hostile = {
  spaces: ' '.repeat(mega),
  'cue and spaces': `Answer:${' '.repeat(mega)}B`,
  'nested brackets': '['.repeat(mega / 2) + ']'.repeat(mega / 2),
  'nested braces': '{'.repeat(mega),
  'nested objects': '{"a":'.repeat(mega / 5),
  'answer answer': 'answer '.repeat(mega / 7),
  'answer is': 'answer is '.repeat(mega / 10),
  letters: 'A B C D '.repeat(mega / 8),
  'not A or': 'not A or '.repeat(mega / 9),
  digits: '1'.repeat(mega),
  'digit groups': '1,234,'.repeat(mega / 6),
  'digits and spaces': '123 '.repeat(mega / 4),
  slashes: '1/'.repeat(mega / 2),
  'open fence': `\`\`\`json\n${'x\n'.repeat(mega / 2)}`,
  backticks: '`'.repeat(mega),
  'open quotes': '["'.repeat(mega / 2),
  boxes: '\\boxed{'.repeat(mega / 7),
  'hash marks': '#### '.repeat(mega / 5),
  dollars: '$'.repeat(mega),
  'think tags': '<think>'.repeat(mega / 7),
  newlines: '\n'.repeat(mega),
  'one word': 'a'.repeat(mega),
  parentheses: '('.repeat(mega),
  waits: 'A. Wait, '.repeat(mega / 9),
  positive: 'positive '.repeat(mega / 9),
  'not positive': 'not a very positive, '.repeat(mega / 21),
  twos: 'two '.repeat(mega / 4),
  equals: '= '.repeat(mega / 2),
  'list marks': '- a\n'.repeat(mega / 4),
};
const kinds = {
  choice,
  number,
  label,
  json: { kind: 'json' },
  math: { kind: 'math' },
  list: { kind: 'list' },
  code: { kind: 'code', entryPoint: 'f' },
  text: { kind: 'text' },
  'multi-label': { kind: 'multi-label', labels },
  entities: { kind: 'entities', text: 'Rome is old' },
  'gsm8k-strict': { kind: 'gsm8k-strict' },
  'gsm8k-flexible': { kind: 'gsm8k-flexible' },
  judge: { kind: 'judge', scale: { kind: 'points', max: 10 } },
};

function rate(request, outputs) {
  const run = (count) => {
    const start = process.cpuUsage();
    for (let at = 0; at < count; at++) extractAnswer(outputs[at % outputs.length], request);
    return (count / process.cpuUsage(start).user) * 1e6;
  };
  run(20_000);
  return Math.max(run(20_000), run(20_000), run(20_000));
}

const quick = process.argv.includes('--quick');
const report = { outputsPerSecond: {}, slowestHostileMs: [] };
for (const [name, [request, outputs]] of Object.entries(short)) report.outputsPerSecond[name] = Math.round(rate(request, outputs));
const slow = [];
for (const [input, text] of Object.entries(hostile)) {
  for (const [kind, request] of Object.entries(kinds)) {
    const cut = quick ? text.slice(0, 100_000) : text;
    const start = process.cpuUsage();
    extractAnswer(cut, request);
    slow.push([process.cpuUsage(start).user / 1000, `${kind}: ${input}`]);
  }
}
slow.sort((a, b) => b[0] - a[0]);
report.slowestHostileMs = slow.slice(0, 25).map(([ms, name]) => `${ms.toFixed(1)} ms ${name}`);
console.log(JSON.stringify(report, null, 2));
