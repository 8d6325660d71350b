// The parts of ECharts that reports use, registered once; the browser bundle holds nothing else of it.
import { BarChart, CustomChart, HeatmapChart, LineChart, RadarChart, ScatterChart } from 'echarts/charts';
import {
  GraphicComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import { harmlessOption } from './harmless-option.ts';

const parts = [
  BarChart,
  CustomChart,
  HeatmapChart,
  LineChart,
  RadarChart,
  ScatterChart,
  GraphicComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
  LabelLayout,
  SVGRenderer,
];
let isReady = false;

/**
 * As `init` of ECharts, for options with names from outside. The parts are registered at the first call, not at import: a bundler may drop
 * what an import alone does.
 */
export function initChart(...args: Parameters<typeof init>): ReturnType<typeof init> {
  if (!isReady) use(parts);
  isReady = true;
  const instance = init(...args);
  const setOption: (...all: readonly unknown[]) => void = instance.setOption.bind(instance) as never;
  instance.setOption = (option: unknown, ...rest: unknown[]) => setOption(harmlessOption(option), ...rest);
  return instance;
}
