// Renders the HTML report of one run folder in a process of its own: `node report-process.js FOLDER`.
// A run of 100,000 samples then keeps its memory for the samples, not for the page.
import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRun } from './open-run.ts';
import { readReportInput } from './read-report-input.ts';
import { openWorkspace } from './workspace.ts';
import { renderHtmlReport } from './write-reports.ts';

const folder = process.argv[2];
if (folder === undefined) throw new TypeError('usage: report-process FOLDER');
const workspace = await openWorkspace({ offline: true });
const html = await renderHtmlReport(await readReportInput(await openRun(folder, workspace), workspace.userMetrics));
const temporary = join(folder, `report.html.tmp-${process.pid}-${randomBytes(4).toString('hex')}`);
await writeFile(temporary, html, { flag: 'wx' });
await rename(temporary, join(folder, 'report.html'));
