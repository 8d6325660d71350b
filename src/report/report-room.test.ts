import { expect, test } from 'vitest';
import { hostileTexts } from '../../test/fixtures/hostile-texts.ts';
import { scoredRun } from '../../test/fixtures/scored-run.ts';
import { decide } from './decision.ts';
import { buildExplorerData } from './explorer-data.ts';
import { countFlips } from './flips.ts';
import { embedData } from './html/embed-data.ts';
import { renderHtml } from './html/render-html.ts';
import { markdownCell } from './markdown/escape-markdown.ts';
import { renderMarkdown } from './markdown/render-markdown.ts';
import { paretoFront } from './pareto-front.ts';
import { joinReportInputs } from './report-input.ts';
import { buildStandings } from './standings.ts';
import { csvText, renderCsv } from './tables/render-csv.ts';
import { renderJunit, xmlText } from './tables/render-junit.ts';
import { latexText, renderLatex } from './tables/render-latex.ts';
import { renderXlsx } from './tables/render-xlsx.ts';
import { resultTable } from './tables/result-rows.ts';
import { displayWidth } from './terminal/layout-table.ts';
import { bar, renderBars } from './terminal/render-bars.ts';
import { buildReportView } from './view-model.ts';

const plain = { bold: (text: string) => text, dim: (text: string) => text };

test('the headline names the best model where it is clear, and the cheaper of equals where it is not', async () => {
  const clear = await scoredRun({ models: 5, samplesPerTask: 120 });
  const clearView = buildReportView(clear.records);
  const clearStandings = buildStandings(clearView, clear.rows);
  expect(clearStandings.models[0]).toMatchObject({ place: 'best', model: { key: 'phi-4-mini:q4_k_m' } });
  expect(clearStandings.models[1]!.behindBest).toMatchObject({ isPaired: true });
  expect(clearStandings.models[1]!.behindBest!.high).toBeLessThan(0);
  expect(decide(clearView, clearStandings)).toMatchObject({ before: 'Take', model: 'phi-4-mini:q4_k_m' });

  const few = await scoredRun({ models: 3, samplesPerTask: 6, seed: 3 });
  const fewView = buildReportView(few.records);
  const fewStandings = buildStandings(fewView, few.rows);
  const tied = fewStandings.models.filter(({ place }) => place === 'tied');
  expect(tied).toHaveLength(2);
  const decision = decide(fewView, fewStandings);
  const taken = fewStandings.models.find(({ model }) => model.key === decision.model)!;
  expect(taken.behindBest === null || Math.abs(taken.behindBest.difference) <= 0.03).toBe(true);
  for (const other of fewStandings.models.filter(({ behindBest }) => behindBest === null || Math.abs(behindBest.difference) <= 0.03))
    expect(taken.latencyP50Ms! * taken.peakRssBytes!).toBeLessThanOrEqual(other.latencyP50Ms! * other.peakRssBytes!);
  expect(decision.reasons.join(' ')).toMatch(/too few to tell it from|cannot be told from none/);
});

test('runs on other items stand side by side and are not ranked', async () => {
  const a = await scoredRun({ models: 1, samplesPerTask: 20, id: '20261130-100000-aaaa-0001' });
  const b = await scoredRun({ models: 1, samplesPerTask: 30, id: '20261130-110000-bbbb-0002' });
  const input = joinReportInputs([a, b]);
  const view = buildReportView(input.records);
  expect(view.models.map(({ model }) => model.key)).toEqual(['qwen2.5-0.5b:q4_k_m (0001)', 'qwen2.5-0.5b:q4_k_m (0002)']);
  const standings = buildStandings(view, input.rows);
  expect(standings.tasks).toEqual([]);
  expect(decide(view, standings)).toMatchObject({ model: null });
});

test('two runs of one model are its history, not a choice', async () => {
  const a = await scoredRun({ models: 1, samplesPerTask: 20, id: '20261130-100000-aaaa-0001' });
  const b = await scoredRun({ models: 1, samplesPerTask: 20, id: '20261130-110000-aaaa-0002', seed: 9 });
  const input = joinReportInputs([a, b]);
  const view = buildReportView(input.records);
  expect(decide(view, buildStandings(view, input.rows))).toMatchObject({ before: '', model: 'qwen2.5-0.5b:q4_k_m', after: 'in 2 runs' });
});

