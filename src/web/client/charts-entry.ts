// The script that is loaded with the first chart: it hands the chart library to the page.
import { initChart as init } from '../../report/charts/echarts-parts.ts';

export const initChart: typeof init = init;
