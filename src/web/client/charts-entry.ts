// The script that is loaded with the first chart.
export { initChart } from '../../report/charts/echarts-parts.ts';