test('the Pareto front keeps what nothing beats', () => {
  const items = [
    { name: 'a', axes: [1, 1] },
    { name: 'b', axes: [2, 0] },
    { name: 'c', axes: [1, 0.5] },
    { name: 'd', axes: [1, 1] },
    { name: 'e', axes: null },
  ];
  expect(paretoFront(items, ({ axes }) => axes).map(({ name }) => name)).toEqual(['a', 'b', 'd']);
});

test('flips add up to the items that both models answered', async () => {
  const input = await scoredRun({ models: 3, samplesPerTask: 40 });
  const flips = countFlips(buildReportView(input.records), input.rows);
  expect(flips).toHaveLength(2 * 4);
  for (const { bothRight, onlyBest, onlyModel, bothWrong } of flips) expect(bothRight + onlyBest + onlyModel + bothWrong).toBe(40);
});

test('too many answers: every task keeps a share, the telling ones first', async () => {
  const { rows } = await scoredRun({ models: 2, samplesPerTask: 40 });
  const data = buildExplorerData(rows, 80);
  expect(data.totalAnswers).toBe(320);
  expect(data.keptAnswers).toBeLessThanOrEqual(82);
  expect(new Set(data.items.map(({ task }) => task)).size).toBe(4);
  const all = buildExplorerData(rows, 1000);
  const flipped = (items: typeof all.items) =>
    items.filter(({ answers }) => answers.some(({ verdict }) => verdict === 'right') && answers.some(({ verdict }) => verdict !== 'right'))
      .length / items.length;
  expect(flipped(data.items)).toBeGreaterThan(flipped(all.items));
});

test('embedded data is base64 and refuses numbers that JSON has not', () => {
  expect(embedData({ text: '</script><script>' })).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(() => embedData({ value: Number.NaN })).toThrow(/NaN/);
});

