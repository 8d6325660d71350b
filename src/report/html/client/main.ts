// The page's script: sorting at once, then charts and samples when the data is unpacked.
import { startLiveCharts } from './live-charts.ts';
import { readData } from './read-data.ts';
import { startSampleExplorer } from './sample-explorer.ts';
import { makeTablesSortable } from './sortable-tables.ts';
import { startThemeSwitch } from './theme-switch.ts';

async function start(): Promise<void> {
  makeTablesSortable();
  let redraw = (): void => {};
  startThemeSwitch(() => redraw());
  const data = await readData();
  if (data === null) return;
  redraw = startLiveCharts(data);
  if (data.samples !== null) {
    document.documentElement.classList.add('js');
    startSampleExplorer(data.samples);
    performance.mark('samples-shown');
  }
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    redraw();
  });
  document.documentElement.dataset['ready'] = '';
}

start().catch((error: unknown) => console.error(error));
