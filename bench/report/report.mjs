// How much processor time reports take, which a busy machine does not distort: the page of 10,000 answers, its size, the pictures, and the view over 1,000 records (limit: 2 s).
// Usage: node bench/report/report.mjs; prints JSON.
const { scoredRun } = await import('../../test/fixtures/scored-run.ts');
const { loadHtmlReport, readReportClient } = await import('../../src/app/load-html-report.ts');
const { renderReportFiles } = await import('../../src/app/write-reports.ts');
const { buildReportView } = await import('../../src/report/view-model.ts');
const { buildStandings } = await import('../../src/report/standings.ts');
const { joinReportInputs } = await import('../../src/report/report-input.ts');
const { renderMarkdown } = await import('../../src/report/markdown/render-markdown.ts');

async function timed(work) {
  const started = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(started);
  return { ms: Math.round((user + system) / 1000), result };
}

const large = await scoredRun({ models: 1, samplesPerTask: 2500 });
const load = await timed(async () => [await loadHtmlReport(), await readReportClient()]);
const [renderHtml, script] = load.result;
const page = await timed(() => renderHtml(large, { script }));
const pictures = await timed(() => renderReportFiles(large, ['png', 'svg']));
const one = await scoredRun({ models: 2, samplesPerTask: 20 });
const many = Array.from({ length: 1000 }, (_, index) => ({
  records: one.records.map((record) => ({ ...record, id: `20261130-180000-${index}` })),
  rows: [],
}));
const thousand = await timed(() => {
  const joined = joinReportInputs(many);
  const view = buildReportView(joined.records);
  return buildStandings(view).models.length + joined.records.map(renderMarkdown).length;
});
process.stdout.write(
  `${JSON.stringify(
    {
      loadRendererCpuMs: load.ms,
      pageOf10kAnswersCpuMs: page.ms,
      pageOf10kAnswersBytes: page.result.length,
      fivePicturesAndSvgCpuMs: pictures.ms,
      viewOf1000RecordsCpuMs: thousand.ms,
    },
    null,
    2,
  )}\n`,
);