test('a page holds no mark-up from its data, and is equal for equal records', async () => {
  const key = (at: number): string => hostileTexts[at % hostileTexts.length]!;
  let models = 0;
  const mapRow = <Row extends { readonly id: string; readonly raw: string | null }>(row: Row): Row => {
    const text = key(Number.parseInt(row.id.slice(0, 4), 16));
    return { ...row, instruction: text, raw: text, prediction: text, category: text, reasoning: text };
  };
  const options = {
    models: 3,
    samplesPerTask: 12,
    tasks: 2,
    mapRow,
    mapModel: <Model>(model: Model): Model => ({ ...model, title: key(models++), reference: key(models) }),
  };
  const input = await scoredRun(options);
  const html = renderHtml(input, { script: 'console.log("</script>")' });
  expect(html).toBe(renderHtml(input, { script: 'console.log("</script>")' }));
  expect([...html.matchAll(/<script/g)]).toHaveLength(2);
  expect([...html.matchAll(/<\/script>/g)]).toHaveLength(2);
  expect(/<(img|iframe|a href="javascript|math|link|object|embed|base)\b/i.test(html)).toBe(false);
  expect(/<[^>]* on[a-z]+=/i.test(html.replace(/"[^"]*"/g, '""'))).toBe(false);
  expect(/[\u202e\u0000]/.test(html)).toBe(false);
  expect(html).toContain("default-src 'none'");
  expect(/unsafe-(inline|eval)/.test(html)).toBe(false);
  expect(/(src|href)="(https?:)?\/\//.test(html)).toBe(false);
});

test('a page without its script names no script', async () => {
  const html = renderHtml(await scoredRun({ models: 1, samplesPerTask: 5, tasks: 1 }), { script: null });
  expect(html).not.toContain('<script');
  expect(html).toContain("script-src 'none'");
});

test.each([
  ['a|b', 'a\\|b'],
  ['a\r\nb\rc', 'a<br>b<br>c'],
  ['<b>hi</b>', '&lt;b&gt;hi&lt;/b&gt;'],
  ['', '(empty)'],
  ['org/m|x', 'org/m\\|x'],
  ['a\\|b', 'a\\\\\\|b'],
])('Markdown cell %j', (text, cell) => {
  expect(markdownCell(text)).toBe(cell);
});

test.each([
  ['+1+1', "'+1+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(1,2)', '"\'@SUM(1,2)"'],
  ['\t=1+1', "'\t=1+1"],
  ['\r=1+1', '"\'\r=1+1"'],
  ['\u200b=1+1', "'\u200b=1+1"],
  ['=x', "'=x"],
  ['plain', 'plain'],
  ['a "b"', '"a ""b"""'],
])('CSV cell %j', (text, cell) => {
  expect(csvText(text)).toBe(cell);
});

test('numbers in CSV are numbers, also negative ones', () => {
  expect(renderCsv({ columns: ['=x', 'y'], rows: [[-1.5, null]] })).toBe("'=x,y\r\n-1.5,\r\n");
});

test('LaTeX and XML take hostile text as text', () => {
  expect(latexText('a_b 50% \\input{x} $y$ #1 ~^')).toBe(
    'a\\_b 50\\% \\textbackslash{}input\\{x\\} \\$y\\$ \\#1 \\textasciitilde{}\\textasciicircum{}',
  );
  for (const text of hostileTexts) {
    expect(latexText(text)).not.toMatch(/(?<!\\)[%$#&_]|\\(?!(text\w+\{\}|[{}$&#%_]))/);
    expect(xmlText(text)).not.toMatch(/[<>"']|[\u0000-\u001f]/);
  }
});

test('tables hold every result', async () => {
  const { records, rows } = await scoredRun({ models: 2, samplesPerTask: 10, errorShare: 0.1 });
  const view = buildReportView(records);
  const table = resultTable(view);
  expect(table.rows).toHaveLength(8);
  expect(renderCsv(table).split('\r\n')).toHaveLength(10);
  expect(renderLatex(view, buildStandings(view, rows)).match(/\\\\$/gm)).toHaveLength(3);
  const junit = renderJunit(view);
  expect(junit.match(/<testcase /g)).toHaveLength(8);
  expect(junit).toMatch(/<error message=/);
  const book = await renderXlsx(table);
  const { default: excel } = await import('exceljs');
  const read = new excel.Workbook();
  await read.xlsx.load(book.buffer as ArrayBuffer);
  expect(read.worksheets[0]!.rowCount).toBe(9);
  expect(read.worksheets[0]!.getCell('F2').value).toBe(table.rows[0]![5]);
});

test('terminal bars keep to the width and grow with the score', async () => {
  const { records, rows } = await scoredRun({ models: 5, samplesPerTask: 20 });
  const standings = buildStandings(buildReportView(records), rows);
  for (const width of [60, 80, 120, 200]) {
    const text = renderBars(standings, { width, ...plain });
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(text.split('\n')).toHaveLength(7);
  }
  expect(renderBars(standings, { width: 30, ...plain })).toBe('');
  expect(bar(1, 10)).toBe('██████████');
  expect(bar(0.5, 1)).toBe('▌');
  expect(bar(0, 10)).toBe('');
});

test('models, tasks and categories named like members of every object are reported like others', async () => {
  const names = ['constructor', '__proto__', 'toString'];
  let at = 0;
  const made = await scoredRun({ models: 2, samplesPerTask: 20, tasks: 3, mapModel: (model) => ({ ...model, key: names[at++ % 2]! }) });
  const [record] = made.records;
  const taskName = new Map(record!.tasks.map(({ key }, index) => [key, names[index]!]));
  const records = [
    {
      ...record!,
      tasks: record!.tasks.map((task) => ({ ...task, key: taskName.get(task.key)! })),
      results: record!.results.map((entry) => ({ ...entry, task: taskName.get(entry.task)! })),
    },
  ];
  // Answers from the cache have no latencies: nothing is there under the name of the task.
  const rows = made.rows.map(({ row, score }) => ({
    row: { ...row, task: taskName.get(row.task)!, category: 'constructor', origin: 'cached' as const },
    score,
  }));
  for (const input of [
    { records, rows },
    { records, rows: rows.map(({ row, score }) => ({ row: { ...row, origin: 'fresh' as const }, score })) },
  ]) {
    const view = buildReportView(input.records);
    const html = renderHtml(input, { script: 'x' });
    const [csv, markdown] = [renderCsv(resultTable(view)), renderMarkdown(input.records[0]!)];
    for (const name of names) for (const text of [html, csv]) expect(text).toContain(name);
    expect(markdown).toContain('constructor');
    expect(buildExplorerData(input.rows, 100).totalAnswers).toBe(input.rows.length);
    expect(html.match(/.{0,80}function (Object|toString)\(.{0,40}/)?.[0]).toBeUndefined();
  }
  // Drawing them changed nothing that every object inherits.
  const inherited: string[] = [];
  for (const key in {}) inherited.push(key);
  expect(inherited).toEqual([]);
});
